import CForceField
import ForceField
import Glibc
import Scheduling

/// Stage 0 and the warden of one worker: children of this process, and of one group, also a warden that was never
/// announced.
struct WardenProcesses {
    /// Number of stage 0, and of its and the warden's group.
    let launcher: Int32
    /// The warden's, which is closed by ``closeDescriptor()``; -1 before it is known.
    private var pidfd: Int32 = -1
    /// When the kill was ordered, or last done by force; nil before.
    private var killed: SteadyInstant?

    /// How long a warden may take to obey the order to kill.
    private static let killPatience = Duration.seconds(1)

    init(launcher: Int32) { self.launcher = launcher }

    var isBeingKilled: Bool { killed != nil }

    /// When the worker is killed by force, if it is not gone by then; nil while no kill was ordered.
    var forceLimit: SteadyInstant? { killed.map { $0 + Self.killPatience } }

    /// Takes over the warden's descriptor.
    mutating func take(_ descriptor: Int32) {
        closeDescriptor()
        pidfd = descriptor
    }

    func closeDescriptor() { if pidfd >= 0 { close(pidfd) } }

    mutating func noteKillOrder() { killed = .now }

    /// Kills without the warden: where that does not obey, or the program never became one.
    mutating func killByForce() {
        killed = .now
        if pidfd >= 0 {
            cforcefield_kill_pidfd(pidfd)
        } else {
            // Stage 0 and the warden that it may have made and not told of: the group keeps its number until both are
            // waited for.
            Glibc.kill(-launcher, SIGKILL)
        }
    }

    /// Waits for both.
    ///
    /// - Returns: how the warden ended, or stage 0 where there was none that is known.
    mutating func reap() -> WaitStatus? {
        var status: Int32 = 0
        var result: WaitStatus?
        if pidfd < 0 { killByForce() }
        if pidfd >= 0 {
            var request = pollfd(fd: pidfd, events: Int16(POLLIN), revents: 0)
            if poll(&request, 1, 5_000) != 1 {
                killByForce()
                poll(&request, 1, -1)
            }
            if cforcefield_reap_pidfd(pidfd, &status) == 1 { result = WaitStatus(rawValue: status) }
        }
        while true {
            let ended = waitpid(-launcher, &status, 0)
            if ended < 0, errno == EINTR { continue }
            guard ended > 0 else { return result }
            if ended == launcher, pidfd < 0 { result = WaitStatus(rawValue: status) }
        }
    }
}
