internal import Synchronization

/// How many messages a second may come. Too many hold the sender up until the next second; ten such seconds on end
/// close.
///
/// Source: `appattest-gate` sections 3.6 and 4.2.
struct MessageRate: Sendable {
    enum Verdict: Equatable, Sendable {
        case within
        /// Nothing more is to be read from the sender before this time, in nanoseconds of the same clock.
        case pause(until: UInt64)
        /// The connection is to be closed with 1008.
        case close
    }

    static let secondsUntilClose = 10
    private static let second: UInt64 = 1_000_000_000

    /// The most messages a second; 0 for no limit.
    let limit: Int
    private var start: UInt64 = 0
    private var count = 0
    private var secondsOver = 0

    init(_ limit: Int) { self.limit = limit }

    /// Counts messages that came.
    ///
    /// - Parameter now: nanoseconds of a clock that only rises.
    mutating func count(_ messages: Int = 1, at now: UInt64) -> Verdict {
        guard limit > 0 else { return .within }
        if now &- start >= Self.second {
            let isNext = now &- start < 2 * Self.second
            secondsOver = isNext && count > limit ? secondsOver + 1 : 0
            start = now - now % Self.second
            count = 0
        }
        count += messages
        guard count > limit else { return .within }
        return secondsOver + 1 >= Self.secondsUntilClose ? .close : .pause(until: start + Self.second)
    }
}

/// One rate that several connections count in.
final class SharedMessageRate: Sendable {
    private let rate: Mutex<MessageRate>

    init(_ limit: Int) { rate = Mutex(MessageRate(limit)) }

    func count(_ messages: Int = 1, at now: UInt64) -> MessageRate.Verdict {
        rate.withLock { $0.count(messages, at: now) }
    }
}
