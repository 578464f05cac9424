#if os(Linux)
    import CodeMeasurement
    import Cryptography
    import ExecutableImage
    import Glibc
    import Synchronization

    /// Looks at the process behind a Unix socket by what the kernel tells of it.
    ///
    /// Source: `vigil` section 4.
    package struct KernelInspector: PeerInspector {
        let expected: ExpectedProgram
        let policy: MeasurementPolicy
        var peers: PeerPolicy
        /// What alone may connect where root has installed it; then every look is first-hand and reads the environment.
        let installed: InstalledProgram?
        let files: FileMeasurements
        let samplePages: Int

        /// - Parameters:
        ///   - expected: what the other side has to be.
        ///   - policy: its external names are replaced by those of the manifest.
        ///   - peers: who may be at the other end.
        ///   - installed: the one program that may be at the other end; nil where it is known by its content alone.
        ///   - samplePages: pages of code that one look at the memory's contents compares.
        package init(
            _ expected: ExpectedProgram, _ policy: MeasurementPolicy, peers: PeerPolicy,
            installed: InstalledProgram? = nil, files: FileMeasurements = FileMeasurements(), samplePages: Int = 64
        ) {
            self.expected = expected
            var policy = policy
            policy.map.externalNames = expected.externalNames
            policy.map.pinnedNames = Set(expected.pinnedExternals.keys)
            let pinned = PinnedLibraries(expected.pinnedExternals)
            policy.examineExternal = { pinned.examine($0, $1) }
            policy.digest = { SHA256Hash.of($0) }
            self.policy = policy
            self.peers = peers
            self.installed = installed
            self.files = files
            self.samplePages = samplePages
        }

        package func inspect(_ channel: any MessageChannel) throws(Refusal) -> any InspectedPeer {
            guard let channel = channel as? UnixSocketChannel else {
                throw Refusal(.unmeasurable, "the kernel tells nothing of a peer without a socket")
            }
            return try LookingRight.raised { () throws(Refusal) in
                try measuring { () throws(MeasurementRefusal) in
                    let (credentials, process) = try channel.observedPeer()
                    try peers.check(credentials, ownProcess: getpid())
                    try checkInstalled(process)
                    return KernelPeer(self, process, opened: try MeasurementHandles(of: process))
                }
            }
        }

        /// Whether a process is the installed program, where only that one is admitted.
        fileprivate func checkInstalled(_ process: ObservedProcess) throws(MeasurementRefusal) {
            guard let installed else { return }
            do throws(ConfigurationError) { try TrustedPath(owners: [0]).check(installed.path) } catch {
                throw MeasurementRefusal(.peerIdentity, error.description)
            }
            try installed.check(process)
        }
    }

    extension UnixSocketChannel {
        /// The process at the other end, held.
        func observedPeer() throws(MeasurementRefusal) -> (PeerCredentials, ObservedProcess) {
            if let accepted { return (accepted, try ObservedProcess(connectedTo: socket.number, accepted)) }
            guard let sender else {
                throw MeasurementRefusal(.peerIdentity, "nobody has said anything over the connection yet")
            }
            return (sender.credentials, try ObservedProcess(sender.credentials.process, descriptor: sender.process))
        }
    }

    /// A process that is held and measured.
    private final class KernelPeer: InspectedPeer {
        private let inspector: KernelInspector
        private let process: ObservedProcess
        /// Handles that were opened before the process was told anything: one that answers and then runs another
        /// program is not taken for that.
        private let opened: MeasurementHandles
        private let state: Mutex<State>

        private struct State {
            var measurement: ProcessMeasurement?
            var program: MeasuredProgram?
            var hash: Bytes32?
            /// The files of the bundle that were measured.
            var files: [WatchedFile] = []
            var place: ProgramPlace
            var flags: MeasurementFlags = []
            /// Until when the files count as measured for the look that comes next.
            var prepared: Deadline?
            /// Whether a look was to be first-hand: then all later ones are to be.
            var isFirsthandWanted = false
        }

        init(_ inspector: KernelInspector, _ process: ObservedProcess, opened: MeasurementHandles) {
            self.inspector = inspector
            self.process = process
            self.opened = opened
            let expected = inspector.expected
            let place = ProgramPlace(expected.path(of: expected.program))
            state = Mutex(State(place: place, isFirsthandWanted: inspector.installed != nil))
        }

        var identity: ProcessIdentity? {
            state.withLock { $0.measurement?.identity }
                ?? process.identity(executable: opened.executable.flatMap { try? FileKey(descriptor: $0.number) })
        }

        func take(_ attachments: [Attachment], _ mask: HandleMask) throws(Refusal) {
            try LookingRight.raised { () throws(Refusal) in try hold(attachments, mask) }
        }

        private func hold(_ attachments: [Attachment], _ mask: HandleMask) throws(Refusal) {
            try measuring { () throws(MeasurementRefusal) in
                let handles = try MeasurementHandles(receiving: attachments, mask: mask, from: process.process)
                let measurement = try measurement(by: handles)
                state.withLock { $0.measurement = measurement }
            }
        }

        /// - Parameter handles: that the process sent of itself.
        private func measurement(by handles: MeasurementHandles) throws(MeasurementRefusal) -> ProcessMeasurement {
            try ProcessMeasurement(of: process, handles: handles, opened: opened, policy: inspector.policy)
        }

        func look(_ levels: Levels, isNewSession: Bool) throws(Refusal) -> Inspection {
            try LookingRight.raised { () throws(Refusal) in
                try measuring { () throws(MeasurementRefusal) in try inspector.checkInstalled(process) }
                return try inspection(levels, isNewSession: isNewSession)
            }
        }

        private func inspection(_ levels: Levels, isNewSession: Bool) throws(Refusal) -> Inspection {
            try state.withLock { (state) throws(Refusal) in
                if state.measurement == nil {
                    state.measurement = try measuring { () throws(MeasurementRefusal) in
                        try measurement(by: MeasurementHandles())
                    }
                }
                guard var measurement = state.measurement else {
                    throw Refusal(.unmeasurable, "the process cannot be looked at")
                }
                defer { state.measurement = measurement }
                var inspection = Inspection(measured: [], hash: nil)
                // Which files belong to the process has to be known before its memory can be judged.
                let haveFilesChanged = state.files.contains(where: \.hasChanged)
                let wantsFiles = levels.contains(.files) || state.program == nil
                let isPrepared = state.prepared.map { SuspendingClock().now < $0 } ?? false
                state.prepared = nil
                if wantsFiles && !isPrepared || haveFilesChanged { try measureFiles(measurement, &state) }
                if wantsFiles || haveFilesChanged {
                    inspection.measured.insert(.files)
                    inspection.hash = state.hash
                }
                if state.place.isLeft || (try? measurement.handles.executable?.status())?.st_nlink == 0 {
                    try refuseDeleted(isNewSession, &state)
                }
                guard let program = state.program else { throw Refusal(.unmeasurable, "no file was measured") }
                // The rules that are always on belong to every look.
                measurement.policy.levels = levels.union([.mapShape, .behaviour])
                let contents = levels.contains(.contents) ? sampler(program) : nil
                let outcome = measurement.look(at: program, contents: contents)
                if levels.contains(.firsthand) { state.isFirsthandWanted = true }
                inspection.measured.formUnion(outcome.levels)
                inspection.flags = outcome.flags.union(state.flags)
                guard outcome.reason == .ok else {
                    throw Refusal(
                        MeasurementRefusal(outcome.reason, outcome.finding ?? Finding("the process was refused")))
                }
                // It may have another name besides.
                if outcome.flags.contains(.executableDeleted) { try refuseDeleted(isNewSession, &state) }
                // What the map does not tell on btrfs, stat(2) of the installed program's process has told.
                let isFirsthand =
                    outcome.levels.contains(.firsthand)
                    || inspector.installed != nil && !outcome.flags.contains(.secondhand)
                guard !state.isFirsthandWanted || isFirsthand else {
                    throw Refusal(
                        .unmeasurable,
                        "process \(process.process) may not be looked into first-hand; "
                            + "give this one CAP_SYS_PTRACE and CAP_DAC_READ_SEARCH, or do without level 0x40")
                }
                guard !state.isFirsthandWanted || !outcome.flags.contains(.environmentUnreadable) else {
                    throw Refusal(
                        .unmeasurable,
                        "the environment of process \(process.process) may not be read, so that rules about it cannot be kept"
                    )
                }
                return inspection
            }
        }
    }

    extension KernelPeer {
        /// How long prepared files count as measured: enough for an app that measures itself meanwhile. The files of
        /// one that takes longer are measured again.
        private static let preparedTime = Duration.seconds(1)

        /// Measures the files ahead, only where the program's file is as long as that of the manifest: a process that
        /// connects shall not make the validator read any file that it likes.
        func prepare() {
            LookingRight.raised { prepareFiles() }
        }

        private func prepareFiles() {
            state.withLock { state in
                let size = inspector.expected.program.size
                guard state.measurement == nil, (try? opened.executable?.status())?.st_size == off_t(clamping: size),
                    let measurement = try? measurement(by: MeasurementHandles())
                else { return }
                do throws(Refusal) { try measureFiles(measurement, &state) } catch { return }
                state.prepared = SuspendingClock().now.advanced(by: Self.preparedTime)
            }
        }

        /// Level L1: the files of the bundle, of which those that are mapped have to be the very files that were
        /// measured.
        private func measureFiles(_ measurement: ProcessMeasurement, _ state: inout State) throws(Refusal) {
            let expected = inspector.expected
            guard let executable = measurement.handles.executable else {
                throw Refusal(.unmeasurable, "the file of process \(process.process) may not be read")
            }
            let objection = state.place.objection(to: executable)
            var images: [MeasuredImage] = []
            var main: MeasuredImage?
            var entries: [BundleDigest.Entry] = []
            var files: [WatchedFile] = []
            for image in expected.images {
                let path = expected.path(of: image)
                let isProgram = image.role == .program
                let file = isProgram ? executable : try .regularFile(at: path, else: .hashMismatch)
                // From before it is read, so that a change meanwhile counts as one.
                files.append(WatchedFile(file))
                let place = isProgram && objection != nil ? nil : path
                let measured = try inspector.files.measure(file, at: place, as: image)
                if let finding = measured.finding {
                    throw Refusal(MeasurementRefusal(.hashMismatch, finding))
                }
                if image.role == .program { main = measured.image } else { images.append(measured.image) }
                entries.append(try Self.entry(image.path, measured.text2))
            }
            // What has other code besides is told as that.
            if let objection { throw Refusal(.unmeasurable, objection) }
            guard let main else { throw Refusal(.internal, "the manifest has no program") }
            state.program = MeasuredProgram(main: main, libraries: images)
            state.hash = try Self.bundle(entries)
            state.files = files
        }

        private static func entry(_ path: String, _ text2: Bytes32) throws(Refusal) -> BundleDigest.Entry {
            guard let digest = ImageDigest(text2.bytes), let entry = try? BundleDigest.Entry(path: path, text2: digest)
            else { throw Refusal(.internal, "the manifest's path \(path) is not one of a bundle") }
            return entry
        }

        private static func bundle(_ entries: [BundleDigest.Entry]) throws(Refusal) -> Bytes32 {
            guard let digest = try? BundleDigest.bundle2(entries), let hash = Bytes32(digest.bytes) else {
                throw Refusal(.internal, "the digest of the bundle cannot be computed")
            }
            return hash
        }

        /// The file of the process was removed or replaced since it started.
        private func refuseDeleted(_ isNewSession: Bool, _ state: inout State) throws(Refusal) {
            state.flags.insert(.executableDeleted)
            if inspector.policy.map.deletedExecutable.refuses(newSession: isNewSession) {
                throw Refusal(
                    .hashMismatch, "the file of process \(process.process) was removed or replaced; start it again")
            }
        }

        /// Level L4: random pages of the code against the digests of the manifest.
        private func sampler(
            _ program: MeasuredProgram
        ) -> ProcessMeasurement.ContentCheck? {
            let expected = inspector.expected
            // Without digests to compare with the level is not taken, and a side that wants it is told so.
            guard expected.images.allSatisfy({ $0.pages != nil }) else { return nil }
            let count = inspector.samplePages
            return { (memory, biases) throws(ImageFailure) in
                for (image, bias) in zip(program.images, biases) {
                    guard let bias, let known = expected.images.first(where: { $0.path == image.path }),
                        let pages = known.pages
                    else { continue }
                    let samples = PageSamples(image, pages, of: known.pageSize, count: count)
                    if let finding = try samples.check(memory, bias: bias) { return finding }
                }
                return nil
            }
        }
    }

    /// Turns what a measurement throws into what the protocol says.
    func measuring<R>(_ body: () throws(MeasurementRefusal) -> R) throws(Refusal) -> R {
        do throws(MeasurementRefusal) { return try body() } catch { throw Refusal(error) }
    }
#endif
