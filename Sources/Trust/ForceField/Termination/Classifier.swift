import ForceFieldWire

extension TerminationFacts {
    private static let allocationMark = Array("Fatal error: failed to allocate".utf8)
    private static let killed: Int32 = 9

    /// The verdict: the first rule that fits, in the order of section 16.
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
        if signal == Self.killed, let hostKill {
            switch hostKill {
            case .reason(let reason): return .killedByHost(reason)
            case .protocolViolation(let violation): return .protocolViolation(violation)
            }
        }
        switch passedLimit {
        case .background: return .killedByHost(.background)
        case .lifetime: return .killedByOS(.lifetime)
        // A worker may heed the warning and end by itself at that moment.
        case .processorTime where signal == Self.killed: return .killedByOS(.cpuLimit)
        case .processorTime, nil: break
        }
        if let signal { return verdict(signal: signal) }
        if case .exited(let code)? = exit?.status { return verdict(code: code) }
        return .killedByOS(.unknown)
    }

    private var setupVerdict: SetupFailure? {
        if let setupFailure { return setupFailure }
        return started ? nil : .endedEarly(exit?.status ?? wardenStatus)
    }

    /// That ended the worker. A warden that was killed took the worker along; one that ended otherwise says nothing about it.
    private var signal: Int32? {
        switch (exit?.status, wardenStatus) {
        case (.signalled(let signal)?, _): signal
        case (nil, .signalled(Self.killed)?): Self.killed
        default: nil
        }
    }

    private func verdict(signal: Int32) -> Termination {
        switch signal {
        case 24: return .killedByOS(.cpuLimit)
        case Self.killed where hasUsedAllCPU: return .killedByOS(.cpuLimit)
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

    /// Who is killed then without the warden's word has met the kernel's own limit, which lies beyond the warden's.
    private var hasUsedAllCPU: Bool {
        guard let exit, let hardCPULimit else { return false }
        let used =
            Duration.microseconds(Int64(clamping: exit.userMicroseconds))
            + .microseconds(Int64(clamping: exit.systemMicroseconds))
        return used >= hardCPULimit - .milliseconds(100)
    }

    private var looksShortOfMemory: Bool {
        if CrashText.lines(of: stderrTail).contains(where: { $0.starts(with: Self.allocationMark) }) { return true }
        guard let exit, let memoryLimitBytes else { return false }
        return exit.maxRSSKiB >= memoryLimitBytes / 1_024 / 10 * 9
    }
}
