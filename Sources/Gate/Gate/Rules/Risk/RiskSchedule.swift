/// When the receipt of a key may be exchanged for a newer one.
///
/// Source: `appattest-gate` section 3.11.
enum RiskSchedule {
    /// How long after its registration a key without a date in its receipt is asked about first.
    static let firstWait = Duration.seconds(24 * 3_600)
    /// How long a receipt rests that Apple would not exchange.
    static let refusedWait = Duration.seconds(24 * 3_600)
    /// How long a receipt rests at least, whatever Apple's answer says: a date in the past is no reason to ask every
    /// second.
    static let leastWait = Duration.seconds(3_600)

    /// - Returns: nil for a key that is never asked about again.
    static func due(_ key: AttestedKey, now: Timestamp) -> Timestamp? {
        guard key.revocation == nil, let receipt = key.receipt, receipt.expiresAt.map({ now < $0 }) ?? true else {
            return nil
        }
        return receipt.notBefore ?? key.registeredAt + firstWait
    }

    static func isDue(_ key: AttestedKey, now: Timestamp) -> Bool { due(key, now: now).map { $0 <= now } == true }
}

/// How long to wait between two questions: at least a second, with some chance in it, and ever longer while the service
/// fails.
struct RiskPace: Sendable {
    private static let interval = Duration.seconds(1)
    private static let maximum = Duration.seconds(3_600)

    /// The number of failures in a row.
    private var failures = 0

    /// How a question to Apple went, as far as the next one depends on it.
    enum Outcome: Equatable, Sendable {
        case served, failed
        /// The gate's own token is no good: no other key would fare better.
        case hopeless
    }

    mutating func pause(after result: RefreshResult, random: UInt64) -> Duration {
        switch result {
        case .refreshed, .tooEarly, .refused, .unknown, .rejected, .superseded: pause(after: .served, random: random)
        case .slowDown, .unavailable, .unexpected, .unreachable, .postponed: pause(after: .failed, random: random)
        case .unauthorized: pause(after: .hopeless, random: random)
        }
    }

    /// - Parameter random: any number; it adds up to a quarter of the pause.
    mutating func pause(after outcome: Outcome, random: UInt64) -> Duration {
        switch outcome {
        case .served: failures = 0
        case .failed: failures = min(failures + 1, 12)
        case .hopeless: failures = 12
        }
        let pause = min(Self.interval * (1 << failures), Self.maximum)
        return pause + .milliseconds(random % UInt64(pause.milliseconds / 4 + 1))
    }
}

/// What came of a question for a newer receipt.
enum RefreshResult: Int, CaseIterable, Sendable, MetricLabel {
    case refreshed
    /// There is no newer receipt yet.
    case tooEarly
    /// This receipt is not exchanged: it is malformed, or of the other environment.
    case refused
    /// Apple has nothing on this receipt.
    case unknown
    case unauthorized
    case slowDown
    case unavailable
    /// A status, or a body, that the service does not have.
    case unexpected
    /// There was no answer.
    case unreachable
    /// There was a receipt, and it is not genuine, or of another key.
    case rejected
    /// Another gate, or an operator, was faster.
    case superseded
    /// The gate itself could not: its verifiers were busy, or its store did not answer.
    case postponed

    static let labelName = "result"
    static let texts = [
        "refreshed", "too_early", "refused", "unknown", "unauthorized", "slow_down", "unavailable", "unexpected",
        "unreachable", "rejected", "superseded", "postponed",
    ]
}
