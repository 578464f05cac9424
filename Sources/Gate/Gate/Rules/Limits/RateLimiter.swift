internal import NIOCore

/// How many requests one client may make in a time.
struct RateLimit: Equatable, Sendable, CustomStringConvertible {
    /// The number of requests; 0 for no limit.
    let count: Int
    let window: Duration

    static let maximumWindowSeconds = 86_400
    static let maximumCount = 1_000_000

    /// Reads `COUNT/SECONDSs`, for example `30/60s`, or `off`.
    init?(_ text: String) {
        guard text != "off" else {
            self = .off
            return
        }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].hasSuffix("s"), let count = ASCIIText.number(parts[0]),
            let seconds = ASCIIText.number(parts[1].dropLast()), 1...Self.maximumCount ~= count,
            1...Self.maximumWindowSeconds ~= seconds
        else { return nil }
        self.init(count: count, window: .seconds(seconds))
    }

    init(count: Int, window: Duration) {
        self.count = count
        self.window = window
    }

    static let off = RateLimit(count: 0, window: .seconds(1))

    var description: String { count == 0 ? "off" : "\(count)/\(window.wholeSeconds)s" }
}

/// A sliding window for each client, by two buckets: what passed in this window, and a share of what passed in the one
/// before.
///
/// Memory is bounded: of more clients than it holds, those that stayed away longest are forgotten.
/// Source: `appattest-gate` section 3.7.
struct RateLimiter: Sendable {
    static let maximumClients = 65_536

    private(set) var limit: RateLimit
    private var windows: RecentTable<ClientKey, Window>

    private struct Window: Sendable {
        var number: UInt64
        var current: Int32 = 0
        var previous: Int32 = 0
    }

    init(_ limit: RateLimit, maximumClients: Int = Self.maximumClients) {
        self.limit = limit
        windows = RecentTable(capacity: maximumClients)
    }

    /// Another limit; who has passed so far is forgotten where the windows have another length.
    mutating func change(to limit: RateLimit) {
        if limit.window != self.limit.window { windows = RecentTable(capacity: windows.capacity) }
        self.limit = limit
    }

    var clients: Int { windows.count }

    /// Counts a request unless it is one too many.
    ///
    /// - Returns: nil if it may pass, otherwise after which time, in whole seconds, the next one may.
    mutating func take(_ client: ClientKey, at now: NIODeadline) -> Duration? {
        guard limit.count > 0 else { return nil }
        let length = UInt64(limit.window.wholeSeconds) * 1_000_000_000
        let (number, rest) = now.uptimeNanoseconds.quotientAndRemainder(dividingBy: length)
        let elapsed = Double(rest) / Double(length)
        let count = Double(limit.count)
        return windows.update(client, default: Window(number: number)) { window in
            if number > window.number {
                window.previous = number == window.number + 1 ? window.current : 0
                window.current = 0
                window.number = number
            }
            let weighed = Double(window.previous) * (1 - elapsed) + Double(window.current)
            guard weighed + 1 > count else {
                window.current += 1
                return nil
            }
            return Self.wait(window, elapsed: elapsed, count: count, length: limit.window)
        }
    }

    /// Whole seconds, at least 1, until a request would pass if none came meanwhile.
    private static func wait(_ window: Window, elapsed: Double, count: Double, length: Duration) -> Duration {
        /// The part of a window after which no more than `room` of what passed in the one before it counts.
        func part(previous: Int32, room: Double) -> Double { 1 - room / Double(max(previous, 1)) }
        let room = count - 1 - Double(window.current)
        let parts =
            room >= 0
            ? part(previous: window.previous, room: room) - elapsed
            : 1 - elapsed + max(0, part(previous: window.current, room: count - 1))
        return .seconds(max(1, Int((parts * Double(length.wholeSeconds)).rounded(.up))))
    }
}
