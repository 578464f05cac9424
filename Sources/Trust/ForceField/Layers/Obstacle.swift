/// Why a layer is missing, in words, with what helps.
///
/// Source: `forcefield` section 18.
public enum Obstacle: Hashable, Sendable {
    /// Ubuntu's rule of AppArmor against user namespaces.
    case appArmorRestriction
    /// The limit of user namespaces is 0, or reached.
    case namespaceLimit
    /// The filter of a container, or a chroot.
    case container
    case chroot
    /// The process that builds the walls has more than one thread: a sanitizer's.
    case threads
    /// Mounts are refused, though namespaces are not.
    case mountsRefused
    /// The hard limit of descriptors is below what locking in takes.
    case descriptorLimit
    /// The system has not handed the program's control group over to it.
    case groupNotDelegated
    /// Other processes are in the program's control group.
    case sharedGroup
    /// The program's control group may not limit memory and processes.
    case groupControllers
    /// The kernel has no such feature.
    case kernel
    case other(stage: Stage, errno: Int32)

    private static let notPermitted: Int32 = 1
    private static let accessDenied: Int32 = 13
    private static let invalid: Int32 = 22
    private static let tooManyFiles: Int32 = 24
    private static let noSpace: Int32 = 28
    private static let notImplemented: Int32 = 38

    /// What is known of the machine.
    package struct Surroundings: Hashable, Sendable {
        /// What `kernel.apparmor_restrict_unprivileged_userns` says.
        package var appArmorRestricts = false
        package var inContainer = false
        package var inChroot = false

        package init() {}
    }

    /// Reads the step that failed and the system's error, with what is known of the machine.
    package init(_ stage: Stage, errno: Int32, in surroundings: Surroundings = Surroundings()) {
        let isRefusal = errno == Self.notPermitted || errno == Self.accessDenied
        switch stage {
        case .policy where errno == Self.tooManyFiles: self = .descriptorLimit
        case .userNamespace where errno == Self.noSpace: self = .namespaceLimit
        case .userNamespace where errno == Self.invalid: self = .threads
        case .userNamespace, .idMaps:
            guard isRefusal else {
                self = errno == Self.notImplemented ? .kernel : .other(stage: stage, errno: errno)
                return
            }
            if surroundings.inChroot {
                self = .chroot
            } else if surroundings.appArmorRestricts {
                self = .appArmorRestriction
            } else {
                self = .container
            }
        case .propagation, .root, .pivot, .remount:
            if isRefusal {
                self = surroundings.appArmorRestricts ? .appArmorRestriction : .mountsRefused
            } else {
                self = .other(stage: stage, errno: errno)
            }
        default: self = errno == Self.notImplemented ? .kernel : .other(stage: stage, errno: errno)
        }
    }

    /// The reason in words.
    public var reason: String {
        switch self {
        case .appArmorRestriction: "AppArmor keeps user namespaces from programs without a profile."
        case .namespaceLimit: "The limit of user namespaces is reached, or 0."
        case .container: "User namespaces are refused, as the seccomp profile of a container does."
        case .chroot: "User namespaces cannot be made inside a chroot."
        case .threads: "The process has a second thread, as sanitizers start one."
        case .mountsRefused: "Mounts are refused, as AppArmor and containers do."
        case .descriptorLimit: "The hard limit of open files is below 251."
        case .groupNotDelegated: "The program's control group belongs to the system, which alone changes it."
        case .sharedGroup: "Other processes are in the program's control group, which can so have none below it."
        case .groupControllers: "The program's control group may not limit memory and processes."
        case .kernel: "The kernel has no such feature."
        case .other(let stage, let errno): "Step “\(stage.name)” failed with errno \(errno)."
        }
    }

    /// What helps.
    public var remedy: String {
        switch self {
        case .appArmorRestriction:
            """
            Give the program a profile that allows `userns`, or set kernel.apparmor_restrict_unprivileged_userns=0 \
            (sysctl).
            """
        case .namespaceLimit: "Raise user.max_user_namespaces (sysctl)."
        case .container: "Run the container with a seccomp profile that allows unshare, or outside a container."
        case .chroot: "Run outside the chroot, or use pivot_root instead of chroot."
        case .threads: "Build the worker without sanitizers."
        case .mountsRefused: "Allow mounts in the AppArmor profile or in the container."
        case .descriptorLimit:
            "Raise it for whoever starts workers: `ulimit -Hn 1024`, or LimitNOFILE=1024 in the unit. A worker itself gets 32."
        case .groupNotDelegated, .sharedGroup:
            "Start it in a group of its own: `systemd-run --user --scope -p Delegate=yes PROGRAM` (root: without --user), or Delegate=yes in its unit."
        case .groupControllers:
            "Hand them down to it: Delegate=memory pids in its unit and in that of user@.service, as the administrator."
        case .kernel: "Use a newer kernel, or allow this layer to be missing."
        case .other: "Run `forcefield doctor`."
        }
    }
}
