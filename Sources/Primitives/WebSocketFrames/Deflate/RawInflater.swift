import CZlib

/// Expands raw DEFLATE (RFC 1951) of outsiders within bounds, each input on its own.
///
/// One instance serves any number of inputs, one after the other: its state is some 40 KiB, so callers share it where
/// they can. Not `Sendable`.
package final class RawInflater {
    /// What an input may become.
    package struct Limits: Hashable, Sendable {
        /// Bytes of output.
        package var bytes: Int
        /// Bytes of output for one of input. DEFLATE itself reaches 1032.
        package var ratio: Int
        /// Outputs up to this size are not held to the ratio: a short message of equal bytes is no attack.
        package var ratioFreeBytes: Int

        package init(bytes: Int, ratio: Int = 200, ratioFreeBytes: Int = 65_536) {
            (self.bytes, self.ratio, self.ratioFreeBytes) = (bytes, ratio, ratioFreeBytes)
        }
    }

    /// The state of zlib, on the heap, since zlib keeps its address; nil before the first use.
    private var stream: UnsafeMutablePointer<z_stream>?
    private var room: [UInt8] = []

    package init() {}

    deinit {
        guard let stream else { return }
        inflateEnd(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// - Parameter bytes: whole blocks. Behind a final block another stream may follow (RFC 7692 section 7.2.3.5).
    /// - Throws: ``RawDeflateError``, as soon as a bound is passed: no more than 16 KiB are ever expanded beyond it.
    package func expand(_ bytes: [UInt8], limits: Limits) throws(RawDeflateError) -> [UInt8] {
        let stream = try started()
        defer {
            stream.pointee.next_in = nil
            stream.pointee.next_out = nil
        }
        let densest = max(limits.ratioFreeBytes, bytes.count.multipliedReportingOverflow(by: limits.ratio).partialValue)
        var output: [UInt8] = []
        var taken = 0
        // zlib says by one bit that it stands between two blocks, and by the lower six how many bits it has not used. A
        // call that finds nothing to do clears it.
        var isBetweenBlocks = true
        while true {
            let (status, read, written) = step(stream, bytes, from: taken)
            taken += read
            output += room[..<written]
            guard output.count <= limits.bytes else { throw .tooLarge(limit: limits.bytes) }
            guard output.count <= densest else { throw .tooDense(limit: limits.ratio) }
            if read > 0 || written > 0 { isBetweenBlocks = stream.pointee.data_type & 191 == 128 }
            switch status {
            case Z_OK, Z_BUF_ERROR:
                // Room to spare: all that the input gives is out.
                guard taken == bytes.count, written < room.count else { continue }
                guard isBetweenBlocks else { throw .malformed }
                return output
            case Z_STREAM_END:
                guard taken < bytes.count else { return output }
                inflateReset(stream)
            case Z_MEM_ERROR: throw .noMemory
            default: throw .malformed
            }
        }
    }

    /// Calls zlib once.
    private func step(
        _ stream: UnsafeMutablePointer<z_stream>, _ bytes: [UInt8], from taken: Int
    ) -> (status: Int32, read: Int, written: Int) {
        bytes.withUnsafeBufferPointer { bytes in
            room.withUnsafeMutableBufferPointer { room in
                let count = min(bytes.count - taken, 1 << 30)
                // zlib only reads through next_in; both pointers are valid during this call, and both counts fit 32
                // bits.
                stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress.map { $0 + taken })
                stream.pointee.avail_in = UInt32(count)
                stream.pointee.next_out = room.baseAddress
                stream.pointee.avail_out = UInt32(room.count)
                let status = inflate(stream, Z_SYNC_FLUSH)
                return (status, count - Int(stream.pointee.avail_in), room.count - Int(stream.pointee.avail_out))
            }
        }
    }

    private func started() throws(RawDeflateError) -> UnsafeMutablePointer<z_stream> {
        if let stream {
            inflateReset(stream)
            return stream
        }
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard inflateInit2_(stream, -15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            stream.deinitialize(count: 1)
            stream.deallocate()
            throw .noMemory
        }
        self.stream = stream
        room = [UInt8](repeating: 0, count: 1 << 14)
        return stream
    }
}
