#if os(Linux)
    import CLinux
    import Glibc
    import Synchronization

    /// One of the two sockets of a pair.
    package enum PairedSide: Int, Sendable {
        case client, service

        var other: PairedSide { self == .client ? .service : .client }

        static let both = [PairedSide.client, .service]
    }

    /// Something that each of the two sides has.
    struct Both<Value> {
        var client: Value
        var service: Value

        subscript(side: PairedSide) -> Value {
            get { side == .client ? client : service }
            _modify {
                // A pair that is changed in place copies none of the bytes that it holds.
                if side == .client { yield &client } else { yield &service }
            }
        }
    }

    /// What is told of a pair. All functions are called on the relay's thread, which other pairs wait for: they neither
    /// wait nor do much.
    package protocol PairObserver: Sendable {
        /// A side has said that it sends nothing more; the other side has been told, and may go on.
        func inputEnded(of side: PairedSide)
        /// The connection is over; nothing else is told.
        ///
        /// - Parameter side: whose connection broke, if one did.
        func over(brokenBy side: PairedSide?)
    }

    /// Two sockets, each of which gets the bytes that come from the other, unread and in order.
    ///
    /// A side is read only while the other one takes what is read, so at most one buffer for each direction waits here.
    // @unchecked: what changes is used by whoever makes the pair until it is added to a relay, and by the relay's
    // thread after that; the atomics and the sockets are everybody's.
    package final class RelayedPair: @unchecked Sendable {
        /// One direction: what comes from a side and goes to the other.
        private struct Flow {
            /// Bytes that the other side did not take yet.
            var held: [UInt8] = []
            /// How many of these it has taken since.
            var taken = 0
            /// Whether the end of what comes was read.
            var hasEnded = false

            var isHeld: Bool { !held.isEmpty }
        }

        private let sockets: Both<ConnectedSocket>
        private let observer: any PairObserver
        /// What comes from each side.
        private var flows = Both(client: Flow(), service: Flow())
        /// What is waited for at each side, as the system was told.
        private var watched = Both<Int32>(client: 0, service: 0)
        private var isOver = false
        /// The side whose connection broke first.
        private var broken: PairedSide?
        private let isFinishing = Atomic<Bool>(false)
        private let lastMove: Atomic<UInt64>
        private let isCut = Atomic<Bool>(false)

        /// - Parameters:
        ///   - client: its socket.
        ///   - service: its socket.
        ///   - observer: held until the pair is over and let go of.
        package init(client: ConnectedSocket, service: ConnectedSocket, observer: any PairObserver) {
            sockets = Both(client: client, service: service)
            self.observer = observer
            lastMove = Atomic(RelayClock.nanoseconds)
        }

        /// When a byte last came from either side, in nanoseconds of the clock that no step of the wall clock moves.
        package var lastMoveNanoseconds: UInt64 { lastMove.load(ordering: .relaxed) }

        // MARK: From any thread

        /// Ends both directions behind what the system has taken: the sides are told that nothing more comes, and what
        /// they still send is read and dropped until they have closed.
        package func finish() {
            isFinishing.store(true, ordering: .releasing)
            sockets.client.endOutput()
            sockets.service.endOutput()
        }

        /// Ends it now, by resets: what is on its way is lost.
        package func cut() {
            isCut.store(true, ordering: .releasing)
            isFinishing.store(true, ordering: .releasing)
            sockets.client.end()
            sockets.service.end()
        }

        // MARK: Before it is added

        /// Sends bytes before everything that comes from the other side.
        package func send(_ bytes: [UInt8], to side: PairedSide) {
            bytes.withUnsafeBytes { deliver($0, from: side.other) }
        }

        // MARK: On the relay's thread

        /// Takes what the system says of one side.
        ///
        /// - Returns: the bytes that came from it and go to the other.
        func act(
            on side: PairedSide, _ interest: Int32, at now: UInt64, with memory: UnsafeMutableRawBufferPointer
        ) -> Int {
            guard !isCut.load(ordering: .acquiring) else {
                isOver = true
                return 0
            }
            let interest = interest & watched[side]
            if interest & Interest.writable != 0 { deliverHeld(to: side) }
            guard interest & Interest.readable != 0, !isOver else { return 0 }
            return read(side, at: now, with: memory)
        }

        private func read(_ side: PairedSide, at now: UInt64, with memory: UnsafeMutableRawBufferPointer) -> Int {
            switch sockets[side].receive(into: memory) {
            case .moved(0): end(side)
            case .moved(let count):
                lastMove.store(now, ordering: .relaxed)
                guard !isFinishing.load(ordering: .acquiring) else { break }
                deliver(UnsafeRawBufferPointer(rebasing: memory[..<count]), from: side)
                return count
            case .wouldBlock: break
            case .broken: lose(side)
            }
            return 0
        }

        private func deliver(_ bytes: UnsafeRawBufferPointer, from side: PairedSide) {
            guard !bytes.isEmpty else { return }
            guard !flows[side].isHeld else {
                flows[side].held += bytes
                return
            }
            switch sockets[side.other].send(bytes) {
            case .moved(bytes.count): break
            case .moved(let count): flows[side].held = Array(bytes[count...])
            case .wouldBlock: flows[side].held = Array(bytes)
            case .broken: loseOutput(to: side.other)
            }
        }

        private func deliverHeld(to side: PairedSide) {
            let from = side.other
            guard flows[from].isHeld else { return }
            let outcome = flows[from].held.withUnsafeBytes { held in
                sockets[side].send(UnsafeRawBufferPointer(rebasing: held[flows[from].taken...]))
            }
            switch outcome {
            case .moved(let count):
                flows[from].taken += count
                guard flows[from].taken == flows[from].held.count else { return }
                // A pair that holds nothing keeps no memory for it.
                flows[from].held = []
                flows[from].taken = 0
                if flows[from].hasEnded { sockets[side].endOutput() }
            case .wouldBlock: break
            case .broken: loseOutput(to: side)
            }
        }

        /// Takes the end of what comes from a side.
        private func end(_ side: PairedSide) {
            flows[side].hasEnded = true
            if !flows[side].isHeld { sockets[side.other].endOutput() }
            observer.inputEnded(of: side)
        }

        /// Ends the pair because the connection of a side is broken.
        private func lose(_ side: PairedSide) {
            guard !isOver else { return }
            isOver = true
            broken = side
        }

        /// Takes it that a side takes nothing more: it broke, or the pair is being finished, and then what is held for
        /// it is dropped.
        private func loseOutput(to side: PairedSide) {
            guard isFinishing.load(ordering: .acquiring) else { return lose(side) }
            flows[side.other].held = []
            flows[side.other].taken = 0
        }

        /// Whether nothing moves any more.
        private var isDone: Bool {
            isOver || flows.client.hasEnded && flows.service.hasEnded && !flows.client.isHeld && !flows.service.isHeld
        }

        // MARK: What is waited for

        /// Tells the system what is waited for from now on.
        ///
        /// A side for which nothing is waited is not watched at all: its end would be told again and again.
        /// - Parameters:
        ///   - events: the descriptor of the relay's events.
        ///   - token: of the pair, with room for the side below.
        /// - Returns: false once the pair is over, and where the system cannot watch it.
        func watch(by events: Int32, as token: UInt64) -> Bool {
            guard !isDone else { return false }
            for side in PairedSide.both {
                let wanted =
                    (flows[side].hasEnded || flows[side].isHeld ? 0 : Interest.readable)
                    | (flows[side.other].isHeld ? Interest.writable : 0)
                guard wanted != watched[side] else { continue }
                let number = sockets[side].number
                let own = token | UInt64(side.rawValue)
                let result =
                    watched[side] == 0
                    ? clinux_events_add(events, number, own, wanted)
                    : wanted == 0
                        ? clinux_events_remove(events, number) : clinux_events_change(events, number, own, wanted)
                guard result == 0 else { return false }
                watched[side] = wanted
            }
            return true
        }

        /// Closes the sockets, and tells that it is over.
        func leave(_ events: Int32) {
            for side in PairedSide.both where watched[side] != 0 {
                _ = clinux_events_remove(events, sockets[side].number)
                watched[side] = 0
            }
            let resets = isCut.load(ordering: .acquiring)
            sockets.client.closeNow(resets: resets)
            sockets.service.closeNow(resets: resets)
            isOver = true
            observer.over(brokenBy: broken)
        }
    }

    /// What a side is waited for, as CLinux has it.
    enum Interest {
        static let readable = Int32(clinux_event_readable.rawValue)
        static let writable = Int32(clinux_event_writable.rawValue)
    }

    enum RelayClock {
        /// Nanoseconds of the clock that no step of the wall clock moves.
        static var nanoseconds: UInt64 {
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
        }
    }
#endif
