import ForceFieldWire

/// What the host has seen of a worker that is no more.
///
/// Source: `forcefield` section 16.
package struct TerminationFacts: Sendable {
    /// What the host's own judgement of a start that failed was: no HELLO in time, another interface, missing layers.
    package var setupFailure: SetupFailure?
    package var started = false
    package var violation: SystemCallRecord?
    package var passedLimit: WardenReport.PassedLimit?
    /// What EXITED said; nil if it never came.
    package var exit: WorkerExit?
    /// How the warden itself ended.
    package var wardenStatus: WaitStatus?
    /// Why the host asked for the kill, if it did so before the worker was known to have ended.
    package var hostKill: HostKill?
    /// What the worker first broke the protocol by, whether or not it had ended before that was read.
    package var fault: ProtocolViolation?
    /// Kills for lack of memory in the worker's control group.
    package var outOfMemoryKills = 0
    /// The last bytes that the worker wrote on standard error.
    package var stderrTail: [UInt8] = []
    package var openCalls = 0
    /// SHUTDOWN was sent, or the host has closed the channel, or there never was one.
    package var wasAskedToEnd = false
    package var saidGoodbye = false
    /// The hard limit of processor time.
    package var hardCPULimit: Duration?
    /// The limit of memory.
    package var memoryLimitBytes: UInt64?

    package enum HostKill: Hashable, Sendable {
        case reason(KillReason)
        /// The worker broke the protocol, as ``fault`` says.
        case fault
    }

    package init() {}

    /// Takes down what the worker has broken the protocol by: the first counts, and what takes a living process not of
    /// one that is known to have ended.
    package mutating func note(_ violation: ProtocolViolation) {
        if fault == nil, exit == nil || !violation.needsLivingPeer { fault = violation }
    }
}
