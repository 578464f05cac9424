import CodeMeasurement
import Scheduling
import Synchronization
import Vigil

/// How often each user may ask, over all connections: what costs a look or a signature, and pings.
///
/// Every program of the user may connect: what is asked before a verdict takes nothing from sessions.
final class SessionRates: Sendable {
    enum Question: Hashable, Sendable {
        case ping
        case pingBeforeVerdict
        case revalidation
        case evidence
    }

    private struct Key: Hashable {
        let user: UInt32
        let question: Question
    }

    private let limits: ValidatorPolicy.Limits
    private let buckets = Mutex<[Key: TokenBucket<Deadline>]>([:])

    init(_ limits: ValidatorPolicy.Limits) {
        self.limits = limits
    }

    /// - Returns: false for one too many.
    func admits(_ question: Question, of user: UInt32, at now: Deadline) -> Bool {
        let rate =
            switch question {
            case .ping, .pingBeforeVerdict: limits.pingsPerSecond
            case .revalidation: limits.revalidationsPerSecond
            case .evidence: limits.evidencePerSecond
            }
        return buckets.withLock { buckets in
            // One bucket for each user who may connect, of whom there are few.
            buckets[Key(user: user, question: question), default: TokenBucket(burst: rate)].take(at: now)
        }
    }
}
