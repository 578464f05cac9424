internal import NIOCore

/// When a client is asked whether it is alive, and when it is given up.
///
/// Source: `appattest-gate` section 4.1, "Heartbeat".
struct Heartbeat {
    enum Action: Equatable {
        /// Send a ping with these eight bytes.
        case ping([UInt8])
        /// Nothing came from the client for too long: cut.
        case dead
        /// No message passed for too long: close.
        case idle
    }

    private let interval: TimeAmount
    private let timeout: TimeAmount
    /// How long the applications may be silent; nil where their silence is no reason to close.
    private let idle: TimeAmount?
    /// A number that tells the gate's pings from those of the upstream. Most connections end before there is one.
    private var tag: UInt32?
    private var sent: UInt32 = 0
    private var lastReceived: NIODeadline
    private var lastMessage: NIODeadline
    private var nextPing: NIODeadline

    init(_ settings: GateConfiguration.Heartbeat, now: NIODeadline) {
        interval = TimeAmount(settings.interval)
        timeout = TimeAmount(settings.timeout)
        idle = settings.idle > .zero ? TimeAmount(settings.idle) : nil
        (lastReceived, lastMessage, nextPing) = (now, now, now + interval)
    }

    /// Notes a byte of the client: any counts as life.
    mutating func noteReceived(at now: NIODeadline) { lastReceived = now }

    /// Notes that nothing of the client was read before some time, because the gate paused: its silence until then was
    /// the gate's.
    ///
    /// - Returns: whether that is news.
    mutating func noteReading(since time: NIODeadline) -> Bool {
        guard time > lastReceived else { return false }
        lastReceived = time
        return true
    }

    /// Notes a message of either side.
    mutating func noteMessage(at now: NIODeadline) { lastMessage = now }

    /// When ``action(at:)`` is to be asked next.
    var next: NIODeadline {
        let alive = min(nextPing, lastReceived + timeout)
        return idle.map { min(alive, lastMessage + $0) } ?? alive
    }

    mutating func action(at now: NIODeadline) -> Action? {
        if now >= lastReceived + timeout { return .dead }
        if let idle, now >= lastMessage + idle { return .idle }
        guard now >= nextPing else { return nil }
        nextPing = now + interval
        sent &+= 1
        let tag = tag ?? .random(in: 0...UInt32.max)
        self.tag = tag
        return .ping(Self.bytes(tag) + Self.bytes(sent))
    }

    /// Whether a pong answers one of the gate's own pings.
    func isOwn(_ payload: [UInt8]) -> Bool {
        guard let tag, payload.count == 8, payload.starts(with: Self.bytes(tag)) else { return false }
        return payload[4...].reduce(UInt32(0), { $0 << 8 | UInt32($1) }) <= sent
    }

    private static func bytes(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }
}
