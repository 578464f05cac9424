import CForceField
import ForceField
import Glibc

/// How one worker is started: what ``Policy`` says, and what only people who inspect a force field ask for.
package struct WorkerPlan {
    /// An executable that links the force field: this program unless said.
    package var program = "/proc/self/exe"
    /// Exec mode: a static executable of which nothing is trusted.
    package var target: String?
    /// A regular file to be standard input; nothing if nil.
    package var input: String?
    /// The worker's role in a program that is host and worker in one; nil for a program that is only a worker.
    package var role: String?
    /// The arguments that follow the name.
    package var arguments: [String] = []
    package var limits = ResourceLimits()
    package var strictness = Strictness.strict
    package var capabilities: [Capability] = []
    package var distinctUser = true
    /// Descriptor 3 is a channel. An untrusted program that speaks no FF1 does without.
    package var hasChannel = true
    /// When the warden kills, from the start on; nil for never.
    package var lifetime: Duration?
    /// Layers that are not tried at all, to see what the others are worth.
    package var layersOff: Set<Layer> = []
    /// What the filter forbids is answered EPERM and reported rather than killed.
    package var reportsOnly = false

    package init() {}

    /// The worker's name and its arguments, as it finds them.
    var words: [String] { [role ?? Self.name(of: target ?? program)] + arguments }

    private static func name(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? "worker"
    }

    /// What stage 0 is told.
    ///
    /// - Throws: ``WatchError/capability(_:errno:)``
    func policy() throws(WatchError) -> cforcefield_policy {
        var policy = cforcefield_policy()
        cforcefield_policy_make(&policy)
        policy.flags = flags
        policy.layers_off = LayerSet(layersOff).rawValue
        policy.layers_may_miss = LayerSet(mayMiss).rawValue
        if distinctUser, geteuid() == 0 {
            policy.user = .random(in: CFORCEFIELD_FIRST_USER...CFORCEFIELD_LAST_USER)
        }
        policy.memory_bytes = limits.memoryBytes
        policy.stack_bytes = limits.stackBytes
        policy.cpu_seconds = UInt32(clamping: limits.cpuSeconds)
        policy.open_files = UInt32(clamping: limits.openFiles)
        policy.processes = UInt32(clamping: limits.processes)
        policy.pending_signals = UInt32(clamping: limits.pendingSignals)
        policy.lifetime_milliseconds = min(lifetime?.wholeMilliseconds ?? 0, CFORCEFIELD_LONGEST_LIFETIME)
        for capability in capabilities { try add(capability, to: &policy) }
        return policy
    }

    private var flags: UInt32 {
        let flags: [(Bool, cforcefield_policy_flags)] = [
            (target != nil, cforcefield_policy_exec), (reportsOnly, cforcefield_policy_report),
            (!hasChannel, cforcefield_policy_no_channel), (input != nil, cforcefield_policy_input),
        ]
        return flags.reduce(0) { $1.0 ? $0 | $1.1.rawValue : $0 }
    }

    /// What strictness does not speak of may always be missing, but for the reports where they are what is wanted.
    private var mayMiss: Set<Layer> {
        var layers = strictness.optional
        layers.formUnion(Set(Layer.allCases).subtracting(Strictness.required))
        if reportsOnly { layers.subtract([.violationReports, .seccomp]) }
        return layers.subtracting([.resourceLimits])
    }

    private func add(_ capability: Capability, to policy: inout cforcefield_policy) throws(WatchError) {
        let (host, inside) =
            switch capability {
            case .entropyDevice: ("/dev/urandom", "/dev/urandom")
            case .readOnlyFile(let host, let inside): (host, inside)
            case .descriptors, .networkClient, .surface, .hostCalls: throw .capability(capability.name, errno: ENOTSUP)
            }
        guard cforcefield_policy_add_file(&policy, host, inside) == 0 else {
            throw .capability(capability.name, errno: errno)
        }
    }
}

/// Why a worker was not even tried.
package enum WatchError: Error, Hashable, Sendable {
    case unreadable(path: String, errno: Int32)
    /// A pipe, a socket or a device.
    case notRegular(path: String)
    /// Other users may choose which program runs.
    case untrustedProgram(ForceFieldError)
    case capability(String, errno: Int32)
    case spawn(errno: Int32)
}

extension WatchError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreadable(let path, let errno):
            "\(path) cannot be opened: \(ErrorNumber.words(errno)). Check the path and who may read it."
        case .untrustedProgram(let error): "\(error)"
        case .notRegular(let path):
            "\(path) is a pipe or a device. Give a regular file: copy what it holds into one first."
        case .capability(let name, ENOTSUP):
            "\(name) needs a host that serves it, which this program is not. Use the library ForceField."
        case .capability(let name, let errno):
            "\(name) cannot be granted: \(ErrorNumber.words(errno)). Check the file of this machine that it names."
        case .spawn(let errno): "No process can be made: \(ErrorNumber.words(errno))."
        }
    }
}
