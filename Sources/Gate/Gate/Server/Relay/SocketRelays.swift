internal import Synchronization

#if os(Linux)
    internal import Sockets

    /// The threads that pass bytes on unread, as many as there are event loops; connections take turns.
    ///
    /// Source: `appattest-gate` section 4.6.
    final class SocketRelays: Sendable {
        private let threads: [RelayThread]
        private let next = Atomic<Int>(0)

        /// - Returns: nil if the process may have no more descriptors or threads: bytes are passed on by the event
        ///   loops then.
        init?(count: Int, bytes: CounterFamily<Direction>) {
            threads = (0..<count).compactMap { _ in
                RelayThread { fromClients, fromServices in
                    bytes.add(.toUpstream, count: fromClients)
                    bytes.add(.toClient, count: fromServices)
                }
            }
            if threads.isEmpty { return nil }
        }

        func add(_ pair: RelayedPair) {
            let turn = next.wrappingAdd(1, ordering: .relaxed).oldValue
            threads[Int(UInt(bitPattern: turn) % UInt(threads.count))].add(pair)
        }

        /// Ends all connections and the threads. Returns once everybody has been told.
        func stop() async { for thread in threads { await thread.stop() } }
    }
#else
    /// There is no such thread: bytes are passed on by the event loops.
    final class SocketRelays: Sendable {
        init?(count: Int, bytes: CounterFamily<Direction>) { return nil }
        func stop() async {}
    }
#endif

extension GateConfiguration {
    /// Whether sockets are taken out of their event loops: their bytes are not read, and neither end is encrypted.
    var takesSocketsOver: Bool {
        relayMode == .bytes && listener.tls == nil && !upstream.address.isTLS
    }
}
