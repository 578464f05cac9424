import BigEndian

/// Reads big-endian fields of bytes whose bounds were checked before, so that none is missing.
struct ByteReader {
    private var reader: BigEndianReader<ArraySlice<UInt8>>

    init(_ bytes: ArraySlice<UInt8>) {
        reader = BigEndianReader(bytes)
    }

    var remaining: Int { reader.left }

    /// How many bytes were read.
    var offset: Int { reader.offset }

    mutating func take(_ count: Int) -> ArraySlice<UInt8> {
        guard let bytes = try? reader.take(count) else { preconditionFailure("the caller checked the length") }
        return bytes
    }

    mutating func array(_ count: Int) -> [UInt8] { Array(take(count)) }

    mutating func integer<I: FixedWidthInteger>(_: I.Type = I.self) -> I {
        guard let integer = try? reader.integer(I.self) else { preconditionFailure("the caller checked the length") }
        return integer
    }
}

extension Array where Element == UInt8 {
    /// Lends the bytes, as `withUnsafeBytes` does, and throws what this room throws.
    func withRawBytes<R>(
        _ body: (UnsafeRawBufferPointer) throws(MainKeyError) -> R
    ) throws(MainKeyError) -> R {
        try withUnsafeBufferPointer { (bytes) throws(MainKeyError) in try body(UnsafeRawBufferPointer(bytes)) }
    }
}
