/// Writes canonical FFV1.
struct ValueWriter {
    private(set) var bytes: [UInt8] = []
    private var items = 0

    init(capacity: Int) { bytes.reserveCapacity(capacity) }

    /// - Parameter depth: arrays and maps around the value; the recursion is as deep.
    mutating func write(_ value: WireValue, depth: Int) throws(CodecError) {
        guard depth < CodecLimits.depth else { throw .depthExceeded(offset: bytes.count) }
        switch value {
        case .nil: bytes.append(WireTag.nil.rawValue)
        case .bool(let flag): bytes.append((flag ? WireTag.true : .false).rawValue)
        case .int(let number): append(.int, UInt64(bitPattern: number))
        case .uint(let number): append(.uint, number)
        case .double(let number): append(.double, number.wireBits)
        case .float(let number): append(.float, number.wireBits)
        case .string(let text):
            try begin(.string, count: text.utf8.count)
            bytes.append(contentsOf: text.utf8)
        case .bytes(let content):
            try begin(.bytes, count: content.count)
            bytes.append(contentsOf: content)
        case .array(let elements):
            try beginContainer(.array, count: elements.count)
            for element in elements { try write(element, depth: depth + 1) }
        case .map(let entries):
            try beginContainer(.map, count: entries.count)
            var previous: String?
            for entry in entries.sorted(by: { $0.precedes($1) }) {
                try write(key: entry.key, behind: previous)
                previous = entry.key
                try write(entry.value, depth: depth + 1)
            }
        }
    }

    private mutating func beginContainer(_ tag: WireTag, count: Int) throws(CodecError) {
        guard count <= CodecLimits.items - items else { throw .countExceeded(offset: bytes.count, claimed: count) }
        items += count
        try begin(tag, count: count)
    }

    /// - Parameter previous: the key before it in the order of keys; nil for the first.
    private mutating func write(key: String, behind previous: String?) throws(CodecError) {
        let count = key.utf8.count
        guard count > 0 else { throw .emptyKey(offset: bytes.count) }
        guard count <= CodecLimits.keyBytes else { throw .keyTooLong(offset: bytes.count, count: count) }
        if let previous, previous.utf8.elementsEqual(key.utf8) { throw .keyOrder(offset: bytes.count) }
        bytes.append(UInt8(count))
        bytes.append(contentsOf: key.utf8)
    }

    private mutating func begin(_ tag: WireTag, count: Int) throws(CodecError) {
        guard count <= CodecLimits.bytes - bytes.count else {
            throw .countExceeded(offset: bytes.count, claimed: count)
        }
        append(tag, UInt32(count))
    }

    private mutating func append(_ tag: WireTag, _ number: some FixedWidthInteger) {
        bytes.append(tag.rawValue)
        bytes.append(littleEndian: number)
    }
}

extension [UInt8] {
    package mutating func append(littleEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}
