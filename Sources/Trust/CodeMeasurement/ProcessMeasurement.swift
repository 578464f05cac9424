#if os(Linux)
    import ExecutableImage
    import Files
    import Glibc

    /// Looks at a live process through the kernel: levels L2 to L5. It keeps the memory of its buffers from one look to
    /// the next.
    ///
    /// Hashing files (L1) and remembering the result is the caller's; so is the list of images, whose files the caller
    /// opens by ``executableFiles()``.
    ///
    /// Source: `vigil` sections 4 and 9.3.
    public struct ProcessMeasurement: Sendable {
        /// The process that is looked at.
        public let process: ObservedProcess
        /// The handles by which the last look was taken.
        public private(set) var handles: MeasurementHandles
        /// What the process is asked for.
        public var policy: MeasurementPolicy
        /// The file that the process runs; nil where it may not be known.
        public let executable: FileKey?
        /// The handles that the process sent, behind those that were opened when it was met.
        private let kept: MeasurementHandles
        /// A descriptor of the memory map that the process had when it was met.
        private let firstMaps: OpenFile?
        private let opensOwn: Bool
        /// Whether the last look was taken by handles that were opened for it.
        private var isFirsthand = false
        private var map = MemoryMap()
        private var laterMap = MemoryMap()

        /// - Parameters:
        ///   - handles: that the process sent of itself. They serve where the kernel does not let this process open its
        ///     own.
        ///   - opened: by the number of the process, when it was met.
        ///   - opensOwn: whether each look opens handles by the number of the process. Not doing so is for tests: it is
        ///     what a user sees who may not look into the process.
        /// - Throws: ``Reason/peerIdentity`` if the process has ended; ``Reason/unmeasurable`` if the handles are of
        ///   another program than the process runs.
        public init(
            of process: ObservedProcess, handles: MeasurementHandles = MeasurementHandles(),
            opened: MeasurementHandles? = nil, opensOwn: Bool = true, policy: MeasurementPolicy = MeasurementPolicy()
        ) throws(MeasurementRefusal) {
            self.process = process
            self.opensOwn = opensOwn
            self.policy = policy
            var met = opened ?? MeasurementHandles()
            if opened == nil, opensOwn { met = try MeasurementHandles(of: process) }
            kept = met.completed(by: handles)
            self.handles = kept
            firstMaps = kept.maps
            executable = kept.executable.flatMap { try? FileKey(descriptor: $0.number) }
            let claimed = handles.executable.flatMap { try? FileKey(descriptor: $0.number) }
            guard claimed == nil || claimed == executable, try runsItsExecutable() else {
                throw MeasurementRefusal(
                    .unmeasurable, "the handle for exe is another file than process \(process.process) runs")
            }
        }

        /// What names the process in the log.
        public var identity: ProcessIdentity { process.identity(executable: executable) }

        /// Opens handles anew, for the memory that the process has now: those that were opened or sent before are of
        /// the memory that it had then, and another process may keep that. The caller has to check afterwards that it
        /// still is the same process.
        ///
        /// - Parameter contents: whether the memory itself is going to be read.
        private mutating func openHandles(contents: Bool = false) throws(MeasurementRefusal) {
            let mask: HandleMask = contents ? [.usual, .memory] : .usual
            let own = opensOwn ? try MeasurementHandles(opening: mask, of: process) : MeasurementHandles()
            isFirsthand =
                own.mask.isSuperset(of: .usual) && (!contents || own.memory != nil || kept.memory == nil)
            handles = own.completed(by: kept)
            try checkFirstMemory()
        }

        /// A process that runs another program has lost the memory it was met with.
        private func checkFirstMemory() throws(MeasurementRefusal) {
            guard let firstMaps else { return }
            var byte: UInt8 = 0
            let count: Int
            do throws(Errno) {
                count = try withUnsafeMutableBytes(of: &byte) { buffer throws(Errno) in
                    try firstMaps.readOnce(at: 0, into: buffer)
                }
            } catch {
                count = 0
            }
            guard count > 0 else { throw MemoryMap.gone }
        }

        /// The files whose code is mapped, by path, for the caller to open those of its bundle.
        ///
        /// - Throws: ``Reason/unmeasurable``; ``Reason/peerIdentity`` if the process has ended or runs another program.
        public mutating func executableFiles() throws(MeasurementRefusal) -> [(path: String, key: FileKey)] {
            try openHandles()
            try process.check()
            guard let maps = handles.maps else {
                throw MeasurementRefusal(.unmeasurable, "the memory map of process \(process.process) may not be read")
            }
            try map.reload(from: maps)
            var seen: Set<FileKey> = []
            return map.mappings.compactMap { mapping in
                guard mapping.protection.isExecutable, mapping.hasFile, seen.insert(mapping.key).inserted else {
                    return nil
                }
                return (map.path(of: mapping), mapping.key)
            }
        }

        /// Looks at the contents of memory.
        ///
        /// - Parameter biases: by how much each of ``MeasuredProgram/images`` was moved; nil for one that is not
        ///   mapped.
        /// - Returns: what does not fit; nil if all is well.
        public typealias ContentCheck = (
            _ memory: MemoryContents, _ biases: [UInt64?]
        ) throws(ImageFailure) -> Finding?

        /// Takes one look: a debugger, the memory map, the page tables, the contents if asked for, the map once more,
        /// behaviour, and whether it still is the same process. The first thing that is not as it has to be ends it.
        ///
        /// - Parameters:
        ///   - program: what the process has to run.
        ///   - contents: level L4.
        public mutating func look(at program: MeasuredProgram, contents: ContentCheck? = nil) -> MeasurementOutcome {
            var outcome = MeasurementOutcome()
            if !process.isStrong { outcome.flags.insert(.weakIdentity) }
            do throws(MeasurementRefusal) {
                try take(program, contents: contents, &outcome)
            } catch {
                outcome.reason = error.reason
                outcome.finding = error.finding
            }
            map.releaseLargeBuffers()
            laterMap.releaseLargeBuffers()
            return outcome
        }

        private mutating func take(
            _ program: MeasuredProgram, contents: ContentCheck?, _ outcome: inout MeasurementOutcome
        ) throws(MeasurementRefusal) {
            try openHandles(contents: contents != nil)
            if isFirsthand {
                outcome.levels.insert(.firsthand)
            } else {
                outcome.flags.insert(.secondhand)
            }
            let status = try checkTracer()
            guard try runsItsExecutable() else {
                throw MeasurementRefusal(.peerIdentity, "process \(process.process) runs another program than before")
            }
            let shape = try takeMemory(program, contents: contents, &outcome)
            if policy.levels.contains(.behaviour) {
                outcome.levels.insert(.behaviour)
                let observation = ProcessObservation(
                    process.process, status: status, shape: shape, executable: handles.executable,
                    digest: policy.digest)
                let verdict = BehaviourVerdict(policy.rules.filter { $0 != .notTraced }, observation.read)
                if verdict.isEnvironmentUnreadable { outcome.flags.insert(.environmentUnreadable) }
                if let finding = verdict.finding { throw MeasurementRefusal(verdict.reason, finding) }
            }
            try process.check()
        }

        /// The shape of the memory map against the program's own file, without asking whether that is the right one:
        /// for learning.
        mutating func shapeOfItself() -> MapShape? {
            guard let maps = handles.maps, let executable = handles.executable, (try? map.reload(from: maps)) != nil
            else { return nil }
            let number = fcntl(executable.number, F_DUPFD_CLOEXEC, 0)
            guard number >= 0, let file = try? OpenedFile(taking: number),
                let image = try? ExecutableFile(parsing: file).images.first
            else { return nil }
            let main = try? MeasuredImage(path: "", descriptor: executable.number, image)
            guard let main else { return nil }
            var files = ExternalFiles()
            return MapShape(
                map, program: MeasuredProgram(main: main), policy: policy.map, pageSize: PageTable.systemPageSize
            ) { files.examine($0, $1) }
        }

        /// - Throws: ``Reason/traced``, also where that cannot be known.
        private func checkTracer() throws(MeasurementRefusal) -> ProcessStatus? {
            let text = try? ProcessObservation.readStatus(process.process).get()
            let status = text.map(ProcessStatus.init)
            switch ProcessObservation.tracer(of: process.process, status) {
            case 0?: return status
            case let tracer?:
                throw MeasurementRefusal(.traced, BehaviourRule.notTraced.finding("process \(tracer) traces it"))
            case nil:
                // Whether there is nothing to read because the process has ended.
                try process.check()
                throw MeasurementRefusal(
                    .traced, BehaviourRule.notTraced.finding("whether it is traced cannot be known"))
            }
        }

        /// L2, L3 and L4, between two readings of the map; once more where a file was renamed or removed meanwhile.
        private mutating func takeMemory(
            _ program: MeasuredProgram, contents: ContentCheck?, _ outcome: inout MeasurementOutcome
        ) throws(MeasurementRefusal) -> MapShape? {
            guard policy.needsMap || contents != nil, let maps = handles.maps else { return nil }
            for _ in 0..<Self.attempts {
                let shape = try takeMemory(program, from: maps, contents: contents, &outcome)
                // A descriptor for the memory that the process has by now.
                let later = isFirsthand ? try MeasurementHandles(opening: .maps, of: process).maps : nil
                if let later, map.stillShowsCode(of: later, { shape.hasCode(in: $0) }) { return shape }
                try Self.reload(
                    &laterMap, from: later ?? maps, isFirsthand: isFirsthand, of: process.process, like: map)
                // Constants and the tables by which the stack is unwound are not executable, and decide what runs as
                // well.
                switch map.changeOfCode(in: laterMap, { shape.hasCode(in: $0) }) {
                case nil: return shape
                case .names: continue
                case .memory:
                    throw MeasurementRefusal(.foreignCode, "the memory of code changed while it was looked at")
                }
            }
            throw MeasurementRefusal(
                .foreignCode, "the files of code were renamed again and again while it was looked at")
        }

        private mutating func takeMemory(
            _ program: MeasuredProgram, from maps: OpenFile, contents: ContentCheck?,
            _ outcome: inout MeasurementOutcome
        ) throws(MeasurementRefusal) -> MapShape {
            try Self.reload(&map, from: maps, isFirsthand: isFirsthand, of: process.process)
            var files = ExternalFiles()
            let shape = MapShape(
                map, program: program, policy: policy.map, pageSize: PageTable.systemPageSize
            ) { path, key in
                let found = files.examine(path, key)
                guard found == .trusted, let examineExternal = policy.examineExternal else { return found }
                return examineExternal(path, key)
            }
            outcome.levels.insert(.mapShape)
            outcome.flags.formUnion(shape.flags)
            if let finding = shape.findings.first { throw MeasurementRefusal(.foreignCode, finding) }
            try checkFiles(of: shape, program, against: files, &outcome)

            if policy.levels.contains(.codePages), let pagemap = handles.pagemap {
                var pageTable = PageTable(pagemap)
                let findings = try CodePage.findings(in: shape, of: program) { addresses throws(MeasurementRefusal) in
                    try pageTable.privateCopies(in: addresses)
                }
                try pageTable.check(map)
                outcome.levels.insert(.codePages)
                if let finding = findings.first { throw MeasurementRefusal(.codeModified, finding) }
            }
            if let contents {
                outcome.levels.insert(.contents)
                try check(contents, biases: shape.biases, maps: maps)
            }
            return shape
        }

        /// Asks the kernel for the files of code that the map does not tell from all others.
        private func checkFiles(
            of shape: MapShape, _ program: MeasuredProgram, against files: ExternalFiles,
            _ outcome: inout MeasurementOutcome
        ) throws(MeasurementRefusal) {
            var expected = files.ambiguous
            for image in program.images { expected[image.key] = image.file }
            guard !expected.isEmpty else { return }
            for mapping in map.mappings where shape.hasCode(in: mapping.addresses) {
                guard let file = expected[mapping.key] else { continue }
                switch MappedFile.key(of: mapping, in: process.process) {
                case .success(file): continue
                case .failure(let failure) where failure.isRefusal:
                    outcome.flags.insert(.deviceMismatch)
                    outcome.levels.remove(.firsthand)
                    return
                case .success, .failure:
                    throw MeasurementRefusal(
                        .foreignCode,
                        Finding("another file of the same number", path: map.path(of: mapping), address: mapping.start))
                }
            }
        }

        /// Reads the map. If it came from the process, its sizes have to be those that the kernel tells of the memory
        /// that the process has at that moment.
        private static func reload(
            _ map: inout MemoryMap, from maps: OpenFile, isFirsthand: Bool, of process: Int32,
            like former: MemoryMap? = nil
        ) throws(MeasurementRefusal) {
            guard !isFirsthand else { return try map.reload(from: maps, like: former) }
            var failure = MeasurementRefusal(
                .peerIdentity,
                "the memory map is not that of the memory of process \(process), or that never stands still")
            for _ in 0..<attempts {
                let before = memorySizes(of: process)
                do throws(MeasurementRefusal) {
                    try map.reload(from: maps, isShared: true)
                } catch {
                    guard error.reason == .unmeasurable else { throw error }
                    failure = error
                    continue
                }
                if MemorySizes(of: map) == before, before == memorySizes(of: process) { return }
            }
            throw failure
        }

        /// How often a program is looked at anew that maps and unmaps memory meanwhile.
        private static let attempts = 64

        private static func memorySizes(of process: Int32) -> MemorySizes? {
            (try? ProcessObservation.readStatus(process).get())
                .flatMap { ProcessStatus($0).memory }
        }

        private mutating func check(
            _ contents: ContentCheck, biases: [UInt64?], maps: OpenFile
        ) throws(MeasurementRefusal) {
            let finding: Finding?
            do throws(ImageFailure) {
                let memory = MemoryContents(of: process, handle: handles.memory)
                finding = try contents(memory, biases)
            } catch {
                // Whether it is the process that is gone.
                try laterMap.reload(from: maps)
                throw MeasurementRefusal(.unmeasurable, "the memory cannot be read: \(error)")
            }
            if let finding { throw MeasurementRefusal(.hashMismatch, finding) }
        }

        /// Whether the process runs the file of its handle; also true where that may not be known, and then a look is
        /// not ``Levels/firsthand``.
        ///
        /// - Throws: ``Reason/peerIdentity`` if there is no such process any more.
        private func runsItsExecutable() throws(MeasurementRefusal) -> Bool {
            guard opensOwn, let expected = executable else { return true }
            var status = stat()
            if stat("/proc/\(process.process)/exe", &status) == 0 { return FileKey(status) == expected }
            let failure = Errno(rawValue: errno)
            if failure.isRefusal { return true }
            throw MeasurementRefusal(
                failure.isAbsence ? .peerIdentity : .unmeasurable,
                "the program of process \(process.process) cannot be examined: \(failure)")
        }
    }
#endif
