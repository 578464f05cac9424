import Scheduling

/// What a worker may say, and how much of it.
///
/// Source: `forcefield` sections 11 and 14.
package struct ChannelTerms: Sendable {
    /// The hash of the interface that the worker has to have; nil accepts any.
    package var interfaceHash: UInt64?
    /// Payload bytes of a frame; what the worker takes may be less.
    package var maxFrame = FrameLimits.defaultFrame
    /// Payload bytes of a reply or an item, unless the method says less.
    package var maxReply = FrameLimits.defaultFrame
    /// Requests at a time.
    package var maxInFlight = 1
    /// Host calls that are granted.
    package var capabilities: Set<MethodID> = []
    package var logLines = TokenBucket<SteadyInstant>(burst: 200, perSecond: 100)
    /// The progress reports that the worker may send for each call.
    package var progressReports = TokenBucket<SteadyInstant>(burst: 20)
    /// How long a frame may take from its first byte to its last.
    package var frameTime = Duration.seconds(5)
    /// How long a worker may run on after it has closed the channel.
    package var closedTime = Duration.milliseconds(250)

    package init(interfaceHash: UInt64?) { self.interfaceHash = interfaceHash }
}
