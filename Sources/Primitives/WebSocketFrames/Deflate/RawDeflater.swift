import CZlib

/// Compresses into raw DEFLATE (RFC 1951, no zlib header), each input on its own.
///
/// One instance serves any number of inputs, one after the other: its state is some 256 KiB, so callers share it where
/// they can. Not `Sendable`.
public final class RawDeflater {
    /// How the stream ends.
    public enum Ending: Sendable {
        /// The stream ends with a final block.
        case final
        /// The stream ends with an empty stored block, `00 00 ff ff`, behind which more could follow (RFC 7692 section
        /// 7.2.1).
        case flushed
    }

    /// The state of zlib, on the heap, since zlib keeps its address; nil before the first use.
    private var stream: UnsafeMutablePointer<z_stream>?
    private let level: Int32

    /// - Parameter level: 1 (fast) … 9 (small).
    public init(level: Int = 6) {
        self.level = Int32(min(max(level, 1), 9))
    }

    deinit {
        guard let stream else { return }
        deflateEnd(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// - Returns: the whole stream.
    /// - Throws: only ``RawDeflateError/noMemory``.
    public func compress(_ bytes: UnsafeRawBufferPointer, ending: Ending) throws(RawDeflateError) -> [UInt8] {
        let stream = try started()
        defer {
            stream.pointee.next_in = nil
            stream.pointee.next_out = nil
        }
        var output: [UInt8] = []
        var taken = 0
        var isDone = false
        var room = [UInt8](repeating: 0, count: min(Int(deflateBound(stream, UInt(bytes.count))) + 16, 1 << 16))
        while !isDone {
            let part = UnsafeRawBufferPointer(rebasing: bytes[taken..<min(bytes.count, taken + (1 << 30))])
            let isLast = taken + part.count == bytes.count
            let flush = isLast ? (ending == .final ? Z_FINISH : Z_SYNC_FLUSH) : Z_NO_FLUSH
            let (status, written) = room.withUnsafeMutableBufferPointer { room in
                // zlib only reads through next_in; both pointers are valid during this call, and both counts fit 32
                // bits.
                stream.pointee.next_in = part.baseAddress.map {
                    UnsafeMutablePointer(mutating: $0.assumingMemoryBound(to: UInt8.self))
                }
                stream.pointee.avail_in = UInt32(part.count)
                stream.pointee.next_out = room.baseAddress
                stream.pointee.avail_out = UInt32(room.count)
                let status = deflate(stream, flush)
                return (status, room.count - Int(stream.pointee.avail_out))
            }
            taken += part.count - Int(stream.pointee.avail_in)
            output += room[..<written]
            switch status {
            case Z_STREAM_END: isDone = true
            // With room to spare, a flush is complete. No progress is possible only after such a flush.
            case Z_OK, Z_BUF_ERROR: isDone = isLast && ending == .flushed && written < room.count
            default: throw .noMemory
            }
        }
        return output
    }

    private func started() throws(RawDeflateError) -> UnsafeMutablePointer<z_stream> {
        if let stream {
            deflateReset(stream)
            return stream
        }
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let status = deflateInit2_(
            stream, level, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else {
            stream.deinitialize(count: 1)
            stream.deallocate()
            throw .noMemory
        }
        self.stream = stream
        return stream
    }
}
