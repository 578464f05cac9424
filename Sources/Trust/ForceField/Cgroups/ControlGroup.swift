#if os(Linux)
    import Files
    import Glibc

    /// A control group of one worker.
    ///
    /// Source: `forcefield` section 7.6.
    struct ControlGroup: Sendable {
        private let folders: [ControlGroups.Parent]

        /// Takes a group that is there already.
        init(_ folders: [ControlGroups.Parent]) { self.folders = folders }

        /// - Returns: nil if not all of it can be made; nothing is left then.
        init?(below parents: [ControlGroups.Parent], name: String, _ limits: ResourceLimits) {
            var made: [ControlGroups.Parent] = []
            var isComplete = true
            for parent in parents where isComplete {
                let folder = ControlGroups.Parent(kind: parent.kind, path: parent.path + "/" + name)
                guard mkdir(folder.path, 0o755) == 0 else {
                    isComplete = false
                    break
                }
                made.append(folder)
                isComplete = Self.limit(folder, limits)
            }
            folders = made
            guard isComplete else {
                _ = remove()
                return nil
            }
        }

        private static func limit(_ folder: ControlGroups.Parent, _ limits: ResourceLimits) -> Bool {
            func write(_ name: String, _ value: UInt64) -> Bool {
                SystemFile.write("\(value)", to: folder.path + "/" + name)
            }
            // The warden, stage 0 and the process between it and the worker are in the group, too.
            let processes = limits.processes + 3
            switch folder.kind {
            case .unified:
                guard write("memory.max", limits.memoryBytes), write("pids.max", processes) else { return false }
                // Where the system has no swap, or older kernels no such file, there is nothing to be set.
                _ = write("memory.swap.max", 0)
                _ = write("memory.oom.group", 1)
                return true
            case .memory:
                guard write("memory.limit_in_bytes", limits.memoryBytes) else { return false }
                _ = write("memory.memsw.limit_in_bytes", limits.memoryBytes)
                return true
            case .processes: return write("pids.max", processes)
            }
        }

        /// Starts a process in the group.
        ///
        /// Under version 1 this thread goes into the group, where its child then begins, and back: for a thread that
        /// moves itself the kernel does without the lock of the whole system that it takes to move another process, and
        /// for which that waits ten milliseconds.
        ///
        /// - Parameter start: gives the process, or nil if there is none.
        /// - Returns: whether the process is in the group.
        func place(_ start: () -> Int32?) -> Bool {
            guard folders.allSatisfy({ $0.kind != .unified }) else {
                guard let process = start() else { return false }
                return folders.allSatisfy { SystemFile.write("\(process)", to: $0.path + "/cgroup.procs") }
            }
            let isInside = folders.allSatisfy { Self.enter($0.path) }
            let process = start()
            // A thread that could not leave would be taken along by the next group that it enters.
            for folder in folders { _ = Self.enter(folder.above) }
            return isInside && process != nil
        }

        /// Moves this thread into a group.
        private static func enter(_ path: String) -> Bool { SystemFile.write("0", to: path + "/tasks") }

        /// How often the kernel killed a process of the group for lack of memory.
        var outOfMemoryKills: Int {
            for folder in folders {
                let file = folder.kind == .unified ? "/memory.events" : "/memory.oom_control"
                guard folder.kind != .processes, let text = SystemFile.text(folder.path + file) else { continue }
                for line in text.split(separator: "\n") {
                    let words = line.split(separator: " ")
                    if words.count == 2, words[0] == "oom_kill", let count = Int(words[1]) { return count }
                }
            }
            return 0
        }

        /// Tries to remove the group.
        ///
        /// - Returns: false while it has processes.
        func remove() -> Bool {
            folders.reduce(true) { isGone, folder in (rmdir(folder.path) == 0 || errno != EBUSY) && isGone }
        }
    }
#endif
