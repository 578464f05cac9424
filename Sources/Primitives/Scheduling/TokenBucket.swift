/// How often something may happen: so often at once, and then so often a second.
///
///     var bucket = TokenBucket<ContinuousClock.Instant>(burst: 20, perSecond: 5)
///     guard bucket.take(at: .now) else { return .tooMany }
///
/// All is whole numbers, so that what is owed after a time is what was promised, to the nanosecond.
package struct TokenBucket<Instant: InstantProtocol & Sendable>: Sendable where Instant.Duration == Duration {
    private static var token: UInt64 { 1_000_000_000 }

    private let burst: UInt32
    private let perSecond: UInt32
    /// What is there, in parts of a billion of a token.
    private var level: UInt64
    /// When `level` was right; nil before the first question: a bucket begins full.
    private var filled: Instant?

    /// The most that either number of a bucket may be.
    private static var limit: Int { 1_000_000 }

    /// - Parameters:
    ///   - burst: how often at once; more than a million is taken as a million, and 0 or less as never.
    ///   - perSecond: how often a second, within the same bounds; the burst, if nothing is said.
    package init(burst: Int, perSecond: Int? = nil) {
        self.burst = UInt32(min(max(burst, 0), Self.limit))
        self.perSecond = UInt32(min(max(perSecond ?? burst, 0), Self.limit))
        level = UInt64(self.burst) * Self.token
    }

    /// Whether it may happen at that time, which then counts. Time that goes backwards adds nothing.
    package mutating func take(at now: Instant) -> Bool {
        guard has(at: now) else { return false }
        level -= Self.token
        return true
    }

    /// Whether it may happen at that time. Nothing is counted.
    package mutating func has(at now: Instant) -> Bool {
        refill(at: now)
        return level >= Self.token
    }

    private mutating func refill(at now: Instant) {
        defer { filled = max(filled ?? now, now) }
        guard let filled, filled < now, perSecond > 0 else { return }
        let full = UInt64(burst) * Self.token
        let (seconds, attoseconds) = filled.duration(to: now).components
        // After so long all of it is there again, whatever the rate.
        guard seconds < Int64(burst) else {
            level = full
            return
        }
        let elapsed = UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds) / 1_000_000_000
        let (gained, overflow) = elapsed.multipliedReportingOverflow(by: UInt64(perSecond))
        level = overflow || gained >= full - level ? full : level + gained
    }
}
