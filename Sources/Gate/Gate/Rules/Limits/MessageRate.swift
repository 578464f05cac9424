internal import NIOCore
internal import Synchronization

/// How many messages a second may come.
///
/// They are counted when they have passed, many at once: so what is over the limit is owed, and the sender held up
/// until the seconds that follow have made up for it. Ten seconds on end over the limit close, and so does what would
/// take as long at once, beyond what a silence before it had room for: that does not pass.
///
/// Source: `appattest-gate` sections 3.6 and 4.2.
struct MessageRate: Sendable {
    enum Verdict: Equatable, Sendable {
        case within
        /// Nothing more is to be read from the sender before this time.
        case pause(until: NIODeadline)
        /// The connection is to be closed with 1008.
        case close
    }

    static let secondsUntilClose = 10

    /// The most messages a second; 0 for no limit.
    let limit: Int
    /// Where the second begins that is counted in.
    private var start = NIODeadline.uptimeNanoseconds(0)
    /// The messages of this second, and what is owed of those before.
    private var count = 0
    /// Those of this second alone.
    private var came = 0
    /// What the seconds before had room for and did not use: what stood still on its way comes at once.
    private var unused = 0
    /// How many seconds on end before this one were over the limit.
    private var secondsOver = 0

    /// - Parameter start: from when on a silence counts: who is new has not been silent.
    init(_ limit: Int, from start: NIODeadline = .uptimeNanoseconds(0)) {
        self.limit = limit
        self.start = start
    }

    /// The least that may close when it comes at once; nil without a limit.
    static func mostAtOnce(_ limit: Int) -> Int? { limit > 0 ? limit * secondsUntilClose : nil }

    /// What counting so many messages would say.
    func verdict(on messages: Int, at now: NIODeadline) -> Verdict {
        var rate = self
        return rate.count(messages, at: now)
    }

    /// Counts messages that came.
    mutating func count(_ messages: Int = 1, at now: NIODeadline) -> Verdict {
        guard limit > 0 else { return .within }
        begin(at: now)
        // More is not owed: whoever brings it is closed, and others who count in the same rate wait no longer.
        let most = limit * Self.secondsUntilClose
        came = min(came + messages, most)
        count = min(count + messages, most)
        guard count > limit else { return .within }
        guard messages < most + unused, secondsOver + 1 < Self.secondsUntilClose else { return .close }
        return .pause(until: start + .seconds(Int64(count / limit)))
    }

    /// Goes on to the second of a moment. Each that has passed makes up for as many messages as it may have.
    private mutating func begin(at now: NIODeadline) {
        let seconds = Int((now - start).nanoseconds / 1_000_000_000)
        guard seconds > 0 else { return }
        // From `start` on so many seconds are over the limit although nothing more came in them. Less than a second's
        // messages that are owed make none so: who sends just the limit never makes up for one too many.
        let over = came > limit || count - came >= limit ? (count - 1) / limit : 0
        secondsOver = over >= seconds ? secondsOver + seconds : 0
        unused = min(limit * Self.secondsUntilClose, max(0, limit * seconds - count))
        (count, came) = (max(0, count - limit * seconds), 0)
        start = start + .seconds(Int64(seconds))
    }
}

/// One rate that several connections count in.
final class SharedMessageRate: Sendable {
    let limit: Int
    private let rate: Mutex<MessageRate>

    init(_ limit: Int) {
        self.limit = limit
        rate = Mutex(MessageRate(limit))
    }

    func count(_ messages: Int = 1, at now: NIODeadline) -> MessageRate.Verdict {
        rate.withLock { $0.count(messages, at: now) }
    }

    func verdict(on messages: Int, at now: NIODeadline) -> MessageRate.Verdict {
        rate.withLock { $0.verdict(on: messages, at: now) }
    }
}
