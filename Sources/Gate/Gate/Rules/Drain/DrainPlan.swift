internal import NIOCore
internal import WebSocketFrames

/// The plan by which a gate stops: first it refuses upgrades, then comes a time in which nothing happens, then a close
/// frame to everyone, spread over time; then it waits for their replies, brings the store to rest, and stops.
///
/// It is moved by the time and by how many connections are open; the caller carries out the steps that it gives, in
/// their order.
/// Source: `appattest-gate` section 3.13.
struct DrainPlan: Sendable {
    struct Settings: Equatable, Sendable {
        /// The time before the first close frame.
        let grace: Duration
        /// The time for the whole drain; more than the grace.
        let deadline: Duration
        let closeCode: CloseCode
    }

    enum Phase: Int, Comparable, Sendable {
        case serving
        /// New upgrades are refused, open connections live.
        case grace
        /// Close frames go out.
        case closing
        /// All close frames have been sent.
        case waiting
        case flushing
        case stopped

        static func < (left: Phase, right: Phase) -> Bool { left.rawValue < right.rawValue }
    }

    enum Step: Equatable, Sendable {
        /// Say at `/readyz` that others should serve, and refuse upgrades.
        case refuseUpgrades
        /// Send a close frame to so many of the connections that have not had one.
        case close(count: Int)
        /// Cut what is still open.
        case cut
        case flushStore
        case stop
    }

    let settings: Settings
    private(set) var phase = Phase.serving
    private var startedAt = NIODeadline.uptimeNanoseconds(0)
    /// Connections at the first close frame, and how many of them have had theirs.
    private var toClose = 0
    private var closed = 0

    init(_ settings: Settings) { self.settings = settings }

    /// Begins. A second call changes nothing.
    ///
    /// - Parameter now: milliseconds of a clock that only rises.
    mutating func begin(at now: NIODeadline) -> [Step] {
        guard phase == .serving else { return [] }
        startedAt = now
        phase = .grace
        return [.refuseUpgrades]
    }

    private var closingAt: NIODeadline { startedAt + TimeAmount(settings.grace) }
    private var deadline: NIODeadline { startedAt + TimeAmount(settings.deadline) }
    /// When the last close frame goes out, in milliseconds behind the grace: after half of what is left.
    private var spread: Int64 { (settings.deadline - settings.grace).milliseconds / 2 }

    /// What is due by now.
    ///
    /// - Parameter open: connections that are open.
    mutating func advance(to now: NIODeadline, open: Int) -> [Step] {
        var steps: [Step] = []
        if phase == .grace, now >= min(closingAt, deadline) {
            phase = .closing
            toClose = open
        }
        if phase == .closing {
            let elapsed = min((now - closingAt).nanoseconds / 1_000_000, spread)
            let due = spread > 0 ? Int(Int64(toClose) * elapsed / spread) : toClose
            // The first goes at once: so that even one connection does not wait for the end of the spread.
            let count = min(toClose, max(due, toClose > 0 ? 1 : 0)) - closed
            if count > 0 { steps.append(.close(count: count)) }
            closed += max(0, count)
            if closed == toClose || open == 0 { phase = .waiting }
        }
        if phase == .waiting || phase >= .grace && phase < .flushing && now >= deadline {
            if open > 0, now >= deadline { steps.append(.cut) }
            if open == 0 || now >= deadline {
                phase = .flushing
                steps.append(.flushStore)
            }
        }
        return steps
    }

    /// Notes that the store is at rest, or could not be brought there.
    mutating func storeFlushed() -> [Step] {
        guard phase == .flushing else { return [] }
        phase = .stopped
        return [.stop]
    }

    /// When ``advance(to:open:)`` is to be called next, unless a connection ends before; nil where nothing is awaited.
    var nextAt: NIODeadline? {
        switch phase {
        case .serving, .flushing, .stopped: nil
        case .grace: min(closingAt, deadline)
        case .closing: min(closingAt + .milliseconds(spread * Int64(closed + 1) / Int64(max(toClose, 1)) + 1), deadline)
        case .waiting: deadline
        }
    }
}
