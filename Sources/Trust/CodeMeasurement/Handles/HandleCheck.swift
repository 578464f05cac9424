#if os(Linux)
    import CLinux
    import Files
    import Glibc

    /// Whether a descriptor that came over a socket is what its sender says.
    ///
    /// Source: `vigil` section 4.3.
    enum HandleCheck {
        /// The size of the largest program that is measured, in bytes.
        static let maximumExecutableSize: Int64 = 1 << 30

        private static let procMagic: UInt32 = 0x9fa0

        /// A file under `/proc` of the process, of the same mount of procfs that this process uses.
        ///
        /// Path and device are both needed: in a process namespace of its own with its own `/proc` another process has
        /// the same path.
        static func process(
            _ descriptor: OpenFile, named name: String, of process: Int32
        ) throws(MeasurementRefusal) {
            var magic: UInt32 = 0
            guard clinux_file_system(descriptor.number, &magic) == 0, magic == procMagic else {
                throw refusal(of: name, "is not of procfs")
            }
            let device = try examining("the handle for \(name)") { () throws(Errno) in
                try descriptor.status().st_dev
            }
            let own = try examining("/proc/self/stat") { () throws(Errno) in
                try OpenFile(opening: "/proc/self/stat").status().st_dev
            }
            guard device == own else {
                throw refusal(of: name, "is of another procfs than this process sees; both must see the same /proc")
            }
            guard let path = path(of: descriptor), path == "/proc/\(process)/\(name)" else {
                throw refusal(of: name, "is not /proc/\(process)/\(name)")
            }
            guard isReadOnly(descriptor) else { throw refusal(of: name, "is open for writing") }
        }

        /// Checks that it is a regular file for reading. The sender only claims which file it is; the map of the memory
        /// has to bear that out.
        static func executable(_ descriptor: OpenFile) throws(MeasurementRefusal) {
            let status = try examining("the handle for exe") { () throws(Errno) in try descriptor.status() }
            guard status.st_mode & S_IFMT == S_IFREG else { throw refusal(of: "exe", "is not a regular file") }
            guard status.st_size <= maximumExecutableSize else { throw refusal(of: "exe", "is larger than 1 GiB") }
            guard isReadOnly(descriptor) else { throw refusal(of: "exe", "is open for writing") }
        }

        private static func isReadOnly(_ descriptor: OpenFile) -> Bool {
            let flags = fcntl(descriptor.number, F_GETFL)
            // CLINUX_O_PATH, with which nothing can be read, has the same access mode.
            return flags >= 0 && flags & O_ACCMODE == O_RDONLY && flags & CLINUX_O_PATH == 0
        }

        private static func refusal(of name: String, _ what: String) -> MeasurementRefusal {
            MeasurementRefusal(.unmeasurable, "the handle for \(name) \(what)")
        }

        /// Where the kernel says that a descriptor leads.
        static func path(of descriptor: OpenFile) -> String? {
            SymbolicLink.destination(of: "/proc/self/fd/\(descriptor.number)")
        }
    }
#endif
