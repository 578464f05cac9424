import ForceFieldWire

/// What workers of one kind may do and use, in one expression:
///
///     Policy { $0.limits.memoryBytes = 128 << 20; $0.lifetime = .perRequest }
///
/// The default is strict, without capabilities.
///
/// Source: `forcefield` sections 7, 11, 15, 17 and 18.
public struct Policy: Hashable, Sendable {
    /// Which layers around a worker may be missing.
    public var strictness = Strictness.strict
    /// What one worker may use.
    public var limits = ResourceLimits()
    /// What workers may do beyond computing.
    public var capabilities: [Capability] = []
    /// How long one worker is used.
    public var lifetime = WorkerLifetime()
    /// Workers that stay although there are no calls, and the most there are.
    public var minWorkers = 0
    /// Workers that have calls, at the most.
    public var maxWorkers = 1
    /// Workers that wait ready for a call.
    public var prewarm = 0
    /// Requests that one worker has at a time.
    public var maxInFlight = 1
    /// Calls that wait for a worker.
    public var maxQueued = 1_024
    /// Payload bytes of a frame.
    public var maxFrameBytes = FrameLimits.defaultFrame
    /// Payload bytes of a reply or an item; a method may say less.
    public var maxReplyBytes = FrameLimits.defaultFrame
    /// Items that a stream may be ahead of its consumer.
    public var streamCredit = 16
    /// The deadline of a call that names none; nil for no deadline.
    public var deadline: Duration?
    /// The time between CANCEL and the kill.
    public var cancelGrace = Duration.milliseconds(250)
    /// The time between SHUTDOWN and the kill.
    public var shutdownGrace = Duration.milliseconds(250)
    /// The time from spawning to HELLO.
    public var startTimeout = Duration.seconds(2)
    /// A worker may have a user of its own, if the host is root.
    public var distinctUser = true
    /// The lock is complete only when the worker says so, for workers that read models first; until then a coarser
    /// filter holds.
    public var locksAtReady = false

    /// - Parameter change: sets what is not to be as it is by default.
    public init(_ change: (inout Policy) -> Void = { _ in }) { change(&self) }

    /// - Throws: ``PolicyError``: the first that cannot be.
    package func validate() throws(PolicyError) {
        try limits.validate()
        for capability in capabilities { try capability.validate() }
        let refused = strictness.optional.intersection(Strictness.indispensable)
        guard refused.isEmpty else { throw .indispensable(refused) }
        guard (FrameLimits.smallestFrame...FrameLimits.largestFrame).contains(maxFrameBytes) else {
            throw .frame(maxFrameBytes)
        }
        guard (1...maxFrameBytes).contains(maxReplyBytes) else { throw .reply(maxReplyBytes) }
        guard minWorkers >= 0, (1...65_535).contains(maxWorkers), minWorkers <= maxWorkers,
            (0...maxWorkers).contains(prewarm)
        else {
            throw .workers(minWorkers, maxWorkers)
        }
        guard (1...1_024).contains(maxInFlight) else { throw .inFlight(maxInFlight) }
        guard maxQueued >= 0 else { throw .queue(maxQueued) }
        guard FrameLimits.credit.contains(streamCredit) else { throw .credit(streamCredit) }
        guard lifetime.requests >= 1, lifetime.duration ?? .seconds(1) > .zero, lifetime.idle ?? .seconds(1) > .zero
        else { throw .lifetime }
        let durations = [
            ("deadline", deadline ?? .zero), ("cancelGrace", cancelGrace), ("shutdownGrace", shutdownGrace),
            ("startTimeout", startTimeout),
        ]
        for (name, duration) in durations where duration < .zero { throw .duration(name) }
    }

    /// What a worker under this policy may say.
    ///
    /// - Parameter interfaceHash: nil accepts any interface.
    package func channelTerms(interfaceHash: UInt64?) -> ChannelTerms {
        var terms = ChannelTerms(interfaceHash: interfaceHash)
        terms.maxFrame = maxFrameBytes
        terms.maxReply = maxReplyBytes
        terms.maxInFlight = maxInFlight
        terms.capabilities = capabilities.grantedIDs
        return terms
    }
}
