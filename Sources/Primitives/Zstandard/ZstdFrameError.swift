/// Why a Zstandard frame was not written or read.
public enum ZstdFrameError: Error, Hashable, Sendable {
    /// There is no memory for it.
    case noMemory
    /// The bytes do not begin a frame; skippable frames are none that is read.
    case notAFrame
    /// The frame asks for a dictionary.
    case dictionary
    /// The frame does not say how many bytes it holds.
    case sizeNotStated
    /// The frame says that it holds another number of bytes than is expected.
    case otherSize(stated: UInt64, expected: Int)
    /// The frame looks further back than is allowed.
    case windowTooLarge(UInt64, limit: Int)
    /// More bytes are to come out than are allowed.
    case tooLarge(Int, limit: Int)
    /// The frame ends before its last block does, or its blocks are no blocks.
    case malformed
    /// Bytes follow the frame.
    case trailingBytes(Int)
}

extension ZstdFrameError: CustomStringConvertible {
    /// What is wrong, as a part of a sentence.
    public var description: String {
        switch self {
        case .noMemory: "there is no memory for it"
        case .notAFrame: "it does not begin with a Zstandard frame"
        case .dictionary: "it asks for a dictionary, and none is taken"
        case .sizeNotStated: "its frame does not say how many bytes it holds"
        case .otherSize(let stated, let expected): "its frame says \(stated) bytes, and \(expected) are expected"
        case .windowTooLarge(let window, let limit): "its window has \(window) bytes, and \(limit) are allowed"
        case .tooLarge(let count, let limit): "it expands to \(count) bytes, and \(limit) are allowed"
        case .malformed: "its frame is cut off or damaged"
        case .trailingBytes(let count): "\(count) bytes follow its frame"
        }
    }
}
