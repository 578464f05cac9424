internal import NIOCore

/// How many requests one client may make in a time.
struct RateLimit: Equatable, Sendable, CustomStringConvertible {
    /// The number of requests; 0 for no limit.
    let count: Int
    let window: Duration

    static let maximumWindowSeconds = 86_400
    static let maximumCount = 1_000_000
}

extension RateLimit {
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

    static let off = RateLimit(count: 0, window: .seconds(1))

    /// In which window a moment lies, and at what part of it.
    fileprivate func place(of now: NIODeadline) -> (number: UInt64, elapsed: Double) {
        let length = UInt64(window.wholeSeconds) * 1_000_000_000
        let (number, rest) = now.uptimeNanoseconds.quotientAndRemainder(dividingBy: length)
        return (number, Double(rest) / Double(length))
    }

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

        mutating func move(to number: UInt64) {
            guard number > self.number else { return }
            previous = number == self.number + 1 ? current : 0
            current = 0
            self.number = number
        }
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
        let limit = limit
        guard limit.count > 0 else { return nil }
        let (number, elapsed) = limit.place(of: now)
        return windows.update(client, default: Window(number: number)) { window in
            window.move(to: number)
            if let wait = Self.wait(window, elapsed: elapsed, limit) { return wait }
            window.current += 1
            return nil
        }
    }

    /// What ``take(_:at:)`` would say. Nothing is counted.
    func wait(of client: ClientKey, at now: NIODeadline) -> Duration? {
        guard limit.count > 0, var window = windows[client] else { return nil }
        let (number, elapsed) = limit.place(of: now)
        window.move(to: number)
        return Self.wait(window, elapsed: elapsed, limit)
    }

    /// Whole seconds, at least 1, until a request would pass if none came meanwhile; nil if it passes now.
    private static func wait(_ window: Window, elapsed: Double, _ limit: RateLimit) -> Duration? {
        let (count, length) = (Double(limit.count), limit.window)
        guard Double(window.previous) * (1 - elapsed) + Double(window.current) + 1 > count else { return nil }
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
