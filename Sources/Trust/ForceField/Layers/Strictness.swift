/// The layers that may be missing.
///
/// Source: `forcefield` section 18.
public enum Strictness: Hashable, Sendable {
    /// All layers but those that depend on the host or only report, or nothing runs.
    case strict
    /// All but those that are named.
    case allowing(Set<Layer>)
    /// All may be missing but the filter, `no_new_privs`, limits and closed descriptors.
    case bestEffort

    /// What `.strict` asks for. The others depend on who the host is (`distinctUser`), on what the system grants
    /// (`cgroup`) or on how the worker is made (`notDumpable`),
    /// or only report (`violationReports`).
    package static let required: Set<Layer> = [
        .userNamespace, .mountNamespace, .pidNamespace, .networkNamespace, .ipcNamespace, .utsNamespace,
        .cgroupNamespace, .emptyRoot, .capabilities, .resourceLimits, .landlock, .seccomp,
        .noNewPrivileges, .descriptors,
    ]

    /// What nothing runs without.
    package static let indispensable: Set<Layer> = [.seccomp, .noNewPrivileges, .resourceLimits, .descriptors]

    /// Layers that may be missing.
    package var optional: Set<Layer> {
        switch self {
        case .strict: []
        case .allowing(let layers): layers
        case .bestEffort: Self.required.subtracting(Self.indispensable)
        }
    }

    /// Layers that a worker lacks, whether or not they may be missing.
    package static func missing(from present: LayerSet) -> Set<Layer> { required.filter { !present.contains($0) } }

    /// - Returns: the layers that a worker lacks and may not; empty if it may run.
    package func refused(_ present: LayerSet) -> Set<Layer> {
        Self.missing(from: present).subtracting(optional)
    }
}
