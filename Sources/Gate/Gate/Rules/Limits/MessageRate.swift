internal import NIOCore
internal import Synchronization

/// How many messages a second may come. Too many hold the sender up until the next second; ten such seconds on end
/// close.
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
    private static let second = TimeAmount.seconds(1)

    /// The most messages a second; 0 for no limit.
    let limit: Int
    private var start = NIODeadline.uptimeNanoseconds(0)
    private var count = 0
    private var secondsOver = 0

    init(_ limit: Int) { self.limit = limit }

    /// Counts messages that came.
    ///
    mutating func count(_ messages: Int = 1, at now: NIODeadline) -> Verdict {
        guard limit > 0 else { return .within }
        if now - start >= Self.second {
            let isNext = now - start < Self.second + Self.second
            secondsOver = isNext && count > limit ? secondsOver + 1 : 0
            start = now - .nanoseconds(Int64(now.uptimeNanoseconds % 1_000_000_000))
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

    func count(_ messages: Int = 1, at now: NIODeadline) -> MessageRate.Verdict {
        rate.withLock { $0.count(messages, at: now) }
    }
}
