import ExecutableImage
import Files

/// A regular file that is open for reading: what is measured is this file, whatever its path means later.
///
/// Bytes are read with pread, never mapped, so that a file that shrinks is an error and no signal.
public final class OpenedFile: ImageBytes {
    private let file: OpenFile

    /// Open for reading for as long as this object lives.
    public var descriptor: CInt { file.descriptor.rawValue }

    /// Bytes when it was opened.
    public let count: UInt64

    /// Opens a file. A symbolic link at the end of the path is not followed.
    ///
    /// - Throws: ``ImageError/notARegularFile``, ``ImageError/fileTooLarge``, or
    ///   ``ImageFailure/unreadable(offset:reason:)``.
    public convenience init(path: String) throws(ImageFailure) {
        let file: OpenFile
        do throws(FileError) { file = try OpenFile(FilePath(path), rules: .anything) } catch {
            throw ImageFailure(error)
        }
        try self.init(file)
    }

    /// Takes over a descriptor, which is closed with this object, or at once if this throws.
    public convenience init(taking descriptor: CInt) throws(ImageFailure) {
        try self.init(OpenFile(owning: FileDescriptor(rawValue: descriptor), path: "a descriptor"))
    }

    /// Takes an open file.
    package init(_ file: OpenFile) throws(ImageFailure) {
        self.file = file
        count = try Self.size(of: file)
    }

    private static func size(of file: OpenFile) throws(ImageFailure) -> UInt64 {
        let facts: Stat
        do throws(FileError) { facts = try file.facts() } catch { throw ImageFailure(error) }
        guard facts.type == .regular else { throw .refused(.notARegularFile, offset: nil) }
        let size = UInt64(clamping: facts.size)
        guard size <= ExecutableFile.sizeLimit else { throw .refused(.fileTooLarge, offset: nil) }
        return size
    }

    /// Fills a buffer from an offset.
    ///
    /// - Throws: ``ImageFailure/unreadable(offset:reason:)``, ``ImageFailure/sizeChanged(from:to:)``.
    public func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(ImageFailure) {
        let filled: Int
        do throws(FileError) { filled = try file.read(at: Int64(clamping: offset), into: buffer) } catch {
            throw ImageFailure(error, at: offset)
        }
        guard filled == buffer.count else {
            try checkSize()
            throw .unreadable(offset: offset, reason: "the file has \(count) bytes")
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
        let now = try Self.size(of: file)
        guard now == count else { throw .sizeChanged(from: count, to: now) }
    }
}

extension ImageFailure {
    /// What opening or reading failed with.
    init(_ error: FileError, at offset: UInt64? = nil) {
        switch error.reason {
        case .symbolicLink, .notRegular, .folder: self = .refused(.notARegularFile, offset: nil)
        case let reason: self = .unreadable(offset: offset, reason: "\(reason)")
        }
    }
}
