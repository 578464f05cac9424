import ForceField

/// The force field with parts taken off, to show what the rest is worth alone.
package enum AuditVariant: CaseIterable, Sendable {
    case whole
    case withoutFilter
    case filterAlone
    case namespacesAlone
    case landlockAlone

    /// The variant's name, as the head of a column.
    package var title: String {
        switch self {
        case .whole: "all"
        case .withoutFilter: "no filter"
        case .filterAlone: "filter alone"
        case .namespacesAlone: "namespaces alone"
        case .landlockAlone: "Landlock alone"
        }
    }

    private static let filter: Set<Layer> = [.seccomp, .violationReports]
    /// Namespaces that a variant leaves out. Those of users and of processes stay: in them an attempt that succeeds
    /// reaches no other process.
    private static let namespaces: Set<Layer> = [
        .mountNamespace, .networkNamespace, .ipcNamespace, .utsNamespace, .cgroupNamespace, .emptyRoot,
    ]

    package var layersOff: Set<Layer> {
        switch self {
        case .whole: []
        case .withoutFilter: Self.filter
        case .filterAlone: Self.namespaces.union([.landlock, .capabilities])
        case .namespacesAlone: Self.filter.union([.landlock, .capabilities])
        case .landlockAlone: Self.filter.union(Self.namespaces).union([.capabilities])
        }
    }
}
