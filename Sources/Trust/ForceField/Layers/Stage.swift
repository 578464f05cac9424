/// A step of the way into the sandbox. The raw values stand in STAGE_FAILED, the names in reports.
///
/// Source: `forcefield` section 5.
public enum Stage: UInt32, CaseIterable, Sendable {
    case policy = 1
    case go, noNewPrivileges, executable, principal, userNamespace, idMaps, clone, propagation, root
    case pivot, remount, hostName, fork, parentDeath, resourceLimits, secureBits, capabilities, descriptors, landlock
    case dumpable, seccomp, handOff, selfCheck, execute

    /// The name of `forcefield` section 5.
    package var name: String {
        switch self {
        case .policy: "policy"
        case .go: "go"
        case .noNewPrivileges: "nnp"
        case .executable: "exe"
        case .principal: "principal"
        case .userNamespace: "userns"
        case .idMaps: "maps"
        case .clone: "clone"
        case .propagation: "propagation"
        case .root: "root"
        case .pivot: "pivot"
        case .remount: "remount"
        case .hostName: "uts"
        case .fork: "fork"
        case .parentDeath: "die"
        case .resourceLimits: "rlimits"
        case .secureBits: "securebits"
        case .capabilities: "caps"
        case .descriptors: "fds"
        case .landlock: "landlock"
        case .dumpable: "dumpable"
        case .seccomp: "seccomp"
        case .handOff: "handoff"
        case .selfCheck: "selfcheck"
        case .execute: "exec"
        }
    }
}
