#if os(Linux)
    import CLinux
    import Glibc
    import Synchronization
    import Threads

    /// A thread that moves bytes between the sockets of many pairs, with one buffer for all of them.
    ///
    /// It copies through that buffer: `splice` takes as many calls of the system for each message, moves it through a
    /// pipe besides, and took 18 % more processor time for messages of 64 bytes.
    package final class RelayThread: Sendable {
        /// Bytes of one read, and so what waits for one direction at the most, beside what is sent before it.
        package static let bufferBytes = 65_536
        /// Events that are taken at a time.
        private static let batch = 64
        private static let stopToken = UInt64.max

        private struct Table {
            /// The pairs by their places. A token is the place, twice, and which of the two sides it means.
            var pairs: [RelayedPair?] = []
            var free: [Int] = []
            var isStopping = false
            /// Who waits for the end of the thread.
            var waiting: [CheckedContinuation<Void, Never>] = []
            var hasStopped = false
        }

        private let events: Int32
        /// A pair of sockets of which the second one is ended to wake the thread for its end.
        private let stopSockets: (CInt, CInt)
        private let table = Mutex(Table())
        private let count: @Sendable (_ fromClients: Int, _ fromServices: Int) -> Void

        /// Descriptors that a thread takes for itself.
        package static let descriptors = 3

        /// Starts the thread, which runs until ``stop()``.
        ///
        /// - Parameter count: is told on the thread how many bytes have come, a few messages at a time.
        /// - Returns: nil if the process may have no more descriptors or threads.
        package init?(count: @escaping @Sendable (_ fromClients: Int, _ fromServices: Int) -> Void) {
            self.count = count
            let events = clinux_events_open()
            var ends: [CInt] = [-1, -1]
            let hasSockets =
                socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0
            self.events = events
            stopSockets = (ends[0], ends[1])
            guard events >= 0, hasSockets, clinux_events_add(events, ends[0], Self.stopToken, Interest.readable) == 0
            else { return nil }
            guard SystemThread.tryStart({ self.run() }) else { return nil }
        }

        deinit {
            for descriptor in [events, stopSockets.0, stopSockets.1] where descriptor >= 0 { close(descriptor) }
        }

        // MARK: From any thread

        /// Moves the bytes of a pair until it is over, which its observer is told in any case.
        package func add(_ pair: RelayedPair) {
            let isWatched = table.withLock { table in
                guard !table.isStopping else { return false }
                let place = table.free.popLast() ?? table.pairs.count
                if place == table.pairs.count { table.pairs.append(nil) }
                // The thread looks the pair up under the same lock: it waits until the pair is whole.
                guard pair.watch(by: events, as: UInt64(place) << 1) else {
                    table.free.append(place)
                    return false
                }
                table.pairs[place] = pair
                return true
            }
            if !isWatched { pair.leave(events) }
        }

        /// Ends all pairs and the thread. Returns once their observers have been told.
        package func stop() async {
            await withCheckedContinuation { continuation in
                let hasStopped = table.withLock { table in
                    table.isStopping = true
                    if !table.hasStopped { table.waiting.append(continuation) }
                    return table.hasStopped
                }
                if hasStopped { return continuation.resume() }
                shutdown(stopSockets.1, CInt(SHUT_RDWR))
            }
        }

        // MARK: The thread

        private func run() {
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.bufferBytes, alignment: 64)
            defer { memory.deallocate() }
            var found = [clinux_event](repeating: clinux_event(), count: Self.batch)
            while true {
                let count = clinux_events_wait(events, &found, Int32(Self.batch))
                precondition(count >= 0, "waiting failed with errno \(errno)")
                let now = RelayClock.nanoseconds
                var moved = Both(client: 0, service: 0)
                var left: [Int] = []
                var isStopping = false
                for event in found[..<Int(count)] {
                    guard event.token != Self.stopToken else {
                        isStopping = true
                        continue
                    }
                    let (place, side) = (Int(event.token >> 1), event.token & 1 == 0 ? PairedSide.client : .service)
                    // One that has left may be in the same batch once more.
                    guard let pair = table.withLock({ $0.pairs[place] }) else { continue }
                    moved[side] += pair.act(on: side, event.interest, at: now, with: memory)
                    guard !pair.watch(by: events, as: event.token & ~1) else { continue }
                    table.withLock { $0.pairs[place] = nil }
                    pair.leave(events)
                    left.append(place)
                }
                if moved.client + moved.service > 0 { self.count(moved.client, moved.service) }
                // Not before: what is left in a batch of one pair would be taken for another's.
                if !left.isEmpty { table.withLock { $0.free += left } }
                if isStopping { return end() }
            }
        }

        private func end() {
            let pairs = table.withLock { table in
                defer { table.pairs = [] }
                return table.pairs.compactMap { $0 }
            }
            for pair in pairs { pair.leave(events) }
            let waiting = table.withLock { table in
                table.hasStopped = true
                defer { table.waiting = [] }
                return table.waiting
            }
            for continuation in waiting { continuation.resume() }
        }
    }
#endif
