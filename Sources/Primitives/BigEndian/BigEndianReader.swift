/// Why a field cannot be read.
package struct BigEndianError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where the field begins, from the start of the bytes.
    package let offset: Int
    /// How many bytes it has to have; 0 where the end was expected.
    package let expected: Int
    /// How many bytes there are from its offset on.
    package let left: Int

    @usableFromInline
    init(offset: Int, expected: Int, left: Int) {
        self.offset = offset
        self.expected = expected
        self.left = left
    }

    package var description: String {
        expected == 0
            ? "at byte \(offset): \(left) bytes too many"
            : "at byte \(offset): \(expected) bytes expected, \(left) left"
    }
}

/// Reads fields in network byte order, front to back; what is missing is an error with its offset, never a trap.
///
///     var reader = BigEndianReader(message)
///     let version: UInt16 = try reader.integer()
///     let nonce = try reader.take(32)
///     try reader.end()
///
/// It copies nothing: what it gives are slices of the bytes, which may be an array, a slice of one, or memory that is
/// lent.
package struct BigEndianReader<Bytes: RandomAccessCollection<UInt8>> where Bytes.Index == Int {
    @usableFromInline let bytes: Bytes
    @usableFromInline var position: Int

    @inlinable
    package init(_ bytes: Bytes) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    /// How many bytes were read.
    @inlinable package var offset: Int { position - bytes.startIndex }

    /// How many bytes are left.
    @inlinable package var left: Int { bytes.endIndex - position }

    /// The bytes that were read.
    @inlinable package var before: Bytes.SubSequence { bytes[..<position] }

    /// The bytes that are left.
    @inlinable package var rest: Bytes.SubSequence { bytes[position...] }

    /// Reads so many bytes.
    ///
    /// - Throws: also if the count is negative. Nothing is read then.
    @inlinable
    package mutating func take(_ count: Int) throws(BigEndianError) -> Bytes.SubSequence {
        guard count >= 0, count <= left else { throw BigEndianError(offset: offset, expected: count, left: left) }
        defer { position += count }
        return bytes[position..<position + count]
    }

    /// Reads an integer.
    @inlinable
    package mutating func integer<I: FixedWidthInteger>(_: I.Type = I.self) throws(BigEndianError) -> I {
        try take(MemoryLayout<I>.size).reduce(0) { $0 << 8 | I(truncatingIfNeeded: $1) }
    }

    /// - Throws: unless all was read.
    @inlinable
    package func end() throws(BigEndianError) {
        guard left == 0 else { throw BigEndianError(offset: offset, expected: 0, left: left) }
    }
}

extension BigEndianReader: Sendable where Bytes: Sendable {}
