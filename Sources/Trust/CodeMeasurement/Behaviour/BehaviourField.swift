/// What a rule may ask about a process.
///
/// Source: `vigil` section 9.3.
package enum BehaviourField: Hashable, Sendable {
    /// `status.TracerPid`. Here the first thread that is traced decides: a debugger need not attach to all.
    case tracer
    /// `status.Seccomp`
    case seccomp
    /// `status.Seccomp_filters`
    case seccompFilters
    /// `status.NoNewPrivs`
    case noNewPrivileges
    /// `status.CapEff`
    case effectiveCapabilities
    /// `status.CapPrm`
    case permittedCapabilities
    /// `status.Uid.effective`
    case effectiveUser
    /// `status.Threads`
    case threads
    /// `status.CoreDumping`
    case coreDumping
    /// `process.dumpable`: 1 if others of its user may look into it, by the owner of its `/proc/PID/environ`. Always 0
    /// for a program of root, which hides nothing from root.
    case dumpable
    /// `env.NAME`: a variable that the process was started with.
    case environment(String)
    /// `maps.foreignExec`: executable mappings that do not belong.
    case foreignExecutable
    /// `maps.writeExec`: mappings that are both writable and executable.
    case writableExecutable
    /// `maps.anonExec`: executable mappings without a file.
    case anonymousExecutable
    /// `fd.count`
    case descriptors
    /// `fd.inet`: sockets by which the process can talk beyond its kernel.
    case networkSockets
    /// `limits.core.soft`, in bytes.
    case coreSize
    /// `exe.path`
    case executablePath
    /// `cmdline.sha256`, in hex.
    case commandLineDigest

    /// - Returns: nil for a name that there is not.
    package init?(name: String) {
        if name.hasPrefix("env."), name.utf8.count > 4 {
            self = .environment(String(name.dropFirst(4)))
        } else if let field = Self.named.first(where: { $0.name == name }) {
            self = field
        } else {
            return nil
        }
    }

    /// The field's name in a profile.
    package var name: String {
        switch self {
        case .tracer: "status.TracerPid"
        case .seccomp: "status.Seccomp"
        case .seccompFilters: "status.Seccomp_filters"
        case .noNewPrivileges: "status.NoNewPrivs"
        case .effectiveCapabilities: "status.CapEff"
        case .permittedCapabilities: "status.CapPrm"
        case .effectiveUser: "status.Uid.effective"
        case .threads: "status.Threads"
        case .coreDumping: "status.CoreDumping"
        case .dumpable: "process.dumpable"
        case .environment(let variable): "env.\(variable)"
        case .foreignExecutable: "maps.foreignExec"
        case .writableExecutable: "maps.writeExec"
        case .anonymousExecutable: "maps.anonExec"
        case .descriptors: "fd.count"
        case .networkSockets: "fd.inet"
        case .coreSize: "limits.core.soft"
        case .executablePath: "exe.path"
        case .commandLineDigest: "cmdline.sha256"
        }
    }

    /// All fields but the environment.
    static let named: [BehaviourField] = [
        .tracer, .seccomp, .seccompFilters, .noNewPrivileges, .effectiveCapabilities, .permittedCapabilities,
        .effectiveUser, .threads, .coreDumping, .dumpable, .foreignExecutable, .writableExecutable,
        .anonymousExecutable, .descriptors, .networkSockets, .coreSize, .executablePath, .commandLineDigest,
    ]

    /// Whether its values are texts; else they are numbers.
    var isText: Bool {
        switch self {
        case .environment, .executablePath, .commandLineDigest: true
        default: false
        }
    }

    /// Whether a process that does not let itself be looked at may keep it to itself. What such a variable would inject
    /// shows in the map of the memory.
    var mayBeHidden: Bool {
        switch self {
        case .environment, .descriptors, .networkSockets: true
        default: false
        }
    }
}
