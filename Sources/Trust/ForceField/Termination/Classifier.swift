import ForceFieldWire

extension TerminationFacts {
    private static let allocationMark = Array("Fatal error: failed to allocate".utf8)
    private static let killed: Int32 = 9
    /// SIGXCPU
    private static let outOfTime: Int32 = 24

    /// The verdict: the first rule that fits, in the order of `forcefield` section 16. It depends on what is known, not
    /// on what was heard first.
    ///
    /// - Parameter systemCallName: of a number on an architecture; nil if it is unknown.
    package func verdict(
        systemCallName: (_ number: UInt32, _ architecture: UInt32) -> String? = { _, _ in nil }
    ) -> Termination {
        if let failure = setupVerdict {
            if case .endedEarly = failure, case .reason(let reason)? = hostKill { return .killedByHost(reason) }
            return .setupFailed(failure)
        }
        if let violation {
            return .policyViolation(
                Termination.ForbiddenCall(
                    name: systemCallName(violation.number, violation.architecture), number: violation.number,
                    architecture: violation.architecture, arguments: violation.arguments))
        }
        if signal == 31 { return .policyViolation(nil) }
        if signal == Self.killed, case .reason(let reason)? = hostKill { return .killedByHost(reason) }
        if let fault, fault != .truncated { return .protocolViolation(fault) }
        switch passedLimit {
        case .background: return .killedByHost(.background)
        case .lifetime: return .killedByOS(.lifetime)
        // A worker may heed the warning and end by itself at that moment.
        case .processorTime where signal == Self.killed: return .killedByOS(.cpuLimit)
        case .processorTime, nil: break
        }
        if fault == .truncated, isTruncationTheCause { return .protocolViolation(.truncated) }
        if let signal { return verdict(signal: signal) }
        if case .exited(let code)? = exit?.status { return verdict(code: code) }
        return .killedByOS(.unknown)
    }

    private var setupVerdict: SetupFailure? {
        if let setupFailure { return setupFailure }
        return started ? nil : .endedEarly(exit?.status ?? wardenStatus)
    }

    /// The signal that ended the worker. A warden that was killed took the worker along; one that ended otherwise says
    /// nothing about it.
    private var signal: Int32? {
        switch (exit?.status, wardenStatus) {
        case (.signalled(let signal)?, _): signal
        case (nil, .signalled(Self.killed)?): Self.killed
        default: nil
        }
    }

    /// Whether a channel that ended inside a frame says how the worker ended: a crash, or a kill by others, cuts a
    /// frame too.
    private var isTruncationTheCause: Bool {
        switch signal {
        case nil: exit != nil
        case Self.killed: hostKill == .fault
        default: false
        }
    }

    private func verdict(signal: Int32) -> Termination {
        switch signal {
        case Self.outOfTime where hasUsed(softCPULimit): return .killedByOS(.cpuLimit)
        // Beyond the warden's limit lies the kernel's own, which kills without a word.
        case Self.killed where hasUsed(hardCPULimit): return .killedByOS(.cpuLimit)
        case _ where outOfMemoryKills > 0: return .killedByOS(.memoryLimit)
        case 4, 5, 6, 11: return .crashed(crash(signal, hint: looksShortOfMemory ? .memoryLimit : nil))
        case Self.killed: return .killedByOS(.unknown)
        case 25: return .killedByOS(.fileSize)
        default: return .crashed(crash(signal, hint: nil))
        }
    }

    private func verdict(code: Int32) -> Termination {
        code == 0 && openCalls == 0 && (wasAskedToEnd || saidGoodbye) ? .clean : .exited(code: code)
    }

    private func crash(_ signal: Int32, hint: Termination.Hint?) -> Termination.Crash {
        Termination.Crash(signal: signal, message: CrashText.message(of: stderrTail), hint: hint)
    }

    /// The processor time that the warning comes at, one second before the kill.
    private var softCPULimit: Duration? { hardCPULimit.map { $0 - .seconds(1) } }

    /// Whether the worker has used up a limit by the kernel's account of the process: a signal alone proves nothing,
    /// since other processes may send one.
    private func hasUsed(_ limit: Duration?) -> Bool {
        guard let exit, let limit else { return false }
        return exit.userTime + exit.systemTime >= limit - .milliseconds(100)
    }

    private var looksShortOfMemory: Bool {
        if CrashText.lines(of: stderrTail).contains(where: { $0.starts(with: Self.allocationMark) }) { return true }
        guard let exit, let memoryLimitBytes else { return false }
        return exit.maxRSSKiB >= memoryLimitBytes / 1_024 / 10 * 9
    }
}
