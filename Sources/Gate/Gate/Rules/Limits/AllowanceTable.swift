internal import NIOCore
internal import Scheduling

/// What each client may do: so much at once, and then so much a second.
///
/// Memory is bounded: of more clients than it holds, those that stayed away longest are forgotten.
struct AllowanceTable: Sendable {
    private static let maximumClients = 16_384

    private let whole: TokenBucket<Uptime>
    private var clients = RecentTable<ClientKey, TokenBucket<Uptime>>(capacity: Self.maximumClients)

    /// - Parameters:
    ///   - burst: from 1 to 1,000,000.
    ///   - perSecond: from 1 to 1,000,000.
    init(burst: Int, perSecond: Int) { whole = TokenBucket(burst: burst, perSecond: perSecond) }

    /// - Returns: whether the client may do it once more; then it is counted.
    mutating func take(_ client: ClientKey, at now: NIODeadline) -> Bool {
        clients.update(client, default: whole) { $0.take(at: Uptime(time: now)) }
    }

    /// Whether the client may do it once more. Nothing is counted.
    mutating func has(_ client: ClientKey, at now: NIODeadline) -> Bool {
        clients.update(client, default: whole) { $0.has(at: Uptime(time: now)) }
    }
}

/// A moment of the event loops' clock, as buckets take moments.
private struct Uptime: InstantProtocol {
    let time: NIODeadline

    func advanced(by span: Duration) -> Uptime { Uptime(time: time + TimeAmount(span)) }
    func duration(to other: Uptime) -> Duration { .nanoseconds((other.time - time).nanoseconds) }
    static func < (one: Uptime, other: Uptime) -> Bool { one.time < other.time }
}
