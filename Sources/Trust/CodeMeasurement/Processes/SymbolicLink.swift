#if os(Linux)
    import Files
    import Glibc

    enum SymbolicLink {
        /// Where a link leads.
        ///
        /// - Returns: nil if it cannot be read.
        static func destination(of path: String) -> String? { try? reading(path).get() }

        /// Where a link leads, or why that cannot be read; `nameTooLong` also where it leads further than PATH_MAX.
        static func reading(_ path: String) -> Result<String, Errno> {
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
                guard let base = buffer.baseAddress else { return .failure(.noMemory) }
                let count = readlink(path, base, buffer.count)
                guard count >= 0 else { return .failure(Errno(rawValue: errno)) }
                guard count < buffer.count else { return .failure(.fileNameTooLong) }
                return .success(String(decoding: UnsafeRawBufferPointer(start: base, count: count), as: UTF8.self))
            }
        }
    }
#endif
