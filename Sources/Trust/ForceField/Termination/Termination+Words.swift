import ForceFieldWire

extension Termination: CustomStringConvertible {
    /// What happened, in words fit for a screen.
    public var description: String {
        switch self {
        case .clean: "The worker ended when it was asked to."
        case .exited(let code): "The worker ended by itself, with code \(code)."
        case .crashed(let crash): "The worker crashed: " + crash.words
        case .policyViolation(let call?):
            "The worker was killed: it made the forbidden system call \(call.name ?? "number \(call.number)")."
        case .policyViolation(nil): "The worker was killed: it made a forbidden system call."
        case .killedByHost(let reason): "The worker was killed by the host: \(reason.words)."
        case .killedByOS(let kill): "The worker was killed by the system: \(kill.words)."
        case .protocolViolation(let violation): "The worker was killed, since it broke the protocol: \(violation)."
        case .setupFailed(let failure): "The worker was not started: \(failure)"
        }
    }

    /// What the program `forcefield` exits with.
    ///
    /// Source: `forcefield` section 20.
    package var exitCode: Int32 {
        switch self {
        case .clean: 0
        case .exited, .crashed: 10
        case .policyViolation: 11
        case .killedByHost: 12
        case .killedByOS: 13
        case .protocolViolation: 14
        case .setupFailed: 15
        }
    }

    /// Whether the worker is to blame: what throttle and quarantine count.
    public var isAbnormal: Bool {
        switch self {
        case .clean, .setupFailed: false
        case .killedByHost(let reason): reason == .deadline || reason == .outputLimit
        case .killedByOS(let kill): kill != .lifetime
        case .exited, .crashed, .policyViolation, .protocolViolation: true
        }
    }
}

extension Termination.Crash {
    fileprivate var words: String {
        let hint = hint == .memoryLimit ? "; it may have reached its memory limit" : ""
        let message = message.map { "; it said “\($0)”" } ?? ""
        return "\(SignalName.of(signal) ?? "signal \(signal)")\(hint)\(message)."
    }
}

extension KillReason {
    fileprivate var words: String {
        switch self {
        case .cancelled: "the call was cancelled, and it did not answer in time"
        case .deadline: "its time was over"
        case .shutdown: "it did not end when it was asked to"
        case .retired: "it was replaced, and did not end when it was asked to"
        case .memoryPressure: "memory is short"
        case .hostExit: "the host ends"
        case .background: "the host is in the background"
        case .outputLimit: "it wrote more than it may"
        }
    }
}

extension Termination.SystemKill {
    fileprivate var words: String {
        switch self {
        case .cpuLimit: "it used up its processor time"
        case .memoryLimit: "it used up its memory"
        case .fileSize: "it wrote to a file"
        case .lifetime: "its lifetime was over"
        case .unknown: "nobody said why"
        }
    }
}

extension SetupFailure: CustomStringConvertible {
    /// The reason as a part of a sentence.
    public var description: String {
        switch self {
        case .stage(let stage, let errno): "step “\(stage.name)” failed (errno \(errno)). See `forcefield doctor`."
        case .spawn(let errno): "its process could not be made (errno \(errno)). Check the path and the limits."
        case .timeout: "it did not report in time. Check that it is a ForceField worker."
        case .control: "its warden sent no valid records. Install host and worker of one build."
        case .endedEarly(let status): "its process ended before it was locked in\(status.map { " (\($0))" } ?? "")."
        case .interfaceMismatch: "it was built with other methods than the host. Build both anew."
        case .versionMismatch: "it speaks another version of the protocol. Build both anew."
        case .layersMissing(let layers):
            "layers are missing: \(layers.map(\.rawValue).sorted().joined(separator: ", ")). See `forcefield doctor`."
        }
    }
}

extension WaitStatus: CustomStringConvertible {
    /// The reason as a part of a sentence.
    public var description: String {
        switch self {
        case .exited(let code): "exit code \(code)"
        case .signalled(let signal): SignalName.of(signal) ?? "signal \(signal)"
        }
    }
}
