import Synchronization

/// The step, and which time of reaching it, at which a process is to die.
final class CrashPlan: Sendable {
    private let step: String
    private let timesLeft: Mutex<Int>

    /// - Parameter text: `step` or `step@times`.
    init(_ text: String) {
        let parts = text.split(separator: "@", maxSplits: 1)
        step = parts.first.map { String($0) } ?? ""
        timesLeft = Mutex(parts.count == 2 ? Int(parts[1]) ?? 1 : 1)
    }

    func isDue(at reached: String) -> Bool {
        guard reached == step else { return false }
        return timesLeft.withLock { times in
            times -= 1
            return times == 0
        }
    }
}
