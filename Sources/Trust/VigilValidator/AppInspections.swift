import CodeMeasurement
import Synchronization
import Vigil

/// Looks at apps, each of which has an end in time: a file that never answers, as in a file system of the app's own,
/// keeps a thread and not the connection.
///
/// Whoever has no session yet shares no limit with those who have one: every program of the app's user may connect,
/// whereas a session needs the pinned key and ends with its first look that hangs.
///
/// Source: `vigil` section 7.8.
final class AppInspections: Sendable {
    /// Whose look it is.
    enum Phase {
        /// A connection without a verdict.
        case beforeVerdict
        case session
    }

    private struct Share: Hashable {
        let user: UInt32
        let phase: Phase
    }

    /// Threads that one user may keep in each phase.
    static let limit = 32

    private let time: Duration
    private let shares = Mutex<[Share: TimeLimit]>([:])

    /// - Parameter time: for one look.
    init(time: Duration) {
        self.time = time
    }

    /// - Throws: ``Refusal``: `unmeasurable` for what takes too long, `busy` where the look was not begun, which is
    ///   nothing to accuse the app of, and what `look` throws.
    func run<R: Sendable>(
        of user: UInt32, _ phase: Phase, _ look: @escaping @Sendable () throws(Refusal) -> R
    ) throws(Refusal) -> R {
        let result: Result<R, Refusal>?
        do throws(TimeLimit.NotBegun) {
            result = try limit(of: user, phase).run(until: SuspendingClock().now.advanced(by: time)) {
                Result { () throws(Refusal) in try look() }
            }
        } catch {
            throw Refusal(.busy, "the app was not looked at: \(error)")
        }
        guard let result else {
            throw Refusal(.unmeasurable, "the app cannot be looked at within \(time)")
        }
        return try result.get()
    }

    /// Begins with what the first look at a process needs most time for.
    func prepare(_ peer: any InspectedPeer, of user: UInt32) {
        limit(of: user, .beforeVerdict).begin { peer.prepare() }
    }

    private func limit(of user: UInt32, _ phase: Phase) -> TimeLimit {
        let share = Share(user: user, phase: phase)
        return shares.withLock { shares in
            let limit = shares[share] ?? TimeLimit(hanging: Self.limit)
            shares[share] = limit
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
