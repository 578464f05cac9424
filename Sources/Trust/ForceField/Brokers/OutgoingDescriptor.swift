#if os(Linux)
    import CLinux
    import Files
    import Glibc

    /// A descriptor that goes to a worker with a request or an answer.
    ///
    /// The worker gets a copy, which shares its offset with the caller's: both read by `pread`. The caller may close
    /// its own once this value is made.
    ///
    /// Source: `forcefield` section 15.
    public struct OutgoingDescriptor: Sendable {
        let copy: OpenFile

        /// Bits of F_SEAL_SHRINK, F_SEAL_GROW and F_SEAL_WRITE.
        private static let fullySealed: Int32 = 0x2 | 0x4 | 0x8

        /// - Parameters:
        ///   - number: of a regular file that is open for reading alone, or of a memory file that is sealed against
        ///     writing and change of size.
        ///   - writable: the worker may write the file.
        /// - Throws: ``DescriptorRefusal``
        public init(_ number: Int32, writable: Bool = false) throws(DescriptorRefusal) {
            guard let facts = try? Stat(FileDescriptor(rawValue: number)) else { throw .notOpen(number) }
            guard facts.type != .directory else { throw .directory(number) }
            guard facts.type == .regular else { throw .notAFile(number) }
            let flags = fcntl(number, F_GETFL)
            guard flags >= 0, flags & Self.pathOnly == 0 else { throw .notOpen(number) }
            let seals = clinux_seals(number)
            let isSealed = seals >= 0 && seals & Self.fullySealed == Self.fullySealed
            guard writable || isSealed || flags & O_ACCMODE == O_RDONLY else { throw .writable(number) }
            copy = try Self.copy(number)
        }

        /// A connected socket, or a memory file that a broker has made itself.
        init(brokered descriptor: OpenFile) { copy = descriptor }

        /// O_PATH: nothing can be read through it.
        private static let pathOnly: Int32 = 0o10_000_000

        private static func copy(_ number: Int32) throws(DescriptorRefusal) -> OpenFile {
            guard let copy = OpenFile(taking: fcntl(number, F_DUPFD_CLOEXEC, 0), "a descriptor for a worker") else {
                throw .noneLeft(errno: errno)
            }
            return copy
        }
    }
#endif
