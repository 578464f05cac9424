#if os(Linux)
    import CLinux
    import Files
    import Glibc

    /// Descriptors by which another process looks at this one, or this one at another.
    ///
    /// The kernel ties those of `/proc` to the address space at the time of opening. They can be read again without any
    /// right, also after their process took the right to look at it away; after exec they read as empty.
    ///
    /// Source: `vigil` section 4.3.
    public struct MeasurementHandles: Sendable {
        /// The program that the process runs.
        package private(set) var executable: OpenFile?
        /// What is mapped where: `/proc/PID/maps`.
        package private(set) var maps: OpenFile?
        /// Which pages are whose: `/proc/PID/pagemap`.
        package private(set) var pagemap: OpenFile?
        /// The bytes at each address: `/proc/PID/mem`.
        package private(set) var memory: OpenFile?
        /// How much of each mapping is in memory: `/proc/PID/smaps`.
        package private(set) var smaps: OpenFile?

        /// No handles.
        public init() {}

        /// Which handles there are.
        public var mask: HandleMask {
            HandleMask(HandleMask.all.kinds.filter { self[$0] != nil })
        }

        /// The descriptors in the order in which they travel.
        package var descriptors: [OpenFile] { HandleMask.all.kinds.compactMap { self[$0] } }

        private subscript(kind: HandleMask) -> OpenFile? {
            get {
                switch kind {
                case .executable: executable
                case .maps: maps
                case .pagemap: pagemap
                case .memory: memory
                case .smaps: smaps
                default: nil
                }
            }
            set {
                switch kind {
                case .executable: executable = newValue
                case .maps: maps = newValue
                case .pagemap: pagemap = newValue
                case .memory: memory = newValue
                case .smaps: smaps = newValue
                default: break
                }
            }
        }

        /// Opens handles of this process. To be done before it takes the right to look at it away.
        ///
        /// - Returns: none where the kernel hides this process from its start on, also from itself: a process that
        ///   looks at it has to do so first-hand.
        /// - Throws: ``Reason/unmeasurable`` if one cannot be opened.
        public static func ofThisProcess(_ mask: HandleMask = .usual) throws(MeasurementRefusal) -> MeasurementHandles {
            var handles = MeasurementHandles()
            guard clinux_started_elevated() == 0 else { return handles }
            for kind in mask.kinds {
                guard let name = kind.fileName else {
                    throw MeasurementRefusal(.malformed, "bit \(kind.rawValue) names no handle")
                }
                do throws(Errno) {
                    handles[kind] = try OpenFile(opening: "/proc/self/\(name)")
                } catch {
                    throw MeasurementRefusal(.unmeasurable, "/proc/self/\(name) cannot be opened: \(error)")
                }
            }
            return handles
        }

        /// Takes handles that a process sent of itself.
        ///
        /// - Parameters:
        ///   - descriptors: that came with the message.
        ///   - mask: what the message says they are.
        ///   - process: of the sender, from the kernel.
        /// - Throws: ``Reason/malformed`` if number and mask do not fit; ``Reason/unmeasurable`` if one is not what it
        ///   is to be.
        public init(
            receiving descriptors: [OpenFile], mask: HandleMask, from process: Int32
        ) throws(MeasurementRefusal) {
            guard mask.isSubset(of: .all) else {
                throw MeasurementRefusal(.malformed, "the mask \(mask.rawValue) names handles that there are not")
            }
            guard descriptors.count == mask.count else {
                throw MeasurementRefusal(
                    .malformed, "\(descriptors.count) descriptors came, and \(mask.count) were announced")
            }
            for (kind, descriptor) in zip(mask.kinds, descriptors) {
                if kind == .executable {
                    try HandleCheck.executable(descriptor)
                } else {
                    try HandleCheck.process(descriptor, named: kind.fileName ?? "", of: process)
                }
                self[kind] = descriptor
            }
        }

        /// Handles opened by the number of a process: of what it runs at this moment. They read as empty once it runs
        /// something else, unless another process keeps its memory. What may not be opened is missing.
        ///
        /// - Throws: ``Reason/peerIdentity`` if the process has ended; ``Reason/unmeasurable``.
        public init(of process: ObservedProcess, _ mask: HandleMask = .usual) throws(MeasurementRefusal) {
            try self.init(opening: mask, of: process)
            // They are of the process that is meant only if that one still ran afterwards.
            try process.check()
        }

        /// The same for who makes sure later that the process still runs.
        init(opening mask: HandleMask, of process: ObservedProcess) throws(MeasurementRefusal) {
            var failure: (name: String, Errno)?
            for kind in mask.kinds {
                guard let name = kind.fileName else { continue }
                do throws(Errno) {
                    self[kind] = try OpenFile(opening: "/proc/\(process.process)/\(name)")
                } catch {
                    if !error.isRefusal { failure = failure ?? (name, error) }
                }
            }
            // A failure for another reason than a missing right must not lead to the process being believed instead.
            if let (name, error) = failure {
                try process.check()
                throw MeasurementRefusal(
                    error.isAbsence ? .peerIdentity : .unmeasurable,
                    "/proc/\(process.process)/\(name) cannot be opened: \(error)")
            }
        }

        /// These, and where one is missing that of `others`.
        package func completed(by others: MeasurementHandles) -> MeasurementHandles {
            var handles = self
            for kind in HandleMask.all.kinds where handles[kind] == nil { handles[kind] = others[kind] }
            return handles
        }
    }
#endif
