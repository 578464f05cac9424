import BasicFoundation
import CLinux
import Synchronization

/// Ends the process at a named step if its first argument asks for it, so that tests can try what a crash there leaves
/// behind: `--crash-at=commit.3` dies the first time this step is reached, `--crash-at=commit.3@5` the fifth.
///
/// It is compiled into every build, because a crash test is worth most on the very program that ships. No variable of
/// the environment sets it, and it is refused where a process runs with more rights than its starter has. Who
/// chooses the arguments of a process may also kill it at any instruction. Where it is not set a step costs one branch.
///
/// Source: `mainkey` section 14, without the variable.
package enum CrashPoint {
    private static let option = "--crash-at="
    private static let isArmed = Atomic(false)
    private static let plan = Mutex<CrashPlan?>(nil)

    /// Takes the option from the front of a program's arguments.
    ///
    /// - Returns: the others.
    package static func take(from arguments: some Collection<String>) -> [String] {
        guard let first = arguments.first, first.hasPrefix(option), clinux_has_raised_rights() == 0 else {
            return Array(arguments)
        }
        arm(String(first.dropFirst(option.count)))
        return Array(arguments.dropFirst())
    }

    /// The option that has a process die at a step.
    package static func argument(_ step: String) -> String { option + step }

    static func arm(_ step: String) {
        plan.withLock { $0 = CrashPlan(step) }
        isArmed.store(true, ordering: .releasing)
    }

    /// - Parameter step: its name; not computed unless a crash is wanted.
    package static func reach(_ step: @autoclosure () -> String) {
        guard isArmed.load(ordering: .acquiring) else { return }
        let isDue = plan.withLock { plan in plan?.isDue(at: step()) ?? false }
        // Not `abort`: nothing of this process may run any more.
        if isDue { kill(getpid(), SIGKILL) }
    }
}
