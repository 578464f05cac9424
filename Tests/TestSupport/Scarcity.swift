#if os(Linux)
    import Glibc

    /// What a process is like that has used something up. For processes of their own (exit tests): the limits are those
    /// of the whole process.
    package enum Scarcity {
        private static let nobody: uid_t = 65_534

        /// Runs `body` while the system gives this process no thread. Root has no limit, so it is nobody meanwhile.
        package static func ofThreads<R>(_ body: () throws -> R) throws -> R {
            let isRoot = getuid() == 0
            return try with(__RLIMIT_NPROC.rawValue, 0) {
                // The saved user stays root, which leads back.
                if isRoot { try check(setreuid(nobody, uid_t.max) | seteuid(nobody)) }
                defer { if isRoot { _ = seteuid(0) | setreuid(0, 0) } }
                return try body()
            }
        }

        /// Runs `body` while this process has only `limit` descriptors, of which `free` are not used.
        package static func ofDescriptors<R>(_ limit: Int32, free: Int, _ body: () throws -> R) throws -> R {
            try with(RLIMIT_NOFILE.rawValue, rlim_t(limit)) {
                var taken: [Int32] = []
                defer { for number in taken { close(number) } }
                while let last = Optional(dup(0)), last >= 0 { taken.append(last) }
                // The highest of them: a new one has the lowest number.
                for number in taken.suffix(free) { close(number) }
                taken.removeLast(free)
                return try body()
            }
        }

        private static func with<R>(_ number: UInt32, _ most: rlim_t, _ body: () throws -> R) throws -> R {
            let kind = __rlimit_resource_t(number)
            var usual = rlimit()
            try check(getrlimit(kind, &usual))
            var limit = rlimit(rlim_cur: most, rlim_max: usual.rlim_max)
            try check(setrlimit(kind, &limit))
            defer { setrlimit(kind, &usual) }
            return try body()
        }

        private static func check(_ result: Int32) throws {
            guard result == 0 else { throw ChildProgram.Failure(description: String(cString: strerror(errno))) }
        }
    }
#endif
