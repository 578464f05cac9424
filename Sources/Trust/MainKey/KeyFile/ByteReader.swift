/// Reads big-endian fields of bytes whose bounds were checked before.
struct ByteReader {
    let bytes: ArraySlice<UInt8>
    private(set) var position: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    var remaining: Int { bytes.endIndex - position }

    mutating func take(_ count: Int) -> ArraySlice<UInt8> {
        precondition(count <= remaining, "the caller checked the length")
        defer { position += count }
        return bytes[position..<position + count]
    }

    mutating func array(_ count: Int) -> [UInt8] { Array(take(count)) }

    mutating func integer<I: FixedWidthInteger>(_: I.Type = I.self) -> I {
        take(MemoryLayout<I>.size).reduce(0) { $0 << 8 | I(truncatingIfNeeded: $1) }
    }
}

extension Array where Element == UInt8 {
    /// Lends the bytes, as `withUnsafeBytes` does, and throws what this room throws.
    func withRawBytes<R>(
        _ body: (UnsafeRawBufferPointer) throws(MainKeyError) -> R
    ) throws(MainKeyError) -> R {
        try withUnsafeBufferPointer { (bytes) throws(MainKeyError) in try body(UnsafeRawBufferPointer(bytes)) }
    }

    /// Appends an integer, its most significant byte first.
    mutating func appendBigEndian(_ value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
    }
}

/// The big-endian bytes of an integer.
func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
}
