import CodeMeasurement
import Synchronization
import Vigil

/// Looks at apps, each of which has an end in time: a file that never answers, as in a file system of the app's own,
/// keeps a thread and not the connection.
///
/// Source: `vigil` section 7.8.
final class AppInspections: Sendable {
    /// Threads that one user may keep.
    private static let limit = 32

    private let time: Duration
    private let users = Mutex<[UInt32: TimeLimit]>([:])

    /// - Parameter time: for one look.
    init(time: Duration) {
        self.time = time
    }

    /// - Throws: ``Refusal``: `unmeasurable` for what takes too long, `busy` where no thread can be made, which is
    ///   nothing to accuse the app of, and what `look` throws.
    func run<R: Sendable>(
        of user: UInt32, _ look: @escaping @Sendable () throws(Refusal) -> R
    ) throws(Refusal) -> R {
        let result: Result<R, Refusal>?
        do throws(TimeLimit.NoThread) {
            result = try limit(of: user).run(until: SuspendingClock().now.advanced(by: time)) {
                Result { () throws(Refusal) in try look() }
            }
        } catch {
            throw Refusal(.busy, "the system has no thread for a look at the app")
        }
        guard let result else {
            throw Refusal(.unmeasurable, "the app cannot be looked at within \(time)")
        }
        return try result.get()
    }

    /// Begins with what the first look at a process needs most time for.
    func prepare(_ peer: any InspectedPeer, of user: UInt32) {
        limit(of: user).begin { peer.prepare() }
    }

    private func limit(of user: UInt32) -> TimeLimit {
        users.withLock { users in
            let limit = users[user] ?? TimeLimit(hanging: Self.limit)
            users[user] = limit
            return limit
        }
    }
}

/// What is known of the process that is looked at, without asking it: it may be hanging.
final class LastIdentity: Sendable {
    private let identity: Mutex<ProcessIdentity?>

    init(_ identity: ProcessIdentity?) {
        self.identity = Mutex(identity)
    }

    var value: ProcessIdentity? { identity.withLock { $0 } }
    func set(_ newer: ProcessIdentity?) { identity.withLock { $0 = newer } }
}
