#if os(Linux)
    import Files

    /// Small files of the kernel.
    enum SystemFile {
        private static let limit = 1 << 20

        /// - Returns: nil if it cannot be read, or is larger than 1 MiB.
        static func text(_ path: String) -> String? {
            guard let file = try? OpenFile(FilePath(path), rules: .anything, followsLinks: true) else { return nil }
            var bytes: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: 4_096)
            while bytes.count <= limit {
                guard let count = try? piece.withUnsafeMutableBytes({ try file.read(into: $0) }) else { return nil }
                bytes += piece[..<count]
                if count < piece.count { return String(decoding: bytes, as: UTF8.self) }
            }
            return nil
        }

        /// - Returns: whether the kernel has taken it.
        static func write(_ text: String, to path: String) -> Bool {
            let file = try? OpenFile(FilePath(path), for: .writeOnly, rules: .anything, followsLinks: true)
            return (try? file?.write(Array(text.utf8))) != nil
        }
    }
#endif
