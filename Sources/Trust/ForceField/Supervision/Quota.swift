import Scheduling

/// How long a worker is used.
///
/// Source: `forcefield` section 17.
public struct WorkerLifetime: Hashable, Sendable {
    /// Calls that one worker answers.
    package var requests: Int
    /// How long one worker may live from its start; nil for ever. The warden keeps it, too.
    package var duration: Duration?
    /// How long one worker may be without a call; nil for ever.
    package var idle: Duration?

    /// - Parameters:
    ///   - requests: at least 1.
    ///   - duration, idle: more than zero.
    public init(requests: Int = 1_000, duration: Duration? = nil, idle: Duration? = .seconds(30)) {
        self.requests = requests
        self.duration = duration
        self.idle = idle
    }

    /// A fresh worker for every call.
    public static let perRequest = WorkerLifetime(requests: 1)
    /// A worker that answers so many calls.
    public static func requests(_ count: Int) -> WorkerLifetime { WorkerLifetime(requests: count) }
    package static func duration(_ duration: Duration) -> WorkerLifetime { WorkerLifetime(duration: duration) }
    package static func idle(_ idle: Duration) -> WorkerLifetime { WorkerLifetime(idle: idle) }
}

/// Why a worker gets no more calls.
package enum RetirementReason: String, Sendable {
    case requests, age, idle
    case brokenProtocol, invalidReply, deadline, unansweredCancel, memoryPressure, background
}

/// How much of its lifetime one worker has used.
///
/// Source: `forcefield` section 17.
package struct Quota: Sendable {
    private let lifetime: WorkerLifetime
    private let started: SteadyInstant
    private var lastUsed: SteadyInstant
    package private(set) var served = 0

    package init(_ lifetime: WorkerLifetime, startedAt now: SteadyInstant) {
        self.lifetime = lifetime
        started = now
        lastUsed = now
    }

    /// A call has been given to the worker.
    package mutating func begin(at now: SteadyInstant) {
        served += 1
        lastUsed = now
    }

    /// A call has ended.
    package mutating func end(at now: SteadyInstant) { lastUsed = now }

    /// - Parameter isIdle: no call is open.
    /// - Returns: why the worker gets no more calls; nil if it does.
    package func retirement(at now: SteadyInstant, isIdle: Bool) -> RetirementReason? {
        if served >= lifetime.requests { return .requests }
        if let duration = lifetime.duration, now - started >= duration { return .age }
        if isIdle, let idle = lifetime.idle, now - lastUsed >= idle { return .idle }
        return nil
    }

    /// When ``retirement(at:isIdle:)`` of an idle worker changes by itself; nil for never.
    package var deadline: SteadyInstant? {
        let age = lifetime.duration.map { started + $0 }
        guard let idle = lifetime.idle.map({ lastUsed + $0 }) else { return age }
        return age.map { min($0, idle) } ?? idle
    }
}
