internal import Synchronization

#if os(Linux)
    internal import Sockets

    /// The threads on which connections to a WebSocket service live, as many as there are event loops; connections take
    /// turns.
    ///
    /// Source: `appattest-gate` sections 4.1 and 4.6.
    final class SocketRelays: Sendable {
        let loops: [RelayLoop]
        private let turn = Atomic<Int>(0)

        /// - Returns: nil if the process may have no more descriptors or threads: all connections are SwiftNIO's then.
        init?(count: Int) {
            loops = (0..<count).compactMap { _ in RelayThread().map(RelayLoop.init) }
            if loops.isEmpty { return nil }
        }

        /// Takes the connections that arrive at a listening socket.
        ///
        /// - Parameter arrived: is called on the thread to which a connection belongs from now on.
        /// - Returns: false if the process may have no more descriptors.
        func listen(
            at descriptor: CInt,
            _ arrived: @escaping @Sendable (ConnectedSocket, SocketListener.Address, RelayLoop) -> Void
        ) -> Bool {
            let first = loops[0]
            let listener = SocketListener(duplicating: descriptor) { [weak self] socket, address in
                guard let loop = self?.next() else { return }
                if loop === first {
                    arrived(socket, address, loop)
                } else {
                    loop.execute { arrived(socket, address, loop) }
                }
            }
            guard let listener else { return false }
            first.execute { first.thread.add(listener) }
            return true
        }

        private func next() -> RelayLoop {
            let turn = turn.wrappingAdd(1, ordering: .relaxed).oldValue
            return loops[Int(UInt(bitPattern: turn) % UInt(loops.count))]
        }

        /// Takes no connections any more.
        func endListening() {
            let first = loops[0]
            first.execute { first.thread.endListening() }
        }

        /// Ends all connections and the threads. Returns once everybody has been told.
        func stop() async { for loop in loops { await loop.thread.stop() } }
    }
#else
    /// There are no such threads: all connections are SwiftNIO's.
    final class SocketRelays: Sendable {
        init?(count: Int) { return nil }
        func endListening() {}
        func stop() async {}
    }
#endif

extension GateConfiguration {
    /// Whether connections live on threads of the gate's own: both ends are WebSockets.
    var takesSocketsOver: Bool { upstream.address.kind == .webSocket }
}
