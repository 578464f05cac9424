import BigEndian
import SecretMemory

/// Reads big-endian fields from outside bytes; what is missing is an error with its offset, never a trap.
struct ByteReader {
    /// Over bytes that are lent for the time of the `read` functions below, out of which no reader comes.
    private var reader: BigEndianReader<UnsafeRawBufferPointer>
    private let format: HardwareKeyError.Format

    /// Reads all of `bytes`; what is left over is an error.
    static func read<R>(
        _ bytes: [UInt8], as format: HardwareKeyError.Format,
        _ body: (inout ByteReader) throws(HardwareKeyError) -> R
    ) throws(HardwareKeyError) -> R {
        let result = bytes.withUnsafeBytes { raw in
            Result { () throws(HardwareKeyError) in try read(raw, as: format, body) }
        }
        return try result.get()
    }

    /// Reads all of a file that holds a secret, without a copy of it.
    static func read<R>(
        _ bytes: SecretBytes, as format: HardwareKeyError.Format,
        _ body: (inout ByteReader) throws(HardwareKeyError) -> R
    ) throws(HardwareKeyError) -> R {
        try bytes.withUnsafeBytes { (raw) throws(HardwareKeyError) in try read(raw, as: format, body) }
    }

    private static func read<R>(
        _ bytes: UnsafeRawBufferPointer, as format: HardwareKeyError.Format,
        _ body: (inout ByteReader) throws(HardwareKeyError) -> R
    ) throws(HardwareKeyError) -> R {
        var reader = ByteReader(reader: BigEndianReader(bytes), format: format)
        let result = try body(&reader)
        guard reader.left == 0 else { throw reader.malformed("\(reader.left) bytes too many") }
        return result
    }

    private init(reader: BigEndianReader<UnsafeRawBufferPointer>, format: HardwareKeyError.Format) {
        self.reader = reader
        self.format = format
    }

    var left: Int { reader.left }

    /// The bytes read so far.
    var before: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: reader.before) }

    mutating func take(_ count: Int) throws(HardwareKeyError) -> [UInt8] { Array(try lend(count)) }

    mutating func takeSecret(_ count: Int) throws(HardwareKeyError) -> SecretBytes {
        let bytes = try lend(count)
        return try .guarded { () throws(SecretMemoryError) in
            try SecretBytes(copying: UnsafeRawBufferPointer(rebasing: bytes))
        }
    }

    mutating func integer<I: FixedWidthInteger>(_ type: I.Type = I.self) throws(HardwareKeyError) -> I {
        do { return try reader.integer() } catch { throw malformed(error) }
    }

    /// Reads bytes behind their 16-bit count (a TPM2B).
    mutating func sized(limit: Int) throws(HardwareKeyError) -> [UInt8] {
        try take(try count(limit: limit))
    }

    /// A 16-bit count.
    mutating func count(limit: Int) throws(HardwareKeyError) -> Int {
        let count = Int(try integer(UInt16.self))
        guard count <= limit else { throw malformed("\(count) bytes where at most \(limit) are allowed") }
        return count
    }

    /// Steps over bytes that have to be these.
    mutating func expect(_ expected: [UInt8], _ what: String) throws(HardwareKeyError) {
        guard reader.rest.starts(with: expected) else { throw malformed("\(what) expected") }
        _ = try lend(expected.count)
    }

    func malformed(_ reason: String) -> HardwareKeyError {
        .malformed(format, offset: reader.offset, reason: reason)
    }

    private func malformed(_ error: BigEndianError) -> HardwareKeyError {
        .malformed(
            format, offset: error.offset, reason: "\(error.expected) bytes expected, \(error.left) left")
    }

    private mutating func lend(_ count: Int) throws(HardwareKeyError) -> Slice<UnsafeRawBufferPointer> {
        do { return try reader.take(count) } catch { throw malformed(error) }
    }
}

extension [UInt8] {
    /// Appends bytes behind their 16-bit count (a TPM2B).
    mutating func append(sized bytes: [UInt8]) {
        append(bigEndian: UInt16(bytes.count))
        append(contentsOf: bytes)
    }
}
