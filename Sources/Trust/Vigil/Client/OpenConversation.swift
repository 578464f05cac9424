import CodeMeasurement
import Dispatch
import Synchronization

extension ValidationClient {
    /// A connection with a session on it.
    package final class OpenConversation: Sendable {
        let channel: any MessageChannel
        let peer: any InspectedPeer
        /// What the validator has said it gives.
        let capabilities: Capabilities
        private let session: Mutex<ClientSession?>
        /// Taken by who asks until the answer is there, which is the next message that comes.
        private let turn = DispatchSemaphore(value: 1)

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

        /// Asks when the questions of other threads have their answers.
        ///
        /// - Returns: nil where they took all of the time; nothing was asked then.
        func inTurn<R>(until deadline: Deadline, _ ask: () -> R) -> R? {
            let left = SuspendingClock().now.duration(to: deadline)
            guard turn.wait(timeout: .now() + max(0, left.inSeconds)) == .success else { return nil }
            defer { turn.signal() }
            return ask()
        }

        /// Ends it: the keys of the session are gone.
        package func close() {
            channel.close()
            session.withLock { $0 = nil }
        }
    }
}
