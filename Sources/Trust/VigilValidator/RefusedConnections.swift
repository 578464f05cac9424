import Scheduling
import Synchronization
import Vigil

/// Which connections that are refused at the door are told of, for the log: whoever connects again and again would fill
/// it, and findings be lost in it. They are refused all the same, and those of others let in.
///
/// Source: `vigil` section 12.
final class RefusedConnections: Sendable {
    private struct Entry {
        var bucket = TokenBucket<Deadline>(burst: RefusedConnections.burst, perSecond: 1)
        var untold = 0
    }

    /// How many of one user are told of at once; one a second from then on.
    static let burst = 10
    /// Users of whom that is counted for each; all others are counted together.
    private static let userLimit = 64

    /// By users; nil for all others.
    private let entries = Mutex<[UInt32?: Entry]>([:])

    /// Counts a connection of a user that is refused.
    ///
    /// - Returns: how many before it were not told of; nil if this one is not told of.
    func tell(_ user: UInt32, at now: Deadline) -> Int? {
        entries.withLock { entries in
            let key = entries[user] != nil || entries.count < Self.userLimit ? user : nil
            var entry = entries[key] ?? Entry()
            defer { entries[key] = entry }
            guard entry.bucket.take(at: now) else {
                entry.untold += 1
                return nil
            }
            defer { entry.untold = 0 }
            return entry.untold
        }
    }
}
