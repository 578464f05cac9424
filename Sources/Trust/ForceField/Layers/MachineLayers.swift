#if os(Linux)
    import CForceField
    import Glibc

    extension LayerReport {
        /// What this machine gives a worker of this process: looked at once, in children that end.
        ///
        /// The first use takes some milliseconds.
        public static let machine: LayerReport = {
            var machine = cforcefield_machine()
            guard cforcefield_probe(&machine) == 0 else {
                let obstacle = Obstacle(.fork, errno: errno, in: .current)
                return LayerReport(Layer.allCases.map { LayerState($0, isPresent: false, obstacle: obstacle) })
            }
            let errors = withUnsafeBytes(of: machine.errors) { Array($0.bindMemory(to: Int32.self)) }
            return LayerReport(Layer.allCases.map { state(of: $0, machine, errors) })
        }()

        private static func state(of layer: Layer, _ machine: cforcefield_machine, _ errors: [Int32]) -> LayerState {
            if layer == .cgroup {
                let obstacle = ControlGroups.obstacle
                return LayerState(layer, isPresent: obstacle == nil, obstacle: obstacle)
            }
            let error: Int32 =
                switch layer {
                case .userNamespace: errors[0] != 0 ? errors[0] : machine.id_maps
                case .descriptors: machine.close_range
                case .noNewPrivileges: 0
                default: layer.bit.map { errors[Int($0)] } ?? 0
                }
            guard error != 0 else {
                let value = layer == .landlock ? "ABI \(machine.landlock_abi)" : nil
                return LayerState(layer, isPresent: true, value: value)
            }
            return LayerState(layer, isPresent: false, obstacle: Obstacle(layer.stage, errno: error, in: .current))
        }
    }

    extension Layer {
        /// The step at which it is put up.
        var stage: Stage {
            switch self {
            case .userNamespace, .mountNamespace, .pidNamespace, .networkNamespace, .ipcNamespace, .utsNamespace,
                .cgroupNamespace:
                .userNamespace
            case .distinctUser: .principal
            case .emptyRoot: .root
            case .capabilities: .capabilities
            case .resourceLimits: .resourceLimits
            case .cgroup: .go
            case .landlock: .landlock
            case .seccomp: .seccomp
            case .violationReports: .handOff
            case .notDumpable: .dumpable
            case .noNewPrivileges: .noNewPrivileges
            case .descriptors: .descriptors
            }
        }
    }

    extension Obstacle.Surroundings {
        /// The surroundings of this process.
        package static var current: Self {
            var current = Self()
            let restriction = SystemFile.text("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
            current.appArmorRestricts = restriction?.first == "1"
            current.inContainer =
                access("/.dockerenv", F_OK) == 0 || access("/run/.containerenv", F_OK) == 0
                || access("/run/systemd/container", F_OK) == 0
            current.inChroot = isInChroot
            return current
        }

        /// The root is another than that of the first process, or of the mount namespace's own table.
        private static var isInChroot: Bool {
            var own = stat()
            var first = stat()
            if stat("/", &own) == 0, stat("/proc/1/root/", &first) == 0 {
                return own.st_dev != first.st_dev || own.st_ino != first.st_ino
            }
            // The table names mounts as this process sees them: without one at the root, the root is a folder of some
            // mount.
            guard let mounts = SystemFile.text("/proc/self/mountinfo") else { return false }
            return !mounts.split(separator: "\n").contains { line in
                let fields = line.split(separator: " ")
                return fields.count > 4 && fields[4] == "/"
            }
        }
    }
#endif
