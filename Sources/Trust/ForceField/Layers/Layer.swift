/// A wall around a worker. The raw values are the names in reports and on command lines.
///
/// Source: `forcefield` sections 7, 13 and 18.
public enum Layer: String, CaseIterable, Sendable {
    case userNamespace, mountNamespace, pidNamespace, networkNamespace, ipcNamespace, utsNamespace, cgroupNamespace
    case distinctUser, emptyRoot, capabilities, resourceLimits, cgroup, landlock, seccomp, violationReports, notDumpable
    /// These two always hold where STARTED came, which therefore has no bit for them.
    case noNewPrivileges, descriptors

    /// The bit in STARTED; nil for what STARTED itself says.
    var bit: UInt32? {
        switch self {
        case .userNamespace: 0
        case .mountNamespace: 1
        case .pidNamespace: 2
        case .networkNamespace: 3
        case .ipcNamespace: 4
        case .utsNamespace: 5
        case .cgroupNamespace: 6
        case .distinctUser: 7
        case .emptyRoot: 8
        case .capabilities: 9
        case .resourceLimits: 10
        case .cgroup: 11
        case .landlock: 12
        case .seccomp: 13
        case .violationReports: 14
        case .notDumpable: 15
        case .noNewPrivileges, .descriptors: nil
        }
    }
}

/// The layers that a worker has, as STARTED reports them.
///
/// Source: `forcefield` section 13.
package struct LayerSet: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt32
    private static let known: UInt32 = 0xffff

    /// - Returns: nil for bits that are not defined.
    package init?(rawValue: UInt32) {
        guard rawValue & ~Self.known == 0 else { return nil }
        self.rawValue = rawValue
    }

    package init(_ layers: some Sequence<Layer>) {
        rawValue = layers.reduce(0) { bits, layer in layer.bit.map { bits | 1 << $0 } ?? bits }
    }

    package func contains(_ layer: Layer) -> Bool { layer.bit.map { rawValue & 1 << $0 != 0 } ?? true }

    package var layers: [Layer] { Layer.allCases.filter(contains) }
}
