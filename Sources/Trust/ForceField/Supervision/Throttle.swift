import Scheduling

/// Slows down the making of workers that end abnormally one after the other, as an attacker's attempts do.
///
/// An end that follows the last one (or the wait that it caused) within 10 s doubles the wait, from 0.1 s to 60 s. 100
/// good calls in a row reset it; a reply that is refused breaks the row.
///
/// Source: `forcefield` section 17.
package struct Throttle: Sendable {
    static let quick = Duration.seconds(10)
    static let firstWait = Duration.milliseconds(100)
    static let longestWait = Duration.seconds(60)
    static let goodCallsToReset = 100

    /// The wait before the next worker is made; zero for none.
    package private(set) var wait = Duration.zero
    /// When the next worker may be made; nil for at once.
    package private(set) var nextSpawn: SteadyInstant?
    private var lastEnd: SteadyInstant?
    private var goodCalls = 0

    package init() {}

    /// A worker has ended abnormally.
    package mutating func abnormalEnd(at now: SteadyInstant) {
        goodCalls = 0
        if let free = nextSpawn ?? lastEnd, now - free <= Self.quick {
            wait = wait == .zero ? Self.firstWait : min(wait * 2, Self.longestWait)
            nextSpawn = now + wait
        } else {
            nextSpawn = nil
        }
        lastEnd = now
    }

    /// Whether it knows of an end: if not, calls need not be counted.
    package var isUsed: Bool { lastEnd != nil }

    /// A call has been answered, and the answer was believed.
    package mutating func goodCall() {
        goodCalls += 1
        if goodCalls >= Self.goodCallsToReset { self = Throttle() }
    }

    /// A call has been answered by what is refused.
    package mutating func badCall() { goodCalls = 0 }

    /// - Returns: how long to wait before a worker is made at `now`.
    package func delay(at now: SteadyInstant) -> Duration {
        nextSpawn.map { max(.zero, $0 - now) } ?? .zero
    }
}
