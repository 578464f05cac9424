#if os(Linux)
    import Files
    import Glibc

    extension FileKey {
        package init(_ status: stat) {
            self.init(device: DeviceNumber(encoded: UInt64(status.st_dev)), inode: UInt64(status.st_ino))
        }

        /// The key of an open file.
        package init(descriptor: CInt) throws(Errno) {
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { throw Errno(rawValue: errno) }
            self.init(status)
        }

        /// The key of an open file as memory maps show it, where overlay and btrfs have another device than fstat(2)
        /// tells: this process maps a page of it and looks into its own map.
        package init(mapping descriptor: CInt) throws(Errno) {
            let size = Int(PageTable.systemPageSize)
            guard let page = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), page != MAP_FAILED else {
                throw Errno(rawValue: errno)
            }
            defer { munmap(page, size) }
            let maps = try OpenFile(opening: "/proc/self/maps")
            var map = MemoryMap()
            do throws(MeasurementRefusal) { try map.reload(from: maps) } catch { throw Errno(rawValue: EIO) }
            let address = UInt64(UInt(bitPattern: page))
            let index = map.index(at: address)
            guard index < map.mappings.count, map.mappings[index].start <= address else {
                throw Errno(rawValue: EIO)
            }
            self = map.mappings[index].key
        }
    }
#endif
