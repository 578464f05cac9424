import CLibrary

extension OpenFile {
    /// Reads from the current position until `buffer` is full or the file ends.
    ///
    /// - Parameter buffer: where the bytes go.
    /// - Returns: the bytes read.
    public func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        try fill(buffer) { rest, _ in systemRead(descriptor.rawValue, to: rest.baseAddress, count: rest.count) }
    }

    /// Reads from an offset until `buffer` is full or the file ends, without using or moving the position, which
    /// whoever has the same open file could move.
    ///
    /// - Parameters:
    ///   - offset: in bytes from the start.
    ///   - buffer: where the bytes go.
    /// - Returns: the bytes read.
    public func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        try fill(buffer) { rest, done in
            pread(descriptor.rawValue, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
        }
    }

    private func fill(
        _ buffer: UnsafeMutableRawBufferPointer, from read: (UnsafeMutableRawBufferPointer, _ done: Int) -> Int
    ) throws(FileError) -> Int {
        var done = 0
        while done < buffer.count {
            let count = retrying { read(UnsafeMutableRawBufferPointer(rebasing: buffer[done...]), done) }
            guard count >= 0 else { throw .last(path, .read) }
            guard count > 0 else { break }
            done += count
        }
        return done
    }

    /// The bytes of a regular file, which must keep its size while it is read.
    ///
    /// - Parameter limit: bytes at the most.
    /// - Throws: ``FileError`` with ``FileError/Reason/tooLarge(limit:)`` or ``FileError/Reason/shortened``.
    public func content(limit: Int) throws(FileError) -> [UInt8] {
        let count = try byteCount(limit: limit)
        var failure: FileError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { memory, filled in
            do throws(FileError) {
                try readWhole(
                    into: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(memory)[..<count]))
                filled = count
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// The size of a regular file.
    ///
    /// - Parameter limit: bytes at the most.
    /// - Throws: ``FileError`` with ``FileError/Reason/tooLarge(limit:)``.
    public func byteCount(limit: Int) throws(FileError) -> Int {
        guard let count = Int(exactly: try facts().size), count <= limit else {
            throw FileError(path, .read, because: .tooLarge(limit: limit))
        }
        return count
    }

    /// Fills memory with the first bytes of a file, for content that must not be in any other memory.
    ///
    /// - Parameter buffer: as many bytes as the file is known to have.
    /// - Throws: ``FileError`` with ``FileError/Reason/shortened`` if there are fewer.
    public func readWhole(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) {
        guard try read(at: 0, into: buffer) == buffer.count else {
            throw FileError(path, .read, because: .shortened)
        }
    }

    /// Writes all of `bytes` at the current position.
    public func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        var done = 0
        while done < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = retrying { systemWrite(descriptor.rawValue, from: rest.baseAddress, count: rest.count) }
            guard count >= 0 else { throw .last(path, .write) }
            // A disk that takes nothing without a word is full.
            guard count > 0 else { throw FileError(path, .write, because: .system(.noSpace)) }
            done += count
        }
    }

    /// Writes all of `bytes` at the current position.
    public func write(_ bytes: [UInt8]) throws(FileError) {
        try bytes.withUnsafeBufferPointer { memory throws(FileError) in try write(UnsafeRawBufferPointer(memory)) }
    }

    /// Puts zeros over all of a file and waits until the disk has them.
    public func overwriteWithZeros() throws(FileError) {
        let size = try facts().size
        guard lseek(descriptor.rawValue, 0, SEEK_SET) == 0 else { throw .last(path, .write) }
        let zeros = [UInt8](repeating: 0, count: Int(min(size, 1 << 16)))
        var left = Int(size)
        while left > 0 {
            let count = min(left, zeros.count)
            try zeros.withUnsafeBufferPointer { memory throws(FileError) in
                try write(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: memory[..<count])))
            }
            left -= count
        }
        try synchronise()
    }
}

// The calls of the system, whose names the methods above have too.
func systemRead(_ file: CInt, to place: UnsafeMutableRawPointer?, count: Int) -> Int { read(file, place, count) }

private func systemWrite(_ file: CInt, from bytes: UnsafeRawPointer?, count: Int) -> Int { write(file, bytes, count) }
