#if os(Linux)
    import Glibc

    enum SymbolicLink {
        /// Where a link leads.
        ///
        /// - Returns: nil if it cannot be read.
        static func destination(of path: String) -> String? {
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
                guard let base = buffer.baseAddress else { return nil }
                let count = readlink(path, base, buffer.count)
                guard count > 0, count < buffer.count else { return nil }
                return String(decoding: UnsafeRawBufferPointer(start: base, count: count), as: UTF8.self)
            }
        }
    }
#endif
