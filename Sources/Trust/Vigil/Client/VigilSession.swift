/// What a validation found, and the session that it has begun.
public struct VigilValidation: Sendable {
    /// What was found.
    public let report: VigilReport
    /// Nil unless the report is positive and the validator goes on with a session. Its connection is open until
    /// ``VigilSession/close()``.
    public let session: VigilSession?
}

/// A session with a validator: fresh verdicts without another handshake. The validator goes on looking at this process
/// meanwhile, and ends the session when it finds something.
///
/// Source: `vigil` section 7.7.
public final class VigilSession: Sendable {
    private let client: ValidationClient
    private let conversation: ValidationClient.OpenConversation

    init(_ client: ValidationClient, _ conversation: ValidationClient.OpenConversation) {
        self.client = client
        self.conversation = conversation
    }

    deinit { close() }

    /// Asks for a fresh verdict, and looks at the validator meanwhile. Blocks. What several threads ask is asked one
    /// after the other.
    ///
    /// - Parameter time: for all of it, with the wait for others.
    public func revalidate(within time: Duration) -> VigilReport { client.revalidate(conversation, within: time) }

    /// Goes on until the session ends: takes what the validator says unasked, and asks as often as the policy says.
    /// Blocks; others may ask meanwhile.
    ///
    /// - Parameters:
    ///   - timeToLive: of the verdict that the session began with.
    ///   - end: from when on no question is asked.
    /// - Returns: what ended it, also where that was ``close()``; nil when its time is over.
    package func watch(_ policy: MonitorPolicy, timeToLive: Duration, until end: Deadline) -> VigilReport? {
        client.watch(conversation, by: policy, timeToLive: timeToLive, until: end)
    }

    /// Ends the session: its keys are gone.
    public func close() { conversation.close() }
}
