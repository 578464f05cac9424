#if os(Linux)
    import Files
    import Glibc
    import Synchronization

    /// The control groups of this process, below which workers get their own.
    ///
    /// Version 2 where its controllers are and the system has handed the group over, else version 1. Nothing is touched
    /// that was not made here, but for this process's own place (``UnifiedGroup``).
    ///
    /// Source: `forcefield` section 7.6.
    struct ControlGroups: Sendable {
        /// One for version 2; for version 1 one of `memory` and one of `pids`, as far as there are.
        let parents: [Parent]
        /// Where this process has gone to make room; nil where it did not have to.
        private(set) var leaf: UnifiedGroup.Leaf?

        struct Parent: Hashable, Sendable {
            enum Kind: Hashable, Sendable {
                case unified
                case memory
                case processes
            }

            let kind: Kind
            /// The absolute path of a folder that this process may write.
            let path: String

            var above: String { String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) }
        }

        private static let counter = Mutex(0)

        /// The groups of this process; nil where it may make none. The first use may move the process.
        static let own: ControlGroups? = {
            let own = look { ControlGroups(memberships: $0, mounts: $1, isWritable: isWritable) }
            for parent in own?.parents ?? [] { removeLeftovers(below: parent.path) }
            isMade.store(own?.leaf != nil, ordering: .relaxed)
            return own
        }()

        private static let isMade = Atomic(false)

        /// Moves this process back to where it was, if it has left that.
        static func leave() {
            if isMade.exchange(false, ordering: .relaxed) { own?.leaf?.leave() }
        }

        /// Why this process may make none; nil if it may. Looks, and changes nothing.
        static var obstacle: Obstacle? {
            let found: Obstacle?? = look { memberships, mounts in
                let unified = Self.unified(memberships: memberships, mounts: mounts)
                let refusal = unified.map { $0.refusal(isWritable: isWritable) } ?? .notWritable
                guard let refusal,
                    Self.versionOne(memberships: memberships, mounts: mounts, isWritable: isWritable).isEmpty
                else {
                    return .some(nil)
                }
                return Obstacle(refusal, hasVersionTwo: unified != nil)
            }
            return found ?? .other(stage: .go, errno: ENOENT)
        }

        private static func isWritable(_ path: String) -> Bool { access(path, W_OK) == 0 }

        private static func look<Result>(_ body: (_ memberships: String, _ mounts: String) -> Result?) -> Result? {
            guard let memberships = SystemFile.text("/proc/self/cgroup"),
                let mounts = SystemFile.text("/proc/self/mountinfo")
            else { return nil }
            return body(memberships, mounts)
        }

        /// - Parameters:
        ///   - memberships: as `/proc/self/cgroup` has them.
        ///   - mounts: as `/proc/self/mountinfo` has them.
        ///   - isWritable: whether folders can be made in a folder.
        init?(memberships: String, mounts: String, isWritable: (String) -> Bool) {
            if let unified = Self.unified(memberships: memberships, mounts: mounts) {
                do throws(UnifiedGroup.Refusal) {
                    leaf = try unified.prepare(isWritable: isWritable)
                    parents = [Parent(kind: .unified, path: unified.path)]
                    return
                } catch { leaf = nil }
            }
            parents = Self.versionOne(memberships: memberships, mounts: mounts, isWritable: isWritable)
            guard !parents.isEmpty else { return nil }
        }

        private static func unified(memberships: String, mounts: String) -> UnifiedGroup? {
            let mounts = GroupMount.all(mounts)
            guard let path = folder(of: "", GroupMembership.all(memberships), mounts) else { return nil }
            let point = mounts.first { $0.controllers.contains("") }?.point
            return UnifiedGroup(path: path, mountPoint: point ?? path)
        }

        private static func versionOne(
            memberships: String, mounts: String, isWritable: (String) -> Bool
        ) -> [Parent] {
            let (groups, mounts) = (GroupMembership.all(memberships), GroupMount.all(mounts))
            return [("memory", Parent.Kind.memory), ("pids", .processes)].compactMap { name, kind in
                guard let path = folder(of: name, groups, mounts), isWritable(path) else { return nil }
                return Parent(kind: kind, path: path)
            }
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

        /// Removes the groups of hosts that were killed, who could not remove them. The kernel removes none that has a
        /// process.
        static func removeLeftovers(below path: String) {
            guard let names = try? Folder(FilePath(path), followsLinks: true).names() else { return }
            let now = time(nil)
            for name in names {
                let parts = name.split(separator: "-")
                guard parts.count == 3, parts[0] == "forcefield", let host = pid_t(parts[1]), host > 0,
                    Int(parts[2]) != nil, kill(host, 0) != 0, errno == ESRCH
                else { continue }
                let folder = path + "/" + name
                guard let facts = try? Stat(FilePath(folder)), facts.st_mtim.tv_sec + leftoverAge < now else {
                    continue
                }
                rmdir(folder)
            }
        }
    }

    extension Obstacle {
        fileprivate init(_ refusal: UnifiedGroup.Refusal, hasVersionTwo: Bool) {
            switch refusal {
            case .shared: self = .sharedGroup
            case .noControllers where hasVersionTwo: self = .groupControllers
            case .notDelegated: self = .groupNotDelegated
            case .notWritable where hasVersionTwo: self = .groupNotDelegated
            default: self = .other(stage: .go, errno: EACCES)
            }
        }
    }

    /// A line of `/proc/self/cgroup`, as `4:memory:/a/b`.
    private struct GroupMembership {
        static func all(_ text: String) -> [Self] { text.split(separator: "\n").compactMap { Self($0) } }

        /// Names of controllers; one empty name for version 2.
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
        static func all(_ text: String) -> [Self] { text.split(separator: "\n").compactMap { Self($0) } }

        /// Names of controllers; one empty name for version 2.
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
