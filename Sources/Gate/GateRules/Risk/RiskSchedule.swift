/// When the receipt of a key may be exchanged for a newer one.
///
/// Source: `appattest-gate` section 3.11.
public enum RiskSchedule {
    /// How long after its registration a key without a date in its receipt is asked about first.
    static let firstMilliseconds: Int64 = 24 * 3_600 * 1_000

    /// - Returns: milliseconds since 1970; nil for a key that is never asked about again.
    public static func due(_ key: AttestedKey, now: Int64) -> Int64? {
        guard key.revocation == nil, let receipt = key.receipt, receipt.expiresAt.map({ now < $0 }) ?? true else {
            return nil
        }
        return receipt.notBefore ?? key.registeredAt + firstMilliseconds
    }

    public static func isDue(_ key: AttestedKey, now: Int64) -> Bool { due(key, now: now).map { $0 <= now } == true }
}

/// What the service for receipts answered, as far as the schedule cares.
public enum RiskAnswer: Equatable, Sendable {
    case receipt
    /// It is too early for this key.
    case notYet
    /// This receipt will not be exchanged.
    case refused
    /// The gate's own token is no good: no key will fare better.
    case unauthorized
    /// Slow down, or try again.
    case unavailable

    /// - Parameter status: of the HTTP answer; nil where there was none.
    public init(status: Int?) {
        self =
            switch status {
            case 200: .receipt
            case 304: .notYet
            case 401: .unauthorized
            case 400, 404: .refused
            default: .unavailable
            }
    }
}

/// When the next question may be asked: at most one a second, with some chance in it, and ever less often while the service fails.
public struct RiskPace: Sendable {
    static let intervalMilliseconds: Int64 = 1_000
    static let maximumMilliseconds: Int64 = 3_600 * 1_000

    private var failures: Int64 = 0
    /// Milliseconds of the clock that ``note(_:at:random:)`` was given.
    public private(set) var nextAt: Int64 = 0

    public init() {}

    /// - Parameters:
    ///   - now: milliseconds.
    ///   - random: any number; it adds up to a quarter of the pause.
    public mutating func note(_ answer: RiskAnswer, at now: Int64, random: UInt64) {
        switch answer {
        case .receipt, .notYet, .refused: failures = 0
        case .unavailable: failures += 1
        case .unauthorized: failures = Int64.max
        }
        let doubled = failures < 12 ? Self.intervalMilliseconds << failures : Self.maximumMilliseconds
        let pause = min(doubled, Self.maximumMilliseconds)
        if failures == Int64.max { failures = 12 }
        nextAt = now + pause + Int64(random % UInt64(pause / 4 + 1))
    }
}
