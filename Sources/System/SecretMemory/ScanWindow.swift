#if os(Linux)
    import CLinux
    import CSodium
    import Glibc

    /// The buffer through which a scan reads memory that may go away under it. The scan leaves out its addresses, and
    /// it is zeroised after each use.
    struct ScanWindow: ~Copyable {
        private static let chunk = 1 << 20

        private let buffer: UnsafeMutableRawBufferPointer
        /// Bytes of a chunk that are read again with the next, so that nothing is cut in two.
        private let overlap: Int

        init(overlap: Int) throws(MemoryScan.ScanError) {
            let count = Self.chunk + overlap
            let start = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            guard let start, start != MAP_FAILED else { throw .outOfMemory }
            buffer = UnsafeMutableRawBufferPointer(start: start, count: count)
            self.overlap = overlap
        }

        /// The addresses of the buffer.
        var addresses: Range<UInt> {
            let start = UInt(bitPattern: buffer.baseAddress)
            return start..<start + UInt(buffer.count)
        }

        /// Lends what can be read of `addresses`, piece by piece; pages that cannot be read are left out.
        func read(_ addresses: Range<UInt>, _ body: (_ bytes: UnsafeRawBufferPointer, _ address: UInt) -> Void) {
            let page = Int(sysconf(Int32(_SC_PAGESIZE)))
            var next = addresses.lowerBound
            while next < addresses.upperBound {
                let rest = Int(addresses.upperBound - next)
                let wanted = min(buffer.count, rest)
                var count = Int(clinux_read_own_memory(next, buffer.baseAddress, wanted))
                // One bad page may refuse the whole piece.
                if count <= 0 { count = Int(clinux_read_own_memory(next, buffer.baseAddress, min(page, rest))) }
                guard count > 0 else {
                    next += UInt(min(page - Int(next) % page, rest))
                    continue
                }
                body(UnsafeRawBufferPointer(rebasing: buffer[..<count]), next)
                sodium_memzero(buffer.baseAddress, count)
                let isPiece = count == wanted && count < rest
                next += UInt(isPiece ? count - overlap : count)
            }
        }

        deinit { munmap(buffer.baseAddress, buffer.count) }
    }
#endif
