#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Bytes on their way into a file, in pieces.
struct FileOutput: ~Copyable {
    private static let pieceLength = 1 << 18

    private let descriptor: Int32
    /// Bytes that are appended to, then handed over with ``flushIfLarge()``.
    var bytes: [UInt8] = []

    /// - Parameter descriptor: stays the caller's.
    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        bytes.reserveCapacity(Self.pieceLength * 2)
    }

    mutating func flushIfLarge() throws(StoreError) {
        if bytes.count >= Self.pieceLength { try flush() }
    }

    mutating func flush() throws(StoreError) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress?.advanced(by: done), $0.count - done) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .system("the key file cannot be written", code: count < 0 ? errno : ENOSPC) }
            done += count
        }
        bytes.removeAll(keepingCapacity: true)
    }
}

extension StoreError {
    /// What the system says of an operation that failed.
    static func system(_ what: String, code: Int32 = errno) -> StoreError {
        .unavailable("\(what): \(String(cString: strerror(code)))")
    }
}
