import ForceFieldWire

/// How a worker ended.
///
/// Source: `forcefield` section 16.
public enum Termination: Hashable, Sendable {
    /// The worker was asked to end and did; a plain program has ended with code 0, which nobody has to ask for.
    case clean
    /// The worker ended by itself, or in the middle of a call.
    case exited(code: Int32)
    case crashed(Crash)
    /// A forbidden system call; nil where the kernel did not say which.
    case policyViolation(ForbiddenCall?)
    case killedByHost(KillReason)
    case killedByOS(SystemKill)
    /// The worker broke the protocol, and was killed for that.
    case protocolViolation(ProtocolViolation)
    /// The worker never served: it was not started, or did not say HELLO.
    case setupFailed(SetupFailure)

    /// A signal that ended the worker and stands for no limit.
    public struct Crash: Hashable, Sendable {
        /// The number of the signal.
        public var signal: Int32
        /// What the worker said about it, made safe to show. It is the worker's word.
        public var message: String?
        /// What may have been the cause.
        public var hint: Hint?
    }

    /// What may have been the cause.
    public enum Hint: String, Sendable {
        case memoryLimit
    }

    /// A system call that the filter does not allow, as it was made.
    public struct ForbiddenCall: Hashable, Sendable {
        /// Nil for a number that has no name here.
        public var name: String?
        /// The number of the call, which depends on the architecture.
        public var number: UInt32
        /// AUDIT_ARCH_…, as 0xC000003E for x86-64.
        package var architecture: UInt32
        /// The first four arguments.
        public var arguments: [UInt64]

        package init(name: String?, number: UInt32, architecture: UInt32, arguments: [UInt64]) {
            self.name = name
            self.number = number
            self.architecture = architecture
            self.arguments = arguments
        }
    }

    /// Why the system killed a worker. The raw values are the names in reports.
    public enum SystemKill: String, Sendable {
        case cpuLimit, memoryLimit, fileSize, lifetime
        /// The kernel's last resort against lack of memory, or an administrator.
        case unknown
    }
}

/// Why the host killed a worker. The raw values are the names in reports.
///
/// Source: `forcefield` sections 16 and 20.
public enum KillReason: String, CaseIterable, Sendable {
    case cancelled, deadline, shutdown, retired, memoryPressure, hostExit, background, outputLimit

    /// What the order to kill carries.
    package var code: UInt32 {
        switch self {
        case .cancelled: 1
        case .deadline: 2
        case .shutdown: 3
        case .retired: 4
        case .memoryPressure: 5
        case .hostExit: 6
        case .background: 7
        case .outputLimit: 8
        }
    }
}

/// Why a worker never served.
///
/// Source: `forcefield` sections 4, 5, 13, 14 and 16.
public enum SetupFailure: Hashable, Sendable {
    /// - Parameter errno: of the call that failed; 0 where none did.
    case stage(Stage, errno: Int32)
    /// The process could not be made.
    case spawn(errno: Int32)
    case timeout
    /// What came on the control socket is no record, or came out of order.
    case control
    /// The process ended before it had started.
    case endedEarly(WaitStatus?)
    /// The worker was built with other methods. Build it anew.
    case interfaceMismatch
    case versionMismatch
    /// Layers are missing that have to be there.
    case layersMissing(Set<Layer>)
}
