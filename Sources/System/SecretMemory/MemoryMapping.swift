#if os(Linux)
    import Glibc

    /// A stretch of this process's addresses, of `/proc/self/maps`.
    struct MemoryMapping: Equatable {
        let addresses: Range<UInt>
        let isReadable: Bool
        /// The file or the kernel's name for it, `[heap]` and the like; empty for plain memory.
        let name: String

        /// Reads `start-end permissions offset device inode  name`.
        ///
        /// Source: proc_pid_maps(5).
        init?(line: Substring) {
            let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
            guard fields.count >= 5 else { return nil }
            let bounds = fields[0].split(separator: "-")
            guard bounds.count == 2, let start = UInt(bounds[0], radix: 16), let end = UInt(bounds[1], radix: 16),
                start <= end
            else { return nil }
            addresses = start..<end
            isReadable = fields[1].hasPrefix("r")
            name = fields.count == 6 ? String(fields[5].drop { $0 == " " }) : ""
        }

        /// What is left of the addresses without some. The kernel joins neighbouring mappings, so that those may be any
        /// part.
        func parts(without excluded: Range<UInt>) -> [Range<UInt>] {
            guard addresses.overlaps(excluded) else { return [addresses] }
            let before = addresses.lowerBound..<max(addresses.lowerBound, excluded.lowerBound)
            let after = min(addresses.upperBound, excluded.upperBound)..<addresses.upperBound
            return [before, after].filter { !$0.isEmpty }
        }

        /// All of this process, or nil if the system does not tell.
        static func all() -> [MemoryMapping]? {
            guard let file = fopen("/proc/self/maps", "re") else { return nil }
            defer { fclose(file) }
            var text: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = fread(&buffer, 1, buffer.count, file)
                if count == 0 { break }
                text += buffer[..<count]
            }
            return String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap { MemoryMapping(line: $0) }
        }
    }
#endif
