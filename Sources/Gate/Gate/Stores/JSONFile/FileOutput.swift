internal import Files

/// Bytes on their way into a file, in pieces.
struct FileOutput: ~Copyable {
    private static let pieceLength = 1 << 18

    private let file: OpenFile
    /// Bytes that are appended to, then handed over with ``flushIfLarge()``.
    var bytes: [UInt8] = []

    init(_ file: OpenFile) {
        self.file = file
        bytes.reserveCapacity(Self.pieceLength * 2)
    }

    mutating func flushIfLarge() throws(FileError) {
        if bytes.count >= Self.pieceLength { try flush() }
    }

    mutating func flush() throws(FileError) {
        try file.write(bytes)
        bytes.removeAll(keepingCapacity: true)
    }
}
