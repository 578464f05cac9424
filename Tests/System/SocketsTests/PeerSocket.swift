#if os(Linux)
    import Glibc
    import Synchronization
    import Threads

    @testable import Sockets

    struct SystemFailure: Error { let code = errno }

    @discardableResult private func check(_ result: CInt) throws -> CInt {
        guard result >= 0 else { throw SystemFailure() }
        return result
    }

    /// A port of the loopback at which connections arrive.
    final class ListeningPort: Sendable {
        let number: CInt
        /// The address as the system has it.
        let address: [UInt8]

        /// - Parameter isListening: whether connections are accepted; else they are refused.
        init(isListening: Bool = true) throws {
            let number = try check(socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
            var bytes = withUnsafeBytes(of: address) { Array($0) }
            var count = socklen_t(bytes.count)
            try bytes.withUnsafeMutableBytes {
                let place = $0.assumingMemoryBound(to: sockaddr.self).baseAddress
                try check(bind(number, place, count))
                try check(getsockname(number, place, &count))
            }
            (self.number, self.address) = (number, bytes)
            if isListening { try check(listen(number, 128)) }
        }

        deinit { close(number) }

        /// Has the calls of whoever takes connections return at once.
        func letNobodyWait() throws { try check(fcntl(number, F_SETFL, O_NONBLOCK)) }
    }

    /// The far end of a TCP connection over the loopback, which a test reads and writes on threads of its own.
    final class PeerSocket: Sendable {
        private let number: Mutex<CInt>

        /// Connects, with small buffers in the system so that little fills them.
        ///
        /// - Returns: the far end, and the near one as a relay takes it.
        static func connected() throws -> (peer: PeerSocket, near: ConnectedSocket) {
            let port = try ListeningPort()
            let peer = try PeerSocket(connectedTo: port)
            let near = try peer.number.withLock { peer in
                let near = try check(accept(port.number, nil, nil))
                try check(fcntl(near, F_SETFL, O_NONBLOCK))
                var size: CInt = 65_536
                for socket in [peer, near] {
                    for name in [SO_SNDBUF, SO_RCVBUF] {
                        setsockopt(socket, SOL_SOCKET, name, &size, socklen_t(MemoryLayout<CInt>.size))
                    }
                }
                return near
            }
            return (peer, ConnectedSocket(owning: near))
        }

        convenience init(connectedTo port: ListeningPort) throws {
            let number = try check(socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
            self.init(number)
            try port.address.withUnsafeBytes {
                let place = $0.assumingMemoryBound(to: sockaddr.self).baseAddress
                try check(connect(number, place, socklen_t($0.count)))
            }
        }

        /// The connection that has arrived at a port.
        convenience init(arrivedAt port: ListeningPort) throws { self.init(try check(accept(port.number, nil, nil))) }

        private init(_ number: CInt) { self.number = Mutex(number) }

        deinit { end() }

        private func end() {
            number.withLock { number in
                if number >= 0 { close(number) }
                number = -1
            }
        }

        // MARK: On threads that may wait

        private static func offPool<R: Sendable>(_ body: @escaping @Sendable () -> R) async -> R {
            await withCheckedContinuation { continuation in
                SystemThread.start { continuation.resume(returning: body()) }
            }
        }

        /// Writes everything, in pieces of some size. Returns how much was taken.
        @discardableResult func write(_ bytes: [UInt8], inPieces size: Int = 1 << 20) async -> Int {
            let number = number.withLock { $0 }
            return await Self.offPool {
                var done = 0
                while done < bytes.count {
                    let count = bytes.withUnsafeBytes { memory in
                        send(
                            number, memory.baseAddress?.advanced(by: done), min(size, memory.count - done),
                            CInt(MSG_NOSIGNAL))
                    }
                    guard count > 0 else { break }
                    done += count
                }
                return done
            }
        }

        /// Reads until so many bytes have come or the connection has ended.
        func read(_ wanted: Int, inPieces size: Int = 1 << 20) async -> [UInt8] {
            let number = number.withLock { $0 }
            return await Self.offPool {
                var all: [UInt8] = []
                var piece = [UInt8](repeating: 0, count: size)
                while all.count < wanted {
                    let count = recv(number, &piece, min(size, wanted - all.count), 0)
                    guard count > 0 else { break }
                    all += piece[..<count]
                }
                return all
            }
        }

        func readToEnd() async -> [UInt8] { await read(.max) }

        // MARK: Ends

        func endOutput() { number.withLock { _ = shutdown($0, CInt(SHUT_WR)) } }

        func closeNow() { end() }

        /// Closes with a reset, as a process that died with unread bytes does.
        func reset() {
            var option = linger(l_onoff: 1, l_linger: 0)
            number.withLock {
                _ = setsockopt($0, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
            }
            end()
        }
    }

    /// Sends to each side what comes from the other, and keeps what it is told.
    // @unchecked: what has no lock is used on the relay's thread alone.
    final class Crossing: PairHandler, @unchecked Sendable {
        enum Event: Equatable {
            case inputEnded(PairedSide)
            case ended(PairedSide, isBroken: Bool)
        }

        private let pair: RelayedPair
        private let events: AsyncStream<Event>
        private let sink: AsyncStream<Event>.Continuation
        private let counts = Mutex<[PairedSide: Int]>([:])
        private let open = Mutex(2)

        init(_ pair: RelayedPair) {
            self.pair = pair
            (events, sink) = AsyncStream.makeStream(of: Event.self)
        }

        func received(_ bytes: UnsafeRawBufferPointer, from side: PairedSide) {
            counts.withLock { $0[side, default: 0] += bytes.count }
            pair.send(bytes, to: side.other)
        }

        func inputEnded(of side: PairedSide) {
            pair.endOutput(to: side.other)
            sink.yield(.inputEnded(side))
        }

        func ended(_ side: PairedSide, isBroken: Bool) {
            sink.yield(.ended(side, isBroken: isBroken))
            let isLast = open.withLock { open in
                open -= 1
                return open == 0
            }
            if isLast { sink.finish() }
        }

        func count(from side: PairedSide) -> Int { counts.withLock { $0[side, default: 0] } }

        func next() async -> Event? { await events.first { _ in true } }

        /// What was not taken yet, until both sides have ended.
        func rest() async -> [Event] { await events.reduce(into: []) { $0.append($1) } }
    }

    extension RelayThread {
        /// Works on the thread. Returns once that is done.
        func run(_ work: @escaping @Sendable () -> Void) async {
            await withCheckedContinuation { continuation in
                execute {
                    work()
                    continuation.resume()
                }
            }
        }
    }
#endif
