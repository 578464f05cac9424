internal import NIOCore

/// What each client may do: so much at once, and then so much a second.
///
/// Memory is bounded: of more clients than it holds, those that stayed away longest are forgotten.
struct AllowanceTable: Sendable {
    private static let maximumClients = 16_384
    private static let second: UInt64 = 1_000_000_000

    private struct Allowance: Sendable {
        /// What is left of the allowance, in parts of a billion.
        var left: UInt64
        var at: NIODeadline
    }

    private let burst: UInt64
    private let perSecond: UInt64
    private var clients = RecentTable<ClientKey, Allowance>(capacity: Self.maximumClients)

    /// - Parameters:
    ///   - burst: from 1 to 1,000,000.
    ///   - perSecond: from 1 to 1,000,000.
    init(burst: Int, perSecond: Int) {
        precondition(1...1_000_000 ~= burst && 1...1_000_000 ~= perSecond)
        self.burst = UInt64(burst) * Self.second
        self.perSecond = UInt64(perSecond)
    }

    /// - Returns: whether the client may do it once more; then it is counted.
    mutating func take(_ client: ClientKey, at now: NIODeadline) -> Bool { ask(client, at: now, taking: Self.second) }

    /// Whether the client may do it once more. Nothing is counted.
    mutating func has(_ client: ClientKey, at now: NIODeadline) -> Bool { ask(client, at: now, taking: 0) }

    private mutating func ask(_ client: ClientKey, at now: NIODeadline, taking part: UInt64) -> Bool {
        let (burst, perSecond) = (burst, perSecond)
        return clients.update(client, default: Allowance(left: burst, at: now)) { allowance in
            // After so long all of it is there again, and no product is too large.
            let elapsed = min(UInt64((now - min(allowance.at, now)).nanoseconds), burst)
            let gained = elapsed.multipliedReportingOverflow(by: perSecond)
            let isFull = gained.overflow || gained.partialValue >= burst - allowance.left
            allowance.left = isFull ? burst : allowance.left + gained.partialValue
            allowance.at = now
            guard allowance.left >= Self.second else { return false }
            allowance.left -= part
            return true
        }
    }
}
