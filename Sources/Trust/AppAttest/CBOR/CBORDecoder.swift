import TextForms

/// Reads deterministic CBOR: definite lengths, shortest heads, no tags, no floats. Only the order of keys is free.
///
/// Nothing is allocated before it is known that the bytes left can hold it, and strings are not copied.
///
/// Source: `appattest-gate` section 1.1.
struct CBORDecoder {
    /// How many arrays and maps may lie within each other.
    static let depthLimit = 8
    /// From this many keys on, those of a map are compared by their hashes: an object of 32 KiB has room for thousands.
    private static let hashedKeyCount = 16

    private let bytes: ArraySlice<UInt8>
    private var position: Int

    /// The one item that takes up all of `bytes`.
    static func item(_ bytes: ArraySlice<UInt8>) throws(CBORError) -> CBORItem {
        var decoder = CBORDecoder(bytes: bytes, position: bytes.startIndex)
        let item = try decoder.item(depth: 0)
        guard decoder.position == bytes.endIndex else { throw .trailingBytes(offset: decoder.offset) }
        return item
    }

    private var offset: Int { position - bytes.startIndex }

    private var bytesLeft: Int { bytes.endIndex - position }

    private mutating func item(depth: Int) throws(CBORError) -> CBORItem {
        let start = offset
        let (majorType, argument) = try head()
        switch majorType {
        case 0: return .unsigned(argument)
        case 1: return .negative(argument)
        case 2: return .bytes(try string(argument))
        case 3:
            let text = try string(argument)
            guard UTF8Check.isValid(text) else { throw .badUTF8(offset: start) }
            return .text(text)
        case 4: return try array(argument, from: start, depth: depth + 1)
        case 5: return try map(argument, from: start, depth: depth + 1)
        default: return try simple(argument, from: start)
        }
    }

    /// The first byte of an item with the integer behind it.
    private mutating func head() throws(CBORError) -> (majorType: UInt8, argument: UInt64) {
        let start = offset
        guard bytesLeft > 0 else { throw .truncated(offset: start) }
        let first = bytes[position]
        position += 1
        let (majorType, information) = (first >> 5, first & 31)
        // Of simple values only those without more bytes; 25 to 27 would be floats.
        guard majorType != 6, information < 28, majorType != 7 || information < 24 else {
            throw .unsupported(offset: start, head: first)
        }
        guard information >= 24 else { return (majorType, UInt64(information)) }
        let width = 1 << Int(information - 24)
        guard bytesLeft >= width else { throw .truncated(offset: start) }
        var argument: UInt64 = 0
        for byte in bytes[position..<(position + width)] { argument = argument << 8 | UInt64(byte) }
        position += width
        let least: UInt64 = width == 1 ? 24 : 1 << (UInt64(width) * 4)
        guard argument >= least else { throw .notShortest(offset: start) }
        return (majorType, argument)
    }

    private mutating func string(_ count: UInt64) throws(CBORError) -> ArraySlice<UInt8> {
        guard count <= UInt64(bytesLeft) else { throw .truncated(offset: offset) }
        defer { position += Int(count) }
        return bytes[position..<(position + Int(count))]
    }

    private mutating func array(_ count: UInt64, from start: Int, depth: Int) throws(CBORError) -> CBORItem {
        guard depth <= Self.depthLimit else { throw .tooDeep(offset: start) }
        guard count <= UInt64(bytesLeft) else { throw .truncated(offset: start) }
        var items: [CBORItem] = []
        items.reserveCapacity(Int(count))
        for _ in 0..<count { items.append(try item(depth: depth)) }
        return .array(items)
    }

    private mutating func map(_ count: UInt64, from start: Int, depth: Int) throws(CBORError) -> CBORItem {
        guard depth <= Self.depthLimit else { throw .tooDeep(offset: start) }
        guard count <= UInt64(bytesLeft / 2) else { throw .truncated(offset: start) }
        var entries: [CBOREntry] = []
        entries.reserveCapacity(Int(count))
        var hashedKeys: Set<ArraySlice<UInt8>> = []
        for _ in 0..<count {
            let keyStart = position
            let key = try item(depth: depth)
            switch key {
            case .unsigned, .negative, .bytes, .text: break
            case .array, .map, .bool, .null: throw .badKey(offset: keyStart - bytes.startIndex)
            }
            // Heads are shortest, so equal keys are equal bytes.
            let isNew =
                count < Self.hashedKeyCount
                ? !entries.contains { $0.key == key } : hashedKeys.insert(bytes[keyStart..<position]).inserted
            guard isNew else { throw .duplicateKey(offset: keyStart - bytes.startIndex) }
            entries.append(CBOREntry(key: key, value: try item(depth: depth)))
        }
        return .map(entries)
    }

    private func simple(_ value: UInt64, from start: Int) throws(CBORError) -> CBORItem {
        switch value {
        case 20: return .bool(false)
        case 21: return .bool(true)
        case 22: return .null
        default: throw .unsupported(offset: start, head: 0xe0 | UInt8(truncatingIfNeeded: value))
        }
    }
}
