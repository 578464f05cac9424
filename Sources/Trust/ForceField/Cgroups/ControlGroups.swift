#if os(Linux)
    import Glibc
    import Synchronization

    /// The control groups of this process, below which workers get their own.
    ///
    /// Version 2 where its controllers are, else version 1. Nothing is touched that was not made here.
    ///
    /// Source: `forcefield` section 7.6.
    struct ControlGroups: Sendable {
        /// One for version 2; for version 1 one of `memory` and one of `pids`, as far as there are.
        let parents: [Parent]

        struct Parent: Hashable, Sendable {
            enum Kind: Hashable, Sendable {
                case unified
                case memory
                case processes
            }

            let kind: Kind
            /// Absolute, of a folder that this process may write.
            let path: String

            var above: String { String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) }
        }

        private static let counter = Mutex(0)

        /// Of this process; nil where it may make none.
        static let own: ControlGroups? = {
            let groups = SystemFile.text("/proc/self/cgroup")
            let mounts = SystemFile.text("/proc/self/mountinfo")
            guard let groups, let mounts else { return nil }
            let own = ControlGroups(memberships: groups, mounts: mounts) { access($0, W_OK) == 0 }
            for parent in own?.parents ?? [] { removeLeftovers(below: parent.path) }
            return own
        }()

        /// - Parameters:
        ///   - memberships: as `/proc/self/cgroup` has them.
        ///   - mounts: as `/proc/self/mountinfo` has them.
        ///   - isWritable: whether folders can be made in a folder.
        init?(memberships: String, mounts: String, isWritable: (String) -> Bool) {
            let mounts = mounts.split(separator: "\n").compactMap { GroupMount($0) }
            let groups = memberships.split(separator: "\n").compactMap { GroupMembership($0) }
            let unified = Self.folder(of: "", groups, mounts).flatMap { path -> Parent? in
                guard isWritable(path), Self.hasControllers(path) else { return nil }
                return Parent(kind: .unified, path: path)
            }
            if let unified {
                parents = [unified]
                return
            }
            parents = [("memory", Parent.Kind.memory), ("pids", .processes)].compactMap { name, kind in
                guard let path = Self.folder(of: name, groups, mounts), isWritable(path) else { return nil }
                return Parent(kind: kind, path: path)
            }
            guard !parents.isEmpty else { return nil }
        }

        /// - Parameter controller: empty for version 2.
        private static func folder(
            of controller: String, _ groups: [GroupMembership], _ mounts: [GroupMount]
        ) -> String? {
            guard let group = groups.first(where: { $0.controllers.contains(controller) }),
                let mount = mounts.first(where: { $0.controllers.contains(controller) }),
                group.path == mount.root || group.path.hasPrefix(mount.root == "/" ? "/" : mount.root + "/")
            else { return nil }
            let below = mount.root == "/" ? group.path : String(group.path.dropFirst(mount.root.count))
            return below == "/" ? mount.point : mount.point + below
        }

        /// A group has the controllers that its parent hands down. A process must not be in a group that does, unless it is the root.
        private static func hasControllers(_ path: String) -> Bool {
            guard let text = SystemFile.text(path + "/cgroup.subtree_control") else { return false }
            let names = text.split { $0 == " " || $0 == "\n" }
            return names.contains("memory") && names.contains("pids")
        }

        /// Makes a group below this process's own.
        static let makeOwn: @Sendable (ResourceLimits) -> ControlGroup? = { own?.makeGroup(for: $0) }

        /// - Returns: nil if it cannot be made or not be limited; nothing is left then.
        func makeGroup(for limits: ResourceLimits) -> ControlGroup? {
            let number = Self.counter.withLock { counter in
                counter += 1
                return counter
            }
            return ControlGroup(below: parents, name: "forcefield-\(getpid())-\(number)", limits)
        }
    }

    extension ControlGroups {
        /// A host of another list of processes may be making a group at this moment.
        private static let leftoverAge = 60

        /// Removes the groups of hosts that were killed, who could not remove them. The kernel removes none that has a process.
        static func removeLeftovers(below path: String) {
            guard let listing = opendir(path) else { return }
            defer { closedir(listing) }
            let now = time(nil)
            while let entry = readdir(listing) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                    name.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
                }
                let parts = name.split(separator: "-")
                guard parts.count == 3, parts[0] == "forcefield", let host = pid_t(parts[1]), host > 0,
                    Int(parts[2]) != nil, kill(host, 0) != 0, errno == ESRCH
                else { continue }
                var status = stat()
                let folder = path + "/" + name
                guard stat(folder, &status) == 0, status.st_mtim.tv_sec + leftoverAge < now else { continue }
                rmdir(folder)
            }
        }
    }

    /// A line of `/proc/self/cgroup`, as `4:memory:/a/b`.
    private struct GroupMembership {
        /// One empty name for version 2.
        let controllers: [String]
        let path: String

        init?(_ line: Substring) {
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { return nil }
            controllers = fields[1].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            path = String(fields[2])
        }
    }

    /// A line of `/proc/self/mountinfo` about control groups.
    private struct GroupMount {
        /// One empty name for version 2.
        let controllers: [String]
        let root, point: String

        init?(_ line: Substring) {
            let fields = line.split(separator: " ")
            guard let dash = fields.firstIndex(of: "-"), dash >= 6, fields.count >= dash + 4 else { return nil }
            switch fields[dash + 1] {
            case "cgroup2": controllers = [""]
            case "cgroup": controllers = fields[dash + 3].split(separator: ",").map(String.init)
            default: return nil
            }
            root = String(fields[3])
            point = String(fields[4])
        }
    }
#endif
