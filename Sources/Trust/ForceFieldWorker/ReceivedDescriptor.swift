import CLibrary

/// A descriptor that the host has passed, closed with the last reference.
///
/// Source: `forcefield` section 15.
public final class ReceivedDescriptor: Sendable {
    /// The descriptor's number in this process; valid as long as this object is.
    public let number: Int32

    init(_ number: Int32) { self.number = number }

    deinit { close(number) }

    /// Bytes of a file.
    ///
    /// - Returns: nil if it is none.
    public var fileSize: Int? {
        var facts = stat()
        guard fstat(number, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(facts.st_size)
    }

    /// Reads a file in place.
    ///
    /// - Parameters:
    ///   - count: bytes at the most.
    ///   - offset: of the first, from the file's begin.
    /// - Returns: fewer bytes at the file's end; nil if it cannot be read.
    public func read(_ count: Int, at offset: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let piece = bytes.withUnsafeMutableBytes {
                pread(number, $0.baseAddress.map { $0 + filled }, count - filled, off_t(offset + filled))
            }
            if piece < 0, errno == EINTR { continue }
            guard piece >= 0 else { return nil }
            guard piece > 0 else { break }
            filled += piece
        }
        bytes.removeSubrange(filled...)
        return bytes
    }
}
