internal import Synchronization

#if os(Linux)
    internal import Sockets

    /// The threads that move the bytes of sockets which have left their event loops, as many as there are event loops;
    /// connections take turns.
    ///
    /// Source: `appattest-gate` sections 4.1 and 4.6.
    final class SocketRelays: Sendable {
        private let loops: [RelayLoop]
        private let turn = Atomic<Int>(0)

        /// - Returns: nil if the process may have no more descriptors or threads: bytes are passed on by the event
        ///   loops then.
        init?(count: Int) {
            loops = (0..<count).compactMap { _ in RelayThread().map(RelayLoop.init) }
            if loops.isEmpty { return nil }
        }

        /// The one whose turn it is.
        func next() -> RelayLoop {
            let turn = turn.wrappingAdd(1, ordering: .relaxed).oldValue
            return loops[Int(UInt(bitPattern: turn) % UInt(loops.count))]
        }

        /// Ends all connections and the threads. Returns once everybody has been told.
        func stop() async { for loop in loops { await loop.thread.stop() } }
    }
#else
    /// There is no such thread: bytes are passed on by the event loops.
    final class SocketRelays: Sendable {
        init?(count: Int) { return nil }
        func stop() async {}
    }
#endif

extension GateConfiguration {
    /// Whether sockets are taken out of their event loops: both ends are WebSockets, and neither is encrypted.
    var takesSocketsOver: Bool {
        upstream.address.kind == .webSocket && listener.tls == nil && !upstream.address.isTLS
    }
}
