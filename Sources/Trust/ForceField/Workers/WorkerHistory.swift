#if os(Linux)
    import ForceFieldWire
    import Glibc
    import Scheduling

    /// What the host has seen of one worker since its launch, from which the report of its end is made.
    struct WorkerHistory: Sendable {
        private(set) var facts = TerminationFacts()
        /// What the warden said when the worker was locked in; nil before.
        private(set) var started: WardenReport.Started?
        private let begun: SteadyInstant
        private let begunMicroseconds: UInt64

        init(_ limits: ResourceLimits, begun: SteadyInstant) {
            self.begun = begun
            begunMicroseconds = Self.wallClockMicroseconds
            facts.hardCPULimit = limits.hardCPULimit
            facts.memoryLimitBytes = limits.memoryBytes
        }

        private static var wallClockMicroseconds: UInt64 {
            var time = timespec()
            clock_gettime(CLOCK_REALTIME, &time)
            return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1_000
        }

        /// Whether the worker was locked in as it should be, and nothing of its start has failed.
        var isSetUp: Bool { facts.started && facts.setupFailure == nil }
        /// Whether the host has asked for the kill.
        var isKilled: Bool { facts.hostKill != nil }

        // MARK: What is taken down

        /// Takes down what the warden says. Of failures and of violations the first counts.
        mutating func note(_ report: WardenReport) {
            switch report {
            case .warden: break
            case .started(let started):
                self.started = started
                facts.started = true
            case .stageFailed(let stage, let errno): noteFailure(.stage(stage, errno: errno))
            case .violation(let call): if facts.violation == nil { facts.violation = call }
            case .limit(let limit): facts.passedLimit = limit
            case .exited(let exit): facts.exit = exit
            }
        }

        /// Takes down why the start came to nothing. The first reason counts.
        mutating func noteFailure(_ failure: SetupFailure) {
            if facts.setupFailure == nil { facts.setupFailure = failure }
        }

        /// Takes down why the host asked for the kill. The first reason counts, and none of a worker that has ended.
        mutating func noteKill(_ cause: TerminationFacts.HostKill) {
            if facts.hostKill == nil, facts.exit == nil { facts.hostKill = cause }
        }

        mutating func note(_ violation: ProtocolViolation) { facts.note(violation) }

        mutating func noteAskedToEnd() { facts.wasAskedToEnd = true }

        /// - Parameter warden: nil where another part of the host has reaped it.
        mutating func noteEnd(of warden: WaitStatus?) { facts.wardenStatus = warden }

        /// Takes down what a worker that has ended leaves behind.
        ///
        /// - Parameters:
        ///   - openCalls: that had no last frame.
        ///   - outOfMemoryKills: in its control group; 0 where it had none of its own.
        mutating func noteRemains(openCalls: Int, saidGoodbye: Bool, outOfMemoryKills: Int, errorTail: [UInt8]) {
            facts.openCalls = openCalls
            facts.saidGoodbye = saidGoodbye
            facts.stderrTail = errorTail
            facts.outOfMemoryKills = outOfMemoryKills
        }

        // MARK: The report

        /// The report of a worker that has just ended.
        ///
        /// - Parameter hasGroup: whether a control group of its own held the worker to its limits.
        func report(hasGroup: Bool, requests: Int, lastMethod: String?) -> TerminationReport {
            var report = TerminationReport(facts.verdict { SystemCallName.of($0, architecture: $1) })
            report.layers = started?.layers.layers ?? []
            report.landlockABI = started?.landlockABI ?? 0
            report.limits = hasGroup ? .controlGroup : .resourceLimits
            report.startedMicroseconds = begunMicroseconds
            report.wallTime = SteadyInstant.now - begun
            report.note(facts.exit)
            report.requests = requests
            report.lastMethod = lastMethod
            report.stderrTail = facts.stderrTail
            return report
        }
    }
#endif
