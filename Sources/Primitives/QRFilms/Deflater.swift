import CZlib

/// Compresses through zlib.
enum Deflater {
    /// - Returns: a zlib stream (RFC 1950).
    static func zlib(_ bytes: [UInt8]) -> [UInt8] {
        var count = compressBound(UInt(bytes.count))
        let output = [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, initialized in
            // The room is as large as zlib asks for, so it can only fail for want of memory.
            let status = compress2(buffer.baseAddress, &count, bytes, UInt(bytes.count), Z_DEFAULT_COMPRESSION)
            precondition(status == Z_OK, "zlib has no memory")
            initialized = Int(count)
        }
        return output
    }
}
