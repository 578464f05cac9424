import CForceField
import ForceField
import Glibc
import Scheduling

/// Makes attempts, each in a fresh worker.
package enum Audit {
    /// A worker is not waited for longer.
    private static let patience = Duration.seconds(5)

    /// Makes an attempt in a worker of this very program, which calls ``BuiltInWorker/runIfWorker()`` first of all.
    ///
    /// - Parameter plan: without target.
    package static func outcome(of probe: AuditProbe, in plan: WorkerPlan) throws(WatchError) -> AuditOutcome {
        let worker = try WatchedWorker(plan)
        worker.send(.attempt, UInt32(probe.index))
        let deadline = SteadyInstant.now + patience
        var isChannelOpen = true
        loop: while true {
            switch worker.next(before: deadline, channel: isChannelOpen ? POLLIN : 0) {
            case .channelReadable:
                var answer: Int64 = 0
                if recv(worker.channel, &answer, 8, Int32(MSG_DONTWAIT)) == 8 {
                    shutdown(worker.channel, Int32(SHUT_RDWR))
                    return outcome(of: answer)
                }
                // It is ending: why, its warden tells.
                isChannelOpen = false
            case .ended, .timeout: break loop
            default: continue
            }
        }
        worker.kill(.reason(.deadline))
        while worker.next(before: nil) != .ended {}
        return outcome(of: worker.report.termination)
    }

    private static func outcome(of answer: Int64) -> AuditOutcome {
        switch answer {
        case Int64(CFORCEFIELD_AUDIT_REFUSED): .notRun
        case ..<0: .refused(errno: Int32(clamping: -answer))
        default: .allowed
        }
    }

    private static func outcome(of termination: Termination) -> AuditOutcome {
        guard case .policyViolation(let call) = termination else { return .failed(termination) }
        return .killed(call: call?.name)
    }

    /// Lets a foreign static program make an attempt: its argument is the name, and it prints the name with `BLOCKED
    /// errno=…` or `ALLOWED …`.
    ///
    /// - Parameter plan: with a target.
    package static func outcome(ofForeign probe: AuditProbe, in plan: WorkerPlan) throws(WatchError) -> AuditOutcome {
        var plan = plan
        plan.arguments = [probe.name]
        plan.hasChannel = false
        let worker = try WatchedWorker(plan)
        let deadline = SteadyInstant.now + patience
        var text: [UInt8] = []
        while true {
            switch worker.next(before: deadline) {
            case .output(.standard, let bytes): text = (text + bytes).suffix(4_096)
            case .timeout: worker.kill(.reason(.deadline))
            case .ended: return foreignOutcome(worker.report.termination, text)
            default: continue
            }
        }
    }

    private static func foreignOutcome(_ termination: Termination, _ text: [UInt8]) -> AuditOutcome {
        if case .policyViolation(let call) = termination { return .killed(call: call?.name) }
        let words = String(decoding: text, as: UTF8.self).split { $0 == " " || $0 == "\n" }
        if words.contains("ALLOWED") { return .allowed }
        guard words.contains("BLOCKED"),
            let number = words.first(where: { $0.hasPrefix("errno=") }).flatMap({ Int32($0.dropFirst(6)) })
        else { return .failed(termination) }
        return .refused(errno: number)
    }
}

extension WatchedWorker {
    /// Tells a built-in worker what to do.
    package func send(_ command: WorkerCommand, _ argument: UInt32 = 0) {
        let words = [command.rawValue, argument]
        // A worker that is gone is told by its end.
        _ = words.withUnsafeBytes { Glibc.send(channel, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }
}
