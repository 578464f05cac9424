#if os(Linux)
    import CodeMeasurement
    import Files
    import Glibc

    /// What tells that an open file was changed: its size and times.
    ///
    /// Source: `vigil` section 4.7.
    struct FileStamp: Hashable {
        private let device, inode: UInt64
        private let size, modified, modifiedPart, changed, changedPart: Int64

        init(_ status: stat) {
            device = UInt64(status.st_dev)
            inode = UInt64(status.st_ino)
            size = Int64(status.st_size)
            modified = Int64(status.st_mtim.tv_sec)
            modifiedPart = Int64(status.st_mtim.tv_nsec)
            changed = Int64(status.st_ctim.tv_sec)
            changedPart = Int64(status.st_ctim.tv_nsec)
        }
    }

    /// An open file that tells when it is no longer as it was.
    struct WatchedFile {
        private let file: OpenFile
        private let stamp: FileStamp?

        init(_ file: OpenFile) {
            self.file = file
            stamp = Self.stamp(of: file)
        }

        /// Whether the file was changed, or that cannot be known.
        var hasChanged: Bool { stamp == nil || Self.stamp(of: file) != stamp }

        private static func stamp(of file: OpenFile) -> FileStamp? { (try? file.status()).map(FileStamp.init) }
    }
#endif
