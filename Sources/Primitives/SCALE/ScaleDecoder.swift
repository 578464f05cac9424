/// Reads SCALE values from bytes, front to back, without copying the input.
///
/// Total on every input: each read returns a value or throws a ``ScaleError`` and leaves the position where the failing
/// value began or inside it; nothing traps, and no count taken from the input sizes an allocation.
///
///     var decoder = ScaleDecoder(bytes)
///     let name = try decoder.string()
///     let version = try decoder.uint32()
///     try decoder.finish()
///
/// Source: Parity SCALE codec; `signer-wire` section 3.
public struct ScaleDecoder: Sendable {
    /// The whole input; `position` and `end` index into it.
    public let bytes: [UInt8]
    /// Offset of the next byte to read.
    public private(set) var position: Int
    /// Offset behind the last byte that may be read.
    public let end: Int

    /// Reads bytes from their start.
    @inlinable
    public init(_ bytes: [UInt8]) {
        self.init(bytes, in: 0..<bytes.count)
    }

    /// Reads a part of `bytes`; offsets in errors stay those of the whole.
    ///
    /// - Parameter range: clamped to the bounds of `bytes`.
    public init(_ bytes: [UInt8], in range: Range<Int>) {
        let range = range.clamped(to: 0..<bytes.count)
        self.bytes = bytes
        self.position = range.lowerBound
        self.end = range.upperBound
    }

    /// Bytes not yet read.
    public var remaining: Int { end - position }

    /// Whether all bytes are read.
    public var isAtEnd: Bool { position == end }

    /// Throws ``ScaleError/trailingBytes(offset:count:)`` unless everything has been read.
    public func finish() throws(ScaleError) {
        guard isAtEnd else { throw .trailingBytes(offset: position, count: remaining) }
    }

    // MARK: Raw bytes

    /// Takes `count` bytes and returns where they stand in ``bytes``.
    public mutating func range(_ count: Int) throws(ScaleError) -> Range<Int> {
        guard count >= 0, count <= remaining else {
            throw .dataTooShort(offset: position, needed: count, available: remaining)
        }
        let start = position
        position += count
        return start..<position
    }

    /// Passes over bytes, which have to be there.
    public mutating func skip(_ count: Int) throws(ScaleError) {
        _ = try range(count)
    }

    /// Takes `count` bytes as a copy of their own.
    public mutating func array(_ count: Int) throws(ScaleError) -> [UInt8] {
        Array(bytes[try range(count)])
    }

    /// The next byte, which stays unread; nil at the end.
    public func peek() -> UInt8? {
        isAtEnd ? nil : bytes[position]
    }

    // MARK: Fixed-width integers, little-endian

    /// One byte.
    public mutating func uint8() throws(ScaleError) -> UInt8 {
        guard position < end else { throw .dataTooShort(offset: position, needed: 1, available: 0) }
        defer { position += 1 }
        return bytes[position]
    }

    /// Any fixed-width integer, little-endian, two's complement if signed.
    public mutating func integer<T: FixedWidthInteger>(_ type: T.Type = T.self) throws(ScaleError) -> T {
        let range = try range(T.bitWidth / 8)
        var value: T = 0
        for index in range.reversed() { value = (value << 8) | T(truncatingIfNeeded: bytes[index]) }
        return value
    }

    /// Two bytes, little-endian.
    public mutating func uint16() throws(ScaleError) -> UInt16 { try integer() }
    /// Four bytes, little-endian.
    public mutating func uint32() throws(ScaleError) -> UInt32 { try integer() }
    /// Eight bytes, little-endian.
    public mutating func uint64() throws(ScaleError) -> UInt64 { try integer() }
    /// Sixteen bytes, little-endian.
    public mutating func uint128() throws(ScaleError) -> UInt128 { try integer() }

    // MARK: Compact integers

    /// A compact integer of at most 32 bits, as lengths, counts and type ids are.
    public mutating func compact32() throws(ScaleError) -> UInt32 {
        let start = position
        guard start < end else { throw .malformedCompact(offset: start, reason: .truncated) }
        let first = bytes[start]
        if first & 3 == 0 {
            position = start + 1
            return UInt32(first >> 2)
        }
        return UInt32(try compact(bits: 32))
    }

