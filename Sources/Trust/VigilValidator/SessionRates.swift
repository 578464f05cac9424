import CodeMeasurement
import Synchronization
import Vigil

/// How often each user may ask within sessions, over all connections: what costs a look or a signature.
final class SessionRates: Sendable {
    enum Question: Hashable, Sendable {
        case ping
        case revalidation
        case evidence
    }

    private struct Key: Hashable {
        let user: UInt32
        let question: Question
    }

    private let limits: ValidatorPolicy.Limits
    private let buckets = Mutex<[Key: TokenBucket]>([:])

    init(_ limits: ValidatorPolicy.Limits) {
        self.limits = limits
    }

    /// - Returns: false for one too many.
    func admits(_ question: Question, of user: UInt32, at now: Deadline) -> Bool {
        let rate =
            switch question {
            case .ping: limits.pingsPerSecond
            case .revalidation: limits.revalidationsPerSecond
            case .evidence: limits.evidencePerSecond
            }
        return buckets.withLock { buckets in
            // One bucket for each user who may connect, of whom there are few.
            buckets[Key(user: user, question: question), default: TokenBucket(perSecond: rate, at: now)].take(at: now)
        }
    }
}

/// A token bucket: lets so many through in a second, and as many at once where none came before.
struct TokenBucket: Sendable {
    private let perSecond: Double
    private var tokens: Double
    private var filled: Deadline

    init(perSecond: Int, at now: Deadline) {
        self.perSecond = Double(perSecond)
        tokens = self.perSecond
        filled = now
    }

    mutating func take(at now: Deadline) -> Bool {
        if filled < now {
            tokens = min(perSecond, tokens + filled.duration(to: now).inSeconds * perSecond)
            filled = now
        }
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }
}
