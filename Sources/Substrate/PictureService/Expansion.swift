/// A Zstandard frame from outside.
package struct PackedBytes: Codable, Hashable, Sendable {
    /// Bytes that it must hold, at most ``byteLimit``.
    package var byteCount: Int
    /// The frame, and nothing else.
    package var frame: [UInt8]

    package init(byteCount: Int, frame: [UInt8]) {
        self.byteCount = byteCount
        self.frame = frame
    }

    /// Bytes that come out at the most.
    package static let byteLimit = 4 << 20
}

/// What became of a frame.
package enum Expansion: Codable, Hashable, Sendable {
    /// The bytes that it holds.
    case expanded([UInt8])
    /// Why it is not read, in the worker's words.
    case refused(String)

    private static let reasonLimit = 256

    /// - Throws: ``ReplyRefusal`` for what was not asked.
    package func check(for asked: PackedBytes) throws(ReplyRefusal) {
        switch self {
        case .expanded(let bytes): guard bytes.count == asked.byteCount else { throw .size }
        case .refused(let reason): guard reason.utf8.count <= Self.reasonLimit else { throw .words }
        }
    }
}