    /// A compact integer whose value fits `bits` bits (8, 16, 32, 64 or 128). Only the shortest form is accepted.
    public mutating func compact(bits: Int) throws(ScaleError) -> UInt128 {
        let start = position
        guard start < end else { throw .malformedCompact(offset: start, reason: .truncated) }
        let first = bytes[start]
        let mode = first & 3
        let value: UInt128
        let length: Int
        let least: UInt128
        switch mode {
        case 0: (value, length, least) = (UInt128(first >> 2), 1, 0)
        case 1: (value, length, least) = (try littleEndian(at: start, count: 2, compactAt: start) >> 2, 2, 1 << 6)
        case 2: (value, length, least) = (try littleEndian(at: start, count: 4, compactAt: start) >> 2, 4, 1 << 14)
        default:
            let count = Int(first >> 2) + 4
            guard count <= 16, count <= max(4, bits / 8) else {
                throw .malformedCompact(offset: start, reason: .tooWide)
            }
            value = try littleEndian(at: start + 1, count: count, compactAt: start)
            length = 1 + count
            least = count == 4 ? 1 << 30 : (1 as UInt128) << (8 * (count - 1))
        }
        guard value >= least else { throw .malformedCompact(offset: start, reason: .notShortest) }
        guard bits >= 128 || value >> bits == 0 else { throw .malformedCompact(offset: start, reason: .tooWide) }
        position = start + length
        return value
    }

    private func littleEndian(at start: Int, count: Int, compactAt offset: Int) throws(ScaleError) -> UInt128 {
        guard end - start >= count else { throw .malformedCompact(offset: offset, reason: .truncated) }
        var value: UInt128 = 0
        for index in (start..<start + count).reversed() { value = value << 8 | UInt128(bytes[index]) }
        return value
    }

    /// A count of items, of which each takes at least `minimumItemSize` bytes; more than fit is refused.
    ///
    /// - Parameter minimumItemSize: 0 accepts any 32-bit count: the caller bounds the work by other means.
    public mutating func count(minimumItemSize: Int = 1) throws(ScaleError) -> Int {
        let start = position
        let count = Int(try compact32())
        guard minimumItemSize == 0 || count <= remaining / minimumItemSize else {
            throw .lengthExceedsInput(offset: start, claimed: count, available: remaining)
        }
        return count
    }

    // MARK: Composite values

    /// One byte, 0 or 1.
    public mutating func bool() throws(ScaleError) -> Bool {
        let start = position
        let byte = try uint8()
        guard byte <= 1 else { throw .invalidBool(offset: start, found: byte) }
        return byte == 1
    }

    /// A value behind a byte that says whether there is one.
    public mutating func option<T>(
        _ read: (inout ScaleDecoder) throws(ScaleError) -> T
    ) throws(ScaleError) -> T? {
        let start = position
        let tag = try uint8()
        switch tag {
        case 0: return nil
        case 1: return try read(&self)
        default: throw .invalidOption(offset: start, found: tag)
        }
    }

    /// A sequence: compact count, then the items.
    ///
    /// - Parameter minimumItemSize: bytes that one item takes at the least, 1 or more.
    public mutating func sequence<T>(
        minimumItemSize: Int = 1, _ read: (inout ScaleDecoder) throws(ScaleError) -> T
    ) throws(ScaleError) -> [T] {
        let count = try count(minimumItemSize: minimumItemSize)
        var items: [T] = []
        items.reserveCapacity(min(count, remaining))
        for _ in 0..<count { items.append(try read(&self)) }
        return items
    }

    /// A byte sequence, as the range where it stands.
    public mutating func byteSequenceRange() throws(ScaleError) -> Range<Int> {
        try range(try count())
    }

    /// A byte sequence (`Vec<u8>`), copied.
    public mutating func byteSequence() throws(ScaleError) -> [UInt8] {
        Array(bytes[try byteSequenceRange()])
    }

    /// A string: compact byte length, then UTF-8.
    public mutating func string() throws(ScaleError) -> String {
        let start = position
        let range = try byteSequenceRange()
        guard let text = bytes.withUnsafeBytes({ String(validating: $0[range], as: UTF8.self) }) else {
            throw .invalidUTF8(offset: start)
        }
        return text
    }

    /// A char: a Unicode scalar value as 32 bits.
    public mutating func character() throws(ScaleError) -> Unicode.Scalar {
        let start = position
        let value = try uint32()
        guard let scalar = Unicode.Scalar(value) else { throw .invalidCharacter(offset: start, found: value) }
        return scalar
    }
}
