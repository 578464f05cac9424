import CodeMeasurement
import Synchronization

extension ValidationClient {
    /// A connection with a session on it.
    package final class OpenConversation: Sendable {
        let channel: any MessageChannel
        let peer: any InspectedPeer
        /// What the validator has said it gives.
        let capabilities: Capabilities
        private let session: Mutex<ClientSession?>

        init(
            _ channel: any MessageChannel, _ session: ClientSession, peer: any InspectedPeer,
            capabilities: Capabilities
        ) {
            self.channel = channel
            self.session = Mutex(session)
            self.peer = peer
            self.capabilities = capabilities
        }

        /// - Throws: ``Refusal``: `expired` once it is closed.
        func withSession<R>(_ body: (inout ClientSession) throws(Refusal) -> R) throws(Refusal) -> R {
            try session.withLock { (session) throws(Refusal) in
                guard var open = session else { throw Refusal(.expired, "the session is over") }
                // Only one copy, whose keys go with it.
                session = nil
                defer { session = open }
                return try body(&open)
            }
        }

        /// Ends it: the keys of the session are gone.
        package func close() {
            channel.close()
            session.withLock { $0 = nil }
        }
    }
}
