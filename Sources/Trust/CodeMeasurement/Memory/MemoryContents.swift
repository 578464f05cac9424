#if os(Linux)
    import CLinux
    import ExecutableImage
    import Files
    import Glibc

    /// Level L4: the bytes of code as they are in the memory of a process. Offsets are addresses, so that an image can
    /// be hashed in it as in a file.
    ///
    /// Source: `vigil` sections 3.9 and 4.4.
    public struct MemoryContents: ImageBytes {
        /// A descriptor of `/proc/PID/mem`; nil where the bytes are copied by the number of the process.
        private let handle: OpenFile?
        private let process: Int32

        /// - Parameter handle: for `/proc/PID/mem`. Without it the bytes are copied by the number of the process, which
        ///   needs the right to trace it.
        package init(of process: ObservedProcess, handle: OpenFile? = nil) {
            self.process = process.process
            self.handle = handle
        }

        /// The whole range of addresses.
        public var count: UInt64 { .max }

        /// Fills a buffer from an address.
        ///
        /// - Throws: ``ImageFailure/unreadable(offset:reason:)`` where nothing is mapped.
        public func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(ImageFailure) {
            var done = 0
            while done < buffer.count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
                let address = offset &+ UInt64(done)
                let count = copy(from: address, into: rest)
                guard count > 0 else {
                    // 0: the memory is gone.
                    let reason = count < 0 ? Errno(rawValue: errno).description : "there is no memory any more"
                    throw .unreadable(offset: address, reason: reason)
                }
                done += count
            }
        }

        private func copy(from address: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
            guard let handle else {
                return Int(clinux_read_memory(process, address, buffer.baseAddress, buffer.count))
            }
            return pread(handle.number, buffer.baseAddress, buffer.count, off_t(truncatingIfNeeded: address))
        }

        /// Reads one page, counted from the first byte of a segment; the last may be shorter.
        ///
        /// - Parameters:
        ///   - size: of the pages, in bytes.
        ///   - bias: by how much the image was moved.
        /// - Returns: nil if the segment has no such page.
        package func page(
            _ page: Int, of segment: ImageSegment, size: PageSize, bias: UInt64
        ) throws(ImageFailure) -> [UInt8]? {
            let size = UInt64(size.rawValue)
            guard let number = UInt64(exactly: page), number <= segment.fileSize / size else { return nil }
            let offset = number * size
            guard offset < segment.fileSize else { return nil }
            let count = Int(min(size, segment.fileSize - offset))
            var bytes = [UInt8](repeating: 0, count: count)
            let result = bytes.withUnsafeMutableBytes { buffer in
                Result { () throws(ImageFailure) in try read(at: segment.address &+ bias &+ offset, into: buffer) }
            }
            try result.get()
            return bytes
        }
    }
#endif
