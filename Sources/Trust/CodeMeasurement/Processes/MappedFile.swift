#if os(Linux)
    import Files
    import Glibc

    enum MappedFile {
        /// What stat(2) tells of the file behind a mapping. Needs the capability CAP_CHECKPOINT_RESTORE.
        ///
        /// Source: `proc_pid_map_files(5)`.
        static func key(of mapping: MemoryMapping, in process: Int32) -> Result<FileKey, Errno> {
            let name = String(mapping.start, radix: 16) + "-" + String(mapping.end, radix: 16)
            var status = stat()
            guard stat("/proc/\(process)/map_files/\(name)", &status) == 0 else {
                return .failure(Errno(rawValue: errno))
            }
            return .success(FileKey(status))
        }
    }
#endif
