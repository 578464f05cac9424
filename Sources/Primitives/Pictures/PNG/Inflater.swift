import CZlib

/// A zlib stream that is spread over several ranges of a file, expanded piece by piece into room that the caller has.
struct Inflater: ~Copyable {
    /// The state of zlib, on the heap, since zlib keeps its address.
    private let stream: UnsafeMutablePointer<z_stream>
    private let bytes: [UInt8]
    private let ranges: [Range<Int>]
    /// The range that is being read.
    private var current = 0
    /// How much of it zlib has taken.
    private var taken = 0
    private var isAtEnd = false

    /// - Parameter ranges: not empty, each inside `bytes`.
    init(_ bytes: [UInt8], ranges: [Range<Int>]) throws(PictureError) {
        (self.bytes, self.ranges) = (bytes, ranges)
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard inflateInit_(stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw .png("zlib does not start", at: ranges[0].lowerBound)
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// Where the next byte of the file will be read.
    private var offset: Int {
        current < ranges.count ? ranges[current].lowerBound + taken : ranges[ranges.count - 1].upperBound
    }

    /// Fills `output`, which is not empty.
    mutating func fill(_ output: inout [UInt8]) throws(PictureError) {
        let wanted = output.count
        var filled = 0
        while filled < wanted {
            guard !isAtEnd else { throw malformed("the pixels end before the last row") }
            filled += try step(into: &output, from: filled)
        }
    }

    /// Reads the rest of the stream, which must expand to nothing more, and its checksum.
    mutating func finish() throws(PictureError) {
        var spare: [UInt8] = [0]
        while !isAtEnd {
            guard try step(into: &spare, from: 0) == 0 else { throw malformed("the pixels go on after the last row") }
        }
    }

    /// One call of zlib. Each either takes input, gives output, or ends.
    /// - Returns: how many bytes it wrote.
    private mutating func step(into output: inout [UInt8], from start: Int) throws(PictureError) -> Int {
        while current < ranges.count, taken == ranges[current].count { (current, taken) = (current + 1, 0) }
        guard current < ranges.count else { throw malformed("the compressed pixels end too early") }
        let range = ranges[current]
        let (stream, rest) = (stream, range.lowerBound + taken..<range.upperBound)
        let (status, unread, unfilled) = bytes.withUnsafeBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                // zlib only reads through next_in. Both pointers are valid during this call and dropped after it;
                // counts fit 32 bits, since files and rows are bounded far below.
                stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress.map { $0 + rest.lowerBound })
                stream.pointee.avail_in = UInt32(rest.count)
                stream.pointee.next_out = output.baseAddress.map { $0 + start }
                stream.pointee.avail_out = UInt32(output.count - start)
                let status = inflate(stream, Z_NO_FLUSH)
                stream.pointee.next_in = nil
                stream.pointee.next_out = nil
                return (status, Int(stream.pointee.avail_in), Int(stream.pointee.avail_out))
            }
        }
        taken = range.count - unread
        switch status {
        case Z_OK: break
        case Z_STREAM_END: isAtEnd = true
        default: throw malformed("zlib refuses the pixels (\(status))")
        }
        return output.count - start - unfilled
    }

    /// What is wrong with the pixels, at the place that was read last.
    func malformed(_ reason: String) -> PictureError {
        .png(reason, at: offset)
    }
}
