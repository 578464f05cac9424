import CLibrary

/// A time of the clock that never jumps and goes on while the machine sleeps.
///
///     let deadline = SteadyInstant.now + .seconds(5)
///
/// The same clock as `ContinuousClock`'s. The layout of that one's instants is known to the standard library alone, so
/// that whatever holds one is copied, compared and looked into by calls of the runtime; these are two words.
package struct SteadyInstant: InstantProtocol {
    @usableFromInline let sinceOrigin: Duration

    @inlinable init(sinceOrigin: Duration) { self.sinceOrigin = sinceOrigin }

    /// The time at which this is asked.
    package static var now: SteadyInstant {
        var time = timespec()
        clock_gettime(clock, &time)
        return SteadyInstant(
            sinceOrigin: Duration(
                secondsComponent: Int64(time.tv_sec), attosecondsComponent: Int64(time.tv_nsec) * 1_000_000_000))
    }

    #if os(Linux)
        private static var clock: clockid_t { CLOCK_BOOTTIME }
    #else
        // Apple's systems count sleep in this one.
        private static var clock: clockid_t { CLOCK_MONOTONIC }
    #endif

    /// Milliseconds since the clock's origin, rounded up, as timers of the same clock take them; none for what is
    /// before it, and a hundred thousand years for what is later.
    package var milliseconds: Int64 {
        let (seconds, attoseconds) = min(max(.zero, sinceOrigin), Self.latest).components
        return seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    }

    private static let latest = Duration.seconds(100_000 * 365 * 86_400)

    @inlinable package func advanced(by span: Duration) -> SteadyInstant {
        SteadyInstant(sinceOrigin: sinceOrigin + span)
    }

    @inlinable package func duration(to other: SteadyInstant) -> Duration { other.sinceOrigin - sinceOrigin }

    @inlinable package static func < (one: SteadyInstant, other: SteadyInstant) -> Bool {
        one.sinceOrigin < other.sinceOrigin
    }

    @inlinable package static func == (one: SteadyInstant, other: SteadyInstant) -> Bool {
        one.sinceOrigin == other.sinceOrigin
    }
}

// Nearer than the protocol's own, which are for any instant.
extension SteadyInstant {
    @inlinable package static func + (instant: SteadyInstant, span: Duration) -> SteadyInstant {
        instant.advanced(by: span)
    }

    @inlinable package static func += (instant: inout SteadyInstant, span: Duration) {
        instant = instant.advanced(by: span)
    }

    @inlinable package static func - (instant: SteadyInstant, span: Duration) -> SteadyInstant {
        SteadyInstant(sinceOrigin: instant.sinceOrigin - span)
    }

    @inlinable package static func - (one: SteadyInstant, other: SteadyInstant) -> Duration {
        other.duration(to: one)
    }
}
