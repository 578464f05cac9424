#if os(Linux)
    import Files
    import Glibc

    extension OpenFile {
        /// The descriptor, open as long as this lives.
        package var number: Int32 { descriptor.rawValue }

        /// - Parameter number: an open descriptor that no other code closes: a socket, a process, a file that was sent.
        package convenience init(owning number: Int32) {
            self.init(owning: FileDescriptor(rawValue: number), path: FilePath("descriptor \(number)"))
        }

        /// Opens a file of the kernel, or one that the kernel names, for reading.
        ///
        /// - Parameter followsLinks: whether a symbolic link at the end of the path is followed.
        package convenience init(opening path: String, followsLinks: Bool = true) throws(Errno) {
            do throws(FileError) {
                try self.init(FilePath(path), rules: .anything, followsLinks: followsLinks)
            } catch {
                throw error.errno ?? .tooManySymbolicLinkLevels
            }
        }

        /// What fstat(2) tells.
        package func status() throws(Errno) -> stat {
            var status = stat()
            guard fstat(number, &status) == 0 else { throw Errno(rawValue: errno) }
            return status
        }

        /// Reads once at an offset. A descriptor that came over a socket shares its position with the sender, who could
        /// move it; this neither uses nor moves it.
        ///
        /// - Returns: bytes read; 0 at the end.
        package func readOnce(
            at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
        ) throws(Errno) -> Int {
            guard let offset = Int64(exactly: offset) else { throw .overflow }
            do { return try descriptor.read(fromAbsoluteOffset: offset, into: buffer) } catch {
                throw error as? Errno ?? .ioError
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
        ) throws(Errno) {
            content.removeAll(keepingCapacity: true)
            while true {
                let count = try append(to: &content)
                if count == 0 || isOnePiece && count < Self.chunk { return }
                guard content.count <= limit else { throw Errno(rawValue: EFBIG) }
            }
        }

        private func append(to content: inout [UInt8]) throws(Errno) -> Int {
            try readChunk(at: content.count) { part throws(Errno) in
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
        func readAllShared(into content: inout [UInt8], limit: Int) throws(Errno) {
            content.removeAll(keepingCapacity: true)
            while true {
                let known = content.count
                let start = Self.lastLines(of: content)
                try readChunk(at: start) { part throws(Errno) in
                    guard part.count >= known - start, part.prefix(known - start).elementsEqual(content[start...])
                    else { throw Errno(rawValue: EAGAIN) }
                    content.append(contentsOf: part.dropFirst(known - start))
                }
                // The lines that are read again may be all that the kernel gives at once.
                if content.count == known, try append(to: &content) == 0 { return }
                guard content.count <= limit else { throw Errno(rawValue: EFBIG) }
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
            at offset: Int, _ body: (UnsafeBufferPointer<UInt8>) throws(Errno) -> R
        ) throws(Errno) -> R {
            try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.chunk) { part throws(Errno) -> R in
                let count = try readOnce(at: UInt64(offset), into: UnsafeMutableRawBufferPointer(part))
                return try body(UnsafeBufferPointer(rebasing: part[..<count]))
            }
        }

        /// The kernel makes the text of a map a page at a time, or more for a line that is longer.
        private static let chunk = 16 << 10
    }
#endif
