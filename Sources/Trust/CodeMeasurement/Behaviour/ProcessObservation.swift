#if os(Linux)
    import Files
    import Glibc

    /// Reads the fields that rules ask for, from `/proc/PID`.
    ///
    /// Source: `vigil` section 9.3.
    struct ProcessObservation {
        let process: Int32
        let status: ProcessStatus?
        /// Nil where the memory map could not be read.
        let shape: MapShape?
        let executable: OpenFile?
        /// Computes SHA-256, for the command line.
        let digest: (@Sendable ([UInt8]) -> [UInt8])?
        private let environment: Result<EnvironmentBlock, Errno>

        init(
            _ process: Int32, status: ProcessStatus?, shape: MapShape?, executable: OpenFile?,
            digest: (@Sendable ([UInt8]) -> [UInt8])?
        ) {
            self.process = process
            self.status = status
            self.shape = shape
            self.executable = executable
            self.digest = digest
            environment = Self.read(process, "environ", limit: 4 << 20).map(EnvironmentBlock.init)
        }

        func read(_ field: BehaviourField) -> FieldReading {
            switch field {
            case .tracer: .number(Self.tracer(of: process, status))
            case .seccomp: .number(status?.seccomp)
            case .seccompFilters: .number(status?.seccompFilters)
            case .noNewPrivileges: .number(status?.noNewPrivileges)
            case .effectiveCapabilities: .number(status?.effectiveCapabilities)
            case .permittedCapabilities: .number(status?.permittedCapabilities)
            case .effectiveUser: .number(status?.effectiveUser)
            case .threads: .number(status?.threads)
            case .coreDumping: .number(status?.coreDumping)
            case .dumpable: .number(dumpable)
            case .environment(let name): variable(name)
            case .foreignExecutable: .number(shape.map { UInt64($0.foreignCount) })
            case .writableExecutable: .number(shape.map { UInt64($0.writableExecutableCount) })
            case .anonymousExecutable: .number(shape.map { UInt64($0.anonymousExecutableCount) })
            case .descriptors: reading(links(resolved: false)) { UInt64($0.count) }
            case .networkSockets: networkSockets
            case .coreSize: .number(coreSize)
            case .executablePath: executablePath
            case .commandLineDigest: commandLineDigest
            }
        }

        private func variable(_ name: String) -> FieldReading {
            switch environment {
            case .success(let block): block.reading(of: name)
            case .failure(let failure): failure.isRefusal ? .hidden : .unreadable
            }
        }

        /// The owner of its files in `/proc`: its user, or root if it lets no other process look into it.
        private var dumpable: UInt64? {
            var status = stat()
            guard stat("/proc/\(process)/environ", &status) == 0 else { return nil }
            return status.st_uid == 0 ? 0 : 1
        }

        private var coreSize: UInt64? {
            (try? Self.read(process, "limits", limit: 1 << 14, isOnePiece: true).get()).flatMap {
                ProcessLimits($0).softCoreSize
            }
        }

        private var executablePath: FieldReading {
            let path = SymbolicLink.destination(of: "/proc/\(process)/exe") ?? executable.flatMap(HandleCheck.path(of:))
            return path.map { .value(.text($0)) } ?? .unreadable
        }

        private var commandLineDigest: FieldReading {
            guard let digest, let line = try? Self.read(process, "cmdline", limit: 4 << 20).get() else {
                return .unreadable
            }
            return .value(.text(digest(line).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()))
        }

        // MARK: Descriptors

        /// The kernel is asked for each descriptor; where it does not tell, its tables have those with an address.
        private var networkSockets: FieldReading {
            let folder = "/proc/\(process)/fd"
            let sockets = links(resolved: false).flatMap { names in
                Self.each(names) { NetworkSocket.isOne(at: "\(folder)/\($0)") }
            }
            if case .failure(let failure) = sockets, NetworkSocket.isUntold(failure) { return listedSockets }
            return reading(sockets) { sockets in UInt64(sockets.count { $0 }) }
        }

        private var listedSockets: FieldReading {
            var table = SocketTable()
            for name in SocketTable.names {
                switch Self.read(process, "net/\(name)", limit: 16 << 20) {
                case .success(let text): table.add(text)
                // A kernel without the protocol has no sockets of it.
                case .failure(let failure) where failure == .noSuchFileOrDirectory: continue
                case .failure: return .unreadable
                }
            }
            return reading(links(resolved: true)) { links in
                UInt64(links.count { SocketTable.inode(of: $0).map(table.inodes.contains) ?? false })
            }
        }

        private func reading<T>(_ found: Result<[T], Errno>, _ count: ([T]) -> UInt64) -> FieldReading {
            switch found {
            case .success(let found): .number(count(found))
            case .failure(let failure): failure.isRefusal ? .hidden : .unreadable
            }
        }

        /// - Parameter resolved: whether to give where the descriptors lead, or only their numbers.
        private func links(resolved: Bool) -> Result<[String], Errno> {
            let folder = "/proc/\(process)/fd"
            let names = Self.names(in: folder)
            guard resolved else { return names }
            return names.flatMap { names in Self.each(names) { SymbolicLink.reading("\(folder)/\($0)") } }
        }

        /// What is read of descriptors, those that are gone and those that lead too far to be a socket left out.
        static func each<T>(
            _ names: [String], _ reading: (String) -> Result<T, Errno>
        ) -> Result<[T], Errno> {
            var found: [T] = []
            for name in names {
                switch reading(name) {
                case .success(let one): found.append(one)
                case .failure(let failure) where failure.isAbsence || failure == .fileNameTooLong: continue
                case .failure(let failure): return .failure(failure)
                }
            }
            return .success(found)
        }

        // MARK: Reading

        /// The first process that traces a thread of this one; 0 if none does, nil where that cannot be known.
        static func tracer(of process: Int32, _ status: ProcessStatus?) -> UInt64? {
            guard let tracer = status?.tracer else { return nil }
            if tracer != 0 || status?.threads == 1 { return tracer }
            guard let threads = try? names(in: "/proc/\(process)/task").get(), threads.count <= threadLimit else {
                return nil
            }
            // What is known of the process is that of its first thread.
            return Self.tracer(ofThreads: threads.filter { $0 != String(process) }) {
                readStatus(process, "task/\($0)/status")
            }
        }

        /// - Parameter status: reads what the kernel says of a thread.
        static func tracer(ofThreads threads: [String], _ status: (String) -> Result<[UInt8], Errno>) -> UInt64? {
            for thread in threads {
                switch status(thread) {
                case .success(let text):
                    guard let tracer = ProcessStatus.tracer(in: text) else { return nil }
                    if tracer != 0 { return tracer }
                // It has ended in between.
                case .failure(let failure) where failure.isAbsence: continue
                case .failure: return nil
                }
            }
            return 0
        }

        private static let statusLimit = 1 << 16
        private static let threadLimit = 4096

        static func readStatus(_ process: Int32, _ name: String = "status") -> Result<[UInt8], Errno> {
            read(process, name, limit: statusLimit, isOnePiece: true)
        }

        static func read(
            _ process: Int32, _ name: String, limit: Int, isOnePiece: Bool = false
        ) -> Result<[UInt8], Errno> {
            do throws(Errno) {
                var text: [UInt8] = []
                try OpenFile(opening: "/proc/\(process)/\(name)").readAll(
                    into: &text, limit: limit, isOnePiece: isOnePiece)
                return .success(text)
            } catch {
                return .failure(error)
            }
        }

        private static func names(in folder: String) -> Result<[String], Errno> {
            guard let stream = opendir(folder) else { return .failure(Errno(rawValue: errno)) }
            defer { closedir(stream) }
            var names: [String] = []
            while true {
                // The end and a failure look alike but for this.
                errno = 0
                guard let entry = readdir(stream) else {
                    return errno == 0 ? .success(names) : .failure(Errno(rawValue: errno))
                }
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
                }
                if !name.hasPrefix(".") { names.append(name) }
            }
        }
    }
#endif
