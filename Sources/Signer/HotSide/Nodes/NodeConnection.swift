import StrictJSON

/// A node that answers questions, one after the other.
public protocol NodeConnection: Sendable {
    /// Asks, and waits for the answer.
    ///
    /// - Parameters:
    ///   - method: the question, as `state_getMetadata`.
    ///   - parameters: in their order.
    /// - Returns: the answer's `result`.
    /// - Throws: ``NodeError``.
    func call(_ method: String, _ parameters: [JSON]) async throws -> JSON

    /// What the node tells next of a subscription that it has begun by an answer; nil where it cannot tell without
    /// being asked.
    ///
    /// - Throws: ``NodeError``.
    func notification(of subscription: JSON) async throws -> JSON?
}

/// Makes connections to nodes.
public protocol NodeConnecting: Sendable {
    /// Connects, runs `body`, and ends the connection whatever comes of it.
    ///
    /// - Throws: ``NodeError``, or what `body` throws.
    func withNode<R: Sendable>(
        at url: NodeURL, _ body: @Sendable (any NodeConnection) async throws -> R
    ) async throws -> R
}

/// How much a node may take: time and bytes.
public struct NodeLimits: Hashable, Sendable {
    /// Until a connection stands.
    public var connection = Duration.seconds(60)
    /// From a question to the last byte of its answer.
    public var answer = Duration.seconds(120)
    /// From one word of a subscription to the next.
    public var notification = Duration.seconds(120)
    /// Bytes of an answer. The largest honest one is metadata in hex, twice their 4 MiB.
    public var answerByteCount = 9 << 20

    /// Makes the limits of `signer-wire` section 8.3.
    public init() {}
}

extension Duration {
    /// Whole seconds, at least one and a century at the most, for messages.
    var wholeSeconds: Int { max(1, Int((min(self, .seconds(100 * 365 * 86_400)) / .seconds(1)).rounded(.up))) }
}
