import TextForms

/// Where each value of a checked encoding stands: one node for each value and each key, in the order of the bytes.
///
/// Making it is the whole check of an encoding; readers built on it cannot meet bytes that are not FFV1.
struct Outline {
    struct Node {
        /// The offset of the value's tag, or of the byte that holds a key's length.
        let offset: UInt32
        /// The node behind this value and everything in it.
        var next: UInt32
    }

    /// The nodes; there is at least one.
    let nodes: ContiguousArray<Node>

    /// Checks `bytes`. Memory grows with what has been read, never with what is claimed.
    ///
    /// - Throws: ``CodecError``: one of those with an offset.
    init(of bytes: UnsafeRawBufferPointer) throws(CodecError) {
        guard bytes.count <= CodecLimits.bytes else { throw .countExceeded(offset: 0, claimed: bytes.count) }
        var scan = Scan(bytes)
        try scan.value(depth: 0)
        guard scan.position == bytes.count else {
            throw .trailingBytes(offset: scan.position, count: bytes.count - scan.position)
        }
        nodes = scan.nodes
    }
}

/// The one pass over an encoding that checks it.
private struct Scan {
    private let bytes: UnsafeRawBufferPointer
    private(set) var position = 0
    private(set) var nodes: ContiguousArray<Outline.Node> = []
    private var items = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        nodes.reserveCapacity(min(32, bytes.count))
    }

    /// - Parameter depth: arrays and maps around the value; the recursion is as deep.
    mutating func value(depth: Int) throws(CodecError) {
        let start = position
        guard start < bytes.count else { throw .truncated(offset: start) }
        guard depth < CodecLimits.depth else { throw .depthExceeded(offset: start) }
        guard let tag = WireTag(rawValue: bytes[start]) else { throw .badTag(offset: start, found: bytes[start]) }
        let node = open(at: start)
        position += 1
        switch tag {
        case .nil, .false, .true: break
        case .int, .uint: try skip(8, of: start)
        case .double:
            let bits = try fixed(UInt64.self, of: start)
            if Double(bitPattern: bits).isNaN, bits != Double.wireNaN { throw .nonCanonical(offset: start) }
        case .float:
            let bits = try fixed(UInt32.self, of: start)
            if Float(bitPattern: bits).isNaN, bits != Float.wireNaN { throw .nonCanonical(offset: start) }
        case .string:
            try text(Int(fixed(UInt32.self, of: start)), of: start)
        case .bytes:
            try skip(Int(fixed(UInt32.self, of: start)), of: start)
        case .array:
            for _ in 0..<(try count(of: start, leastBytes: 1)) { try value(depth: depth + 1) }
        case .map:
            try entries(try count(of: start, leastBytes: 3), depth: depth + 1)
        }
        nodes[node].next = UInt32(nodes.count)
    }

    private mutating func entries(_ count: Int, depth: Int) throws(CodecError) {
        var previous: Range<Int>?
        for _ in 0..<count {
            let start = position
            guard start < bytes.count else { throw .truncated(offset: start) }
            let length = Int(bytes[start])
            guard length > 0 else { throw .emptyKey(offset: start) }
            let node = open(at: start)
            nodes[node].next = UInt32(nodes.count)
            position += 1
            try text(length, of: start)
            let key = start + 1..<position
            if let previous, !isKey(at: previous, before: key) { throw .keyOrder(offset: start) }
            previous = key
            try value(depth: depth)
        }
    }

    /// Reads the count of an array or a map, which the bytes that are left have to be able to hold.
    private mutating func count(of start: Int, leastBytes: Int) throws(CodecError) -> Int {
        let claimed = Int(try fixed(UInt32.self, of: start))
        guard claimed <= (bytes.count - position) / leastBytes, claimed <= CodecLimits.items - items else {
            throw .countExceeded(offset: start, claimed: claimed)
        }
        items += claimed
        return claimed
    }

    private mutating func open(at offset: Int) -> Int {
        nodes.append(Outline.Node(offset: UInt32(offset), next: 0))
        return nodes.count - 1
    }

    private mutating func skip(_ count: Int, of start: Int) throws(CodecError) {
        guard count <= bytes.count - position else { throw .truncated(offset: start) }
        position += count
    }

    private mutating func fixed<I: FixedWidthInteger>(_: I.Type, of start: Int) throws(CodecError) -> I {
        let offset = position
        try skip(MemoryLayout<I>.size, of: start)
        return I(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: I.self))
    }

    private mutating func text(_ count: Int, of start: Int) throws(CodecError) {
        let offset = position
        try skip(count, of: start)
        guard UTF8Check.isValid(UnsafeRawBufferPointer(rebasing: bytes[offset..<position])) else {
            throw .badUTF8(offset: start)
        }
    }

    private func isKey(at place: Range<Int>, before other: Range<Int>) -> Bool {
        bytes[place].lexicographicallyPrecedes(bytes[other])
    }
}
