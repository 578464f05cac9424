import CLinux
import Foundation

/// Ends the process at a named step if the environment asks for it, so that tests can try what a crash there leaves behind:
/// `MAINKEY_CRASH_AT=commit.3` dies the first time this step is reached, `commit.3@5` the fifth.
///
/// It is compiled into every build, because a crash test is worth most on the very program that ships. It gives nobody anything:
/// whoever sets the environment of a process may also kill it at any instruction, and where that is not so (setuid) the
/// variable is not read. Where it is not set a step costs one branch.
///
/// Source: `mainkey` section 14.
package enum CrashPoint {
    private static let wanted: CrashPlan? = clinux_trusted_environment("MAINKEY_CRASH_AT").map {
        CrashPlan(String(cString: $0))
    }

    /// - Parameter step: its name; not computed unless a crash is wanted.
    @inline(__always)
    package static func reach(_ step: @autoclosure () -> String) {
        if let wanted, wanted.isDue(at: step()) {
            // Not `abort`: nothing of this process may run any more.
            kill(getpid(), SIGKILL)
        }
    }
}
