/// How often something may happen: a bucket that fills with time.
package struct TokenBucket: Sendable {
    /// How often it may happen at once.
    private let burst: Double
    private let perSecond: Double
    private var left: Double
    private var updated: ContinuousClock.Instant?

    /// - Parameters:
    ///   - perSecond: at least 1.
    ///   - burst: at least 1.
    package init(perSecond: Int, burst: Int) {
        self.perSecond = Double(perSecond)
        self.burst = Double(burst)
        left = Double(burst)
    }

    /// - Returns: whether it may happen at `now`, which then counts.
    package mutating func take(at now: ContinuousClock.Instant) -> Bool {
        if let updated, now > updated {
            left = min(burst, left + (now - updated) / .seconds(1) * perSecond)
        }
        updated = max(updated ?? now, now)
        guard left >= 1 else { return false }
        left -= 1
        return true
    }
}
