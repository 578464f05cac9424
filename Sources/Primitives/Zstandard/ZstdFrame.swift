import CZstd

/// One Zstandard frame (RFC 8878): written small, and read strictly within bounds.
///
/// What is read is exactly one frame that says how many bytes it holds, without a dictionary, with a bounded window and
/// nothing behind it. More than the expected bytes are never written, whatever the frame holds.
///
/// libzstd is C. Where frames come from outside, read them in a worker that can only compute.
public enum ZstdFrame {
    /// How far back a frame may look, in bytes.
    public static let windowLimit = 4 << 20

    private static let smallestLevel: Int32 = 22
    private static let magic: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd]

    /// Writes the smallest frame that libzstd makes. Slow: seconds for a megabyte.
    ///
    /// - Throws: only ``ZstdFrameError/noMemory``.
    public static func compress(_ bytes: [UInt8]) throws(ZstdFrameError) -> [UInt8] {
        guard let context = ZSTD_createCCtx() else { throw .noMemory }
        defer { ZSTD_freeCCtx(context) }
        for (parameter, value) in [
            (ZSTD_c_compressionLevel, smallestLevel), (ZSTD_c_contentSizeFlag, 1), (ZSTD_c_checksumFlag, 0),
        ] {
            guard ZSTD_isError(ZSTD_CCtx_setParameter(context, parameter, value)) == 0 else { throw .noMemory }
        }
        var frame = [UInt8](repeating: 0, count: ZSTD_compressBound(bytes.count))
        let count = ZSTD_compress2(context, &frame, frame.count, bytes, bytes.count)
        guard ZSTD_isError(count) == 0 else { throw .noMemory }
        frame.removeSubrange(count...)
        return frame
    }

    /// Reads a frame.
    ///
    /// - Parameters:
    ///   - frame: all of it, and nothing else.
    ///   - byteCount: bytes that it must hold.
    ///   - limit: bytes that it may hold.
    public static func expand(
        _ frame: [UInt8], to byteCount: Int, limit: Int
    ) throws(ZstdFrameError) -> [UInt8] {
        guard 0...limit ~= byteCount else { throw .tooLarge(byteCount, limit: limit) }
        try checkHead(frame, byteCount)
        try checkLength(frame)
        guard let context = ZSTD_createDCtx() else { throw .noMemory }
        defer { ZSTD_freeDCtx(context) }
        var bytes = [UInt8](repeating: 0, count: byteCount)
        let count = ZSTD_decompressDCtx(context, &bytes, bytes.count, frame, frame.count)
        guard ZSTD_isError(count) == 0, count == byteCount else { throw .malformed }
        return bytes
    }

    /// Reads a frame that need not say how many bytes it holds, and may look back as far as libzstd allows by itself
    /// (128 MiB), as streams are written.
    ///
    /// - Parameters:
    ///   - frame: all of it, and nothing else.
    ///   - limit: bytes that it may hold.
    public static func expand(_ frame: [UInt8], limit: Int) throws(ZstdFrameError) -> [UInt8] {
        guard frame.count > magic.count, frame.starts(with: magic) else { throw .notAFrame }
        guard frame[magic.count] & 0b11 == 0 else { throw .dictionary }
        try checkLength(frame)
        guard let context = ZSTD_createDCtx() else { throw .noMemory }
        defer { ZSTD_freeDCtx(context) }
        var (bytes, position, rest) = ([UInt8](), 0, 1)
        var piece = [UInt8](repeating: 0, count: ZSTD_DStreamOutSize())
        while rest != 0 {
            let before = (bytes.count, position)
            let count = frame.withUnsafeBytes { frame in
                piece.withUnsafeMutableBytes { piece in
                    var input = ZSTD_inBuffer(src: frame.baseAddress, size: frame.count, pos: position)
                    var output = ZSTD_outBuffer(dst: piece.baseAddress, size: piece.count, pos: 0)
                    rest = ZSTD_decompressStream(context, &output, &input)
                    position = input.pos
                    return output.pos
                }
            }
            guard ZSTD_isError(rest) == 0 else { throw .malformed }
            guard bytes.count + count <= limit else { throw .tooLarge(bytes.count + count, limit: limit) }
            bytes += piece[..<count]
            guard rest == 0 || (bytes.count, position) != before else { throw .malformed }
        }
        return bytes
    }

    /// Refuses a frame that is cut off, and bytes behind it.
    private static func checkLength(_ frame: [UInt8]) throws(ZstdFrameError) {
        let length = ZSTD_findFrameCompressedSize(frame, frame.count)
        guard ZSTD_isError(length) == 0 else { throw .malformed }
        guard length == frame.count else { throw .trailingBytes(frame.count - length) }
    }

    /// The head of a frame (RFC 8878 section 3.1.1.1).
    private static func checkHead(_ frame: [UInt8], _ byteCount: Int) throws(ZstdFrameError) {
        guard frame.count > magic.count, frame.starts(with: magic) else { throw .notAFrame }
        let descriptor = frame[magic.count]
        guard descriptor & 0b1000 == 0 else { throw .malformed }
        guard descriptor & 0b11 == 0 else { throw .dictionary }
        let isSingleSegment = descriptor & 0b10_0000 != 0
        var position = magic.count + 1
        if !isSingleSegment {
            guard position < frame.count else { throw .malformed }
            let (exponent, mantissa) = (UInt64(frame[position] >> 3), UInt64(frame[position] & 7))
            let base = UInt64(1) << (10 + exponent)
            let window = base + base / 8 * mantissa
            guard window <= UInt64(windowLimit) else { throw .windowTooLarge(window, limit: windowLimit) }
            position += 1
        }
        let sizeByteCount = [isSingleSegment ? 1 : 0, 2, 4, 8][Int(descriptor >> 6)]
        guard sizeByteCount > 0 else { throw .sizeNotStated }
        guard frame.count >= position + sizeByteCount else { throw .malformed }
        var stated = frame[position..<position + sizeByteCount].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        // Two bytes count from where one byte ends.
        if sizeByteCount == 2 { stated += 256 }
        guard stated == UInt64(byteCount) else { throw .otherSize(stated: stated, expected: byteCount) }
        guard !isSingleSegment || stated <= UInt64(windowLimit) else {
            throw .windowTooLarge(stated, limit: windowLimit)
        }
    }
}
