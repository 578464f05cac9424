import BasicFoundation
import Synchronization

/// A clock that goes on by one second whenever it is looked at: what is replayed is the same in each run.
final class TickingClock: Sendable {
    /// 2025-11-21 00:00:00 UTC.
    private static let start = 1_763_683_200.0
    private let count = Mutex(0)

    /// The time, a second later than before.
    func next() -> Date {
        let seconds = count.withLock { count in
            count += 1
            return count
        }
        return Date(timeIntervalSince1970: Self.start + Double(seconds))
    }
}
