import ExecutableImage

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A regular file that is open for reading: what is measured is this file, whatever its path means later.
///
/// Bytes are read with pread, never mapped, so that a file that shrinks is an error and no signal.
public final class OpenedFile: ImageBytes {
    /// Open for reading for as long as this object lives.
    public let descriptor: CInt

    /// Bytes when it was opened.
    public let count: UInt64

    /// Opens a file. A symbolic link at the end of the path is not followed.
    ///
    /// - Throws: ``ImageError/notARegularFile``, ``ImageError/fileTooLarge``, or
    ///   ``ImageFailure/unreadable(offset:reason:)``.
    public convenience init(path: String) throws(ImageFailure) {
        try self.init(at: AT_FDCWD, name: path)
    }

    /// Opens a file in a folder.
    ///
    /// - Parameter folder: a descriptor, which stays the caller's.
    convenience init(at folder: CInt, name: String) throws(ImageFailure) {
        // Without waiting for the other end of a pipe.
        let descriptor = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else {
            guard errno != ELOOP else { throw .refused(.notARegularFile, offset: nil) }
            throw .systemRefused(at: nil)
        }
        try self.init(taking: descriptor)
    }

    /// Takes over a descriptor, which is closed with this object, or at once if this throws.
    public init(taking descriptor: CInt) throws(ImageFailure) {
        do throws(ImageFailure) {
            count = try Self.size(of: descriptor)
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    private static func size(of descriptor: CInt) throws(ImageFailure) -> UInt64 {
        var found = stat()
        guard fstat(descriptor, &found) == 0 else { throw .systemRefused(at: nil) }
        guard found.st_mode & S_IFMT == S_IFREG else { throw .refused(.notARegularFile, offset: nil) }
        let size = UInt64(clamping: found.st_size)
        guard size <= ExecutableFile.sizeLimit else { throw .refused(.fileTooLarge, offset: nil) }
        return size
    }

    /// Fills a buffer from an offset.
    ///
    /// - Throws: ``ImageFailure/unreadable(offset:reason:)``, ``ImageFailure/sizeChanged(from:to:)``.
    public func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(ImageFailure) {
        var done = 0
        while done < buffer.count {
            let place = off_t(clamping: offset) + off_t(done)
            let result = pread(descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done, place)
            if result < 0 {
                guard errno == EINTR else { throw .systemRefused(at: offset) }
            } else if result == 0 {
                try checkSize()
                throw .unreadable(offset: offset, reason: "the file has \(count) bytes")
            } else {
                done += result
            }
        }
    }

    /// Reads, and makes sure afterwards that the file has kept its size.
    ///
    /// - Throws: what `body` throws, and ``ImageFailure/sizeChanged(from:to:)``.
    ///
    /// Source: Vigil specification, 4.7.
    public func measure<R>(_ body: (OpenedFile) throws(ImageFailure) -> R) throws(ImageFailure) -> R {
        let result = try body(self)
        try checkSize()
        return result
    }

    private func checkSize() throws(ImageFailure) {
        let now = try Self.size(of: descriptor)
        guard now == count else { throw .sizeChanged(from: count, to: now) }
    }
}

extension ImageFailure {
    /// What the last call to the system failed with.
    static func systemRefused(at offset: UInt64?) -> ImageFailure {
        .unreadable(offset: offset, reason: String(cString: strerror(errno)))
    }
}
