import SCALE
import TextForms

/// Walks over a metadata blob front to back without copying.
///
/// Bounds: every read and skip compares with the buffer's end before it touches memory; the buffer is valid while the
/// closure that it was made for runs, and a cursor does not leave that closure.
package struct BlobCursor {
    let base: UnsafeBufferPointer<UInt8>
    package private(set) var position: Int

    /// - Parameter position: clamped to the buffer.
    package init(_ buffer: UnsafeBufferPointer<UInt8>, at position: Int = 0) {
        base = buffer
        self.position = min(max(0, position), buffer.count)
    }

    var end: Int { base.count }

    package var remaining: Int { end - position }

    mutating func move(to offset: Int) {
        position = min(max(0, offset), end)
    }

    package mutating func skip(_ count: Int) throws(MetadataFault) {
        guard count <= end - position else { throw tooShort(count) }
        position += count
    }

    private func tooShort(_ count: Int) -> MetadataFault {
        .malformed(.dataTooShort(offset: position, needed: count, available: end - position))
    }

    @inline(__always)
    package mutating func byte() throws(MetadataFault) -> UInt8 {
        guard position < end else { throw tooShort(1) }
        defer { position += 1 }
        return base[position]
    }

    package mutating func uint32() throws(MetadataFault) -> UInt32 {
        guard end - position >= 4 else { throw tooShort(4) }
        defer { position += 4 }
        return UnsafeRawBufferPointer(base).loadUnaligned(fromByteOffset: position, as: UInt32.self).littleEndian
    }

    /// A compact integer of 32 bits in its shortest form.
    @inline(__always)
    package mutating func compact() throws(MetadataFault) -> Int {
        if position < end, base[position] & 3 == 0 {
            defer { position += 1 }
            return Int(base[position] >> 2)
        }
        return try longCompact()
    }

    private mutating func longCompact() throws(MetadataFault) -> Int {
        guard position < end else { throw .malformed(.malformedCompact(offset: position, reason: .truncated)) }
        let first = base[position]
        let (length, least): (Int, UInt32) = first & 3 == 1 ? (2, 1 << 6) : first & 3 == 2 ? (4, 1 << 14) : (5, 1 << 30)
        guard first & 3 != 3 || first >> 2 == 0 else {
            throw .malformed(.malformedCompact(offset: position, reason: .tooWide))
        }
        guard end - position >= length else {
            throw .malformed(.malformedCompact(offset: position, reason: .truncated))
        }
        let start = length == 5 ? position + 1 : position
        var value: UInt32 = 0
        for index in (start..<position + length).reversed() { value = value << 8 | UInt32(base[index]) }
        if length < 5 { value >>= 2 }
        guard value >= least else { throw .malformed(.malformedCompact(offset: position, reason: .notShortest)) }
        position += length
        return Int(value)
    }

    /// A count of items of which each takes at least one byte.
    @inline(__always)
    package mutating func count() throws(MetadataFault) -> Int {
        let start = position
        let count = try compact()
        guard count <= end - position else {
            throw .malformed(.lengthExceedsInput(offset: start, claimed: count, available: end - position))
        }
        return count
    }

    /// A byte sequence or string, as the place where it stands.
    @inline(__always)
    package mutating func text() throws(MetadataFault) -> Range<Int> {
        let count = try count()
        defer { position += count }
        return position..<position + count
    }

    @inline(__always)
    mutating func skipText() throws(MetadataFault) {
        position += try count()
    }

    /// A `vec<str>`.
    @inline(__always)
    package mutating func skipTexts() throws(MetadataFault) {
        for _ in 0..<(try count()) { try skipText() }
    }

    /// Reads whether a value is there: true for 01, false for 00.
    @inline(__always)
    package mutating func isPresent() throws(MetadataFault) -> Bool {
        let tag = try byte()
        guard tag <= 1 else { throw .malformed(.invalidOption(offset: position - 1, found: tag)) }
        return tag == 1
    }

    mutating func flag() throws(MetadataFault) -> Bool {
        let tag = try byte()
        guard tag <= 1 else { throw .malformed(.invalidBool(offset: position - 1, found: tag)) }
        return tag == 1
    }

    /// The bytes at `range`, which reads have walked over.
    package func bytes(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: base[range])
    }

    /// The text at `range`, which a read has given. What is not UTF-8 shows as U+FFFD.
    func string(_ range: Range<Int>) -> String {
        String(decoding: UnsafeBufferPointer(rebasing: base[range]), as: UTF8.self)
    }

    /// The text at `range`, if it is UTF-8.
    package func validString(_ range: Range<Int>) throws(MetadataFault) -> String {
        guard let text = UTF8Check.text(of: bytes(range)) else {
            throw .malformed(.invalidUTF8(offset: range.lowerBound))
        }
        return text
    }

    package mutating func typeID() throws(MetadataFault) -> UInt32 { UInt32(try compact()) }

    package mutating func name() throws(MetadataFault) -> String {
        let range = try text()
        return try validString(range)
    }

    package mutating func optionalName() throws(MetadataFault) -> String? {
        try isPresent() ? try name() : nil
    }

    /// A sequence whose items take at least one byte each.
    package mutating func list<T>(
        _ read: (inout BlobCursor) throws(MetadataFault) -> T
    ) throws(MetadataFault) -> [T] {
        let count = try count()
        var items: [T] = []
        // A hostile count is at most the bytes that are left; their items may be far larger in memory.
        items.reserveCapacity(min(count, 1024))
        for _ in 0..<count { items.append(try read(&self)) }
        return items
    }

    /// The texts of a `vec<str>` up to the first that does not fit.
    mutating func strings() -> [String] {
        var texts: [String] = []
        guard let count = try? count() else { return [] }
        for _ in 0..<count {
            guard let range = try? text() else { break }
            texts.append(string(range))
        }
        return texts
    }

    func equals(_ range: Range<Int>, _ text: StaticString) -> Bool {
        guard range.count == text.utf8CodeUnitCount else { return false }
        for index in 0..<range.count where base[range.lowerBound + index] != text.utf8Start[index] { return false }
        return true
    }
}
