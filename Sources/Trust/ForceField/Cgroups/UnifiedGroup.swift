#if os(Linux)
    import CForceField
    import Glibc

    /// This process's own group of version 2, and what it takes to have groups of workers below it.
    ///
    /// A group that hands controllers down has no process itself, unless it is the root. So the process moves into a
    /// leaf beside the workers' groups: where the system has handed the group over to it (has *delegated* it), and no
    /// other process is in it. What is not handed over is the system's to change, also where the kernel would let it be
    /// changed.
    ///
    /// Source: `forcefield` section 7.6; "Control Group APIs and Delegation" of systemd.
    struct UnifiedGroup {
        /// The absolute path of the group's folder below the mount of cgroup2.
        let path: String
        /// Where the hierarchy begins as this process sees it: in a container that is what the container has been
        /// given.
        let mountPoint: String

        /// Why there can be no groups below it.
        enum Refusal: Error, Hashable, Sendable {
            case notWritable
            /// The group lacks the controllers of memory or processes.
            case noControllers
            case notDelegated
            /// Other processes are in the group.
            case shared
        }

        private static let wanted = ["memory", "pids"]

        /// - Returns: nil if workers can have groups.
        func refusal(isWritable: (String) -> Bool) -> Refusal? {
            guard isWritable(path) else { return .notWritable }
            if handsDown { return nil }
            guard Self.names(path + "/cgroup.controllers").isSuperset(of: Self.wanted) else { return .noControllers }
            guard isDelegated, !isRoot else { return .notDelegated }
            guard isWritable(path + "/cgroup.subtree_control"), isWritable(path + "/cgroup.procs") else {
                return .notWritable
            }
            return isAlone ? nil : .shared
        }

        /// Makes groups below it possible.
        ///
        /// - Returns: the leaf that this process has moved into; nil if it did not have to.
        /// - Throws: ``Refusal``; everything is then as it was.
        func prepare(isWritable: (String) -> Bool) throws(Refusal) -> Leaf? {
            if let refusal = refusal(isWritable: isWritable) { throw refusal }
            if handsDown { return nil }
            let leaf = Leaf(parent: path, path: "\(path)/forcefield-\(getpid())-0")
            guard mkdir(leaf.path, 0o755) == 0 || errno == EEXIST else { throw .notWritable }
            guard Self.move(to: leaf.path) else {
                rmdir(leaf.path)
                throw .notWritable
            }
            guard SystemFile.write("+memory +pids", to: path + "/cgroup.subtree_control") else {
                // Another process has come in meanwhile.
                leaf.leave()
                throw .shared
            }
            return leaf
        }

        /// Where this process is while its workers have groups beside it.
        struct Leaf: Sendable {
            let parent, path: String

            /// Goes back, as far as nothing is left below the parent.
            func leave() {
                _ = SystemFile.write("-memory -pids", to: parent + "/cgroup.subtree_control")
                if UnifiedGroup.move(to: parent) { rmdir(path) }
            }
        }

        private static func move(to group: String) -> Bool {
            SystemFile.write("\(getpid())", to: group + "/cgroup.procs")
        }

        private static func names(_ file: String) -> Set<String> {
            Set((SystemFile.text(file) ?? "").split { $0 == " " || $0 == "\n" }.map(String.init))
        }

        private var handsDown: Bool { Self.names(path + "/cgroup.subtree_control").isSuperset(of: Self.wanted) }

        /// Whether it is the group of the whole machine, whose controllers are its administrator's.
        private var isRoot: Bool { access(path + "/cgroup.type", F_OK) != 0 }

        private var isDelegated: Bool {
            if path == mountPoint || access("/run/systemd/system", F_OK) != 0 { return true }
            return cforcefield_group_is_delegated(path) == 1
        }

        private var isAlone: Bool { Self.names(path + "/cgroup.procs").isSubset(of: ["\(getpid())"]) }
    }
#endif
