#if os(Linux)
    import Glibc

    /// A descriptor that is closed when its last reference goes.
    public final class OwnedDescriptor: Sendable {
        /// The descriptor, open as long as this lives.
        public let number: Int32

        /// - Parameter number: an open descriptor that no other code closes.
        public init(owning number: Int32) {
            self.number = number
        }

        /// Opens a file for reading.
        ///
        /// - Throws: what `errno` says.
        package init(opening path: String, flags: Int32 = 0) throws(SystemFailure) {
            number = open(path, O_RDONLY | O_CLOEXEC | flags)
            guard number >= 0 else { throw SystemFailure(code: errno) }
        }

        deinit {
            if number >= 0 { close(number) }
        }

        /// What fstat(2) tells.
        package func status() throws(SystemFailure) -> stat {
            var status = stat()
            guard fstat(number, &status) == 0 else { throw SystemFailure(code: errno) }
            return status
        }

        /// Reads at an offset. A descriptor that came over a socket shares its position with the sender, who could move
        /// it; this neither uses nor moves it.
        ///
        /// - Returns: bytes read; 0 at the end.
        package func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(SystemFailure) -> Int {
            guard let offset = off_t(exactly: offset) else { throw SystemFailure(code: EOVERFLOW) }
            while true {
                let count = pread(number, buffer.baseAddress, buffer.count, offset)
                if count >= 0 { return count }
                guard errno == EINTR else { throw SystemFailure(code: errno) }
            }
        }

        /// Reads a file of `/proc` from its start to its end.
        ///
        /// - Parameters:
        ///   - content: is replaced; its memory is used again.
        ///   - limit: in bytes.
        ///   - isOnePiece: whether the kernel makes all of it at once, so that a part that is not full is the last one.
        /// - Throws: `EFBIG` if there is more than `limit`.
        package func readAll(
            into content: inout [UInt8], limit: Int, isOnePiece: Bool = false
        ) throws(SystemFailure) {
            content.removeAll(keepingCapacity: true)
            while true {
                let count = try append(to: &content)
                if count == 0 || isOnePiece && count < Self.chunk { return }
                guard content.count <= limit else { throw SystemFailure(code: EFBIG) }
            }
        }

        private func append(to content: inout [UInt8]) throws(SystemFailure) -> Int {
            try readChunk(at: content.count) { part throws(SystemFailure) in
                content.append(contentsOf: part)
                return part.count
            }
        }

        /// Reads a file of `/proc` of whole lines that another process may read by the same open file. What that one
        /// reads moves the place where the kernel goes on, which it then looks for by counting bytes of lines that may
        /// be others by now: so each part begins with the last lines of the one before, which have to be the same.
        ///
        /// The kernel makes the text anew up to each part, so that the time grows with the square of the size.
        ///
        /// - Parameters:
        ///   - content: is replaced; its memory is used again.
        ///   - limit: in bytes.
        /// - Throws: `EAGAIN` if the text changed meanwhile, `EFBIG` if there is more than `limit`.
        func readAllShared(into content: inout [UInt8], limit: Int) throws(SystemFailure) {
            content.removeAll(keepingCapacity: true)
            while true {
                let known = content.count
                let start = Self.lastLines(of: content)
                try readChunk(at: start) { part throws(SystemFailure) in
                    guard part.count >= known - start, part.prefix(known - start).elementsEqual(content[start...])
                    else { throw SystemFailure(code: EAGAIN) }
                    content.append(contentsOf: part.dropFirst(known - start))
                }
                // The lines that are read again may be all that the kernel gives at once.
                if content.count == known, try append(to: &content) == 0 { return }
                guard content.count <= limit else { throw SystemFailure(code: EFBIG) }
            }
        }

        private static let overlap = 4

        /// Where the last lines begin.
        private static func lastLines(of content: [UInt8]) -> Int {
            var start = content.count
            for _ in 0..<overlap where start > 0 {
                start = content[..<(start - 1)].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
            }
            return start
        }

        @discardableResult
        private func readChunk<R>(
            at offset: Int, _ body: (UnsafeBufferPointer<UInt8>) throws(SystemFailure) -> R
        ) throws(SystemFailure) -> R {
            try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.chunk) { part throws(SystemFailure) -> R in
                let count = try read(at: UInt64(offset), into: UnsafeMutableRawBufferPointer(part))
                return try body(UnsafeBufferPointer(rebasing: part[..<count]))
            }
        }

        /// The kernel makes the text of a map a page at a time, or more for a line that is longer.
        private static let chunk = 16 << 10
    }
#endif
