/// Why a raw DEFLATE stream was not written or read.
public enum RawDeflateError: Error, Hashable, Sendable {
    /// zlib got no memory.
    case noMemory
    /// The stream is no DEFLATE, or ends inside a block.
    case malformed
    /// The stream expands to more bytes than the limit.
    case tooLarge(limit: Int)
    /// The stream expands to more bytes for each of its own than the limit.
    case tooDense(limit: Int)
}
