#if os(Linux)
    import CLinux
    import Files
    import Glibc

    extension MemoryMap {
        /// Asks the kernel for single mappings (Linux 6.11) whether code still lies as this map shows it, and no other.
        /// That takes a fraction of the time of reading the whole map once more.
        ///
        /// - Parameters:
        ///   - maps: an open `/proc/PID/maps`.
        ///   - isCode: of addresses, beside all that is executable.
        /// - Returns: false also where the kernel cannot say, or not as plainly: then the map has to be read once more.
        func stillShowsCode(of maps: OpenFile, _ isCode: (Range<UInt64>) -> Bool) -> Bool {
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { name in
                var reached: UInt64 = 0
                for mapping in mappings {
                    if mapping.protection.isExecutable {
                        // The kernel's page at the end of the addresses is of no process and cannot be asked for.
                        if !mapping.hasFile, path(of: mapping, is: "[vsyscall]") { continue }
                        guard isFound(mapping, by: maps, from: reached, isExecutable: true, name) else { return false }
                        reached = mapping.end
                    } else if isCode(mapping.addresses) {
                        guard isFound(mapping, by: maps, from: mapping.start, name) else { return false }
                    }
                }
                var next = clinux_mapping()
                return clinux_find_mapping(maps.number, reached, 1, &next, name.baseAddress, name.count) != 0
                    && errno == ENOENT
            }
        }

        /// Whether a mapping is the one at an address, or the first one behind it.
        private func isFound(
            _ mapping: MemoryMapping, by maps: OpenFile, from address: UInt64, isExecutable: Bool = false,
            _ name: UnsafeMutableBufferPointer<CChar>
        ) -> Bool {
            var found = clinux_mapping()
            guard
                clinux_find_mapping(
                    maps.number, address, isExecutable ? 1 : 0, &found, name.baseAddress, name.count) == 0
            else { return false }
            return mapping.isSameMemory(as: found)
                && UnsafeRawBufferPointer(name).prefix { $0 != 0 }.elementsEqual(text[mapping.path])
        }
    }

    extension MemoryMapping {
        /// Whether all but the name is the same.
        fileprivate func isSameMemory(as other: clinux_mapping) -> Bool {
            start == other.start && end == other.end && UInt32(protection.rawValue) == other.protection
                && offset == other.offset && key.inode == other.inode
                && key.device == DeviceNumber(major: other.device_major, minor: other.device_minor)
        }
    }
#endif
