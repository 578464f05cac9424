/// Reads the binary format's smallest parts, strictly (WebAssembly core specification 1.0, section 5.2).
struct ModuleReader {
    let bytes: [UInt8]
    private(set) var position: Int
    /// Where the part that is read ends.
    private(set) var end: Int

    init(_ bytes: [UInt8], in range: Range<Int>) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    var isAtEnd: Bool { position == end }

    func error(_ fault: ModuleFault, at offset: Int? = nil) -> ModuleError {
        ModuleError(offset: offset ?? position, fault: fault)
    }

    @inline(__always)
    mutating func byte() throws(ModuleError) -> UInt8 {
        guard position < end else { throw error(.truncated) }
        defer { position += 1 }
        return bytes[position]
    }

    /// The next `count` bytes, which are passed over.
    mutating func range(_ count: Int) throws(ModuleError) -> Range<Int> {
        guard count <= end - position else { throw error(.truncated) }
        defer { position += count }
        return position..<position + count
    }

    /// Reads only the next `count` bytes until `body` has read all of them.
    mutating func within<Value>(
        _ count: Int, _ body: (inout ModuleReader) throws(ModuleError) -> Value
    ) throws(ModuleError) -> Value {
        let outer = end
        guard count <= end - position else { throw error(.truncated) }
        end = position + count
        let value = try body(&self)
        guard isAtEnd else { throw error(.malformed("\(end - position) bytes are left over")) }
        end = outer
        return value
    }

    @inline(__always)
    mutating func unsigned32() throws(ModuleError) -> UInt32 {
        let first = try byte()
        return first < 0x80 ? UInt32(first) : UInt32(truncatingIfNeeded: try unsigned(bits: 32, after: first))
    }

    private mutating func unsigned(bits: Int, after first: UInt8) throws(ModuleError) -> UInt64 {
        let start = position - 1
        var (value, shift, last) = (UInt64(first & 0x7f), 7, first)
        while last >= 0x80 {
            guard shift < bits else { throw error(.malformed("a number of too many bytes"), at: start) }
            last = try byte()
            guard bits - shift >= 7 || last & 0x7f < 1 << (bits - shift) else {
                throw error(.malformed("a number that does not fit into \(bits) bits"), at: start)
            }
            value |= UInt64(last & 0x7f) << shift
            shift += 7
        }
        return value
    }

    /// A signed number of 32, 33 or 64 bits.
    mutating func signed(bits: Int) throws(ModuleError) -> Int64 {
        let start = position
        var (value, shift) = (Int64(0), 0)
        while true {
            guard shift < bits else { throw error(.malformed("a number of too many bytes"), at: start) }
            let next = try byte()
            if bits - shift < 7 {
                // The bits that do not fit repeat the sign.
                let rest = Int8(truncatingIfNeeded: next << 1) >> (bits - shift)
                guard rest == 0 || rest == -1 else {
                    throw error(.malformed("a number that does not fit into \(bits) bits"), at: start)
                }
            }
            value |= Int64(next & 0x7f) << shift
            shift += 7
            guard next >= 0x80 else { return shift < 64 && next & 0x40 != 0 ? value | -1 << shift : value }
        }
    }

    /// Bytes in little-endian order.
    mutating func fixed<Integer: FixedWidthInteger>(_ type: Integer.Type) throws(ModuleError) -> Integer {
        try range(Integer.bitWidth / 8).reversed().reduce(0) { $0 << 8 | Integer(truncatingIfNeeded: bytes[$1]) }
    }

    mutating func count(of kind: String, limit: Int) throws(ModuleError) -> Int {
        let start = position
        let count = Int(try unsigned32())
        guard count <= limit else { throw error(.tooMany(kind: kind, limit: limit), at: start) }
        return count
    }

    mutating func name() throws(ModuleError) -> String {
        let start = position
        let bytes = bytes[try range(try count(of: "bytes of a name", limit: ModuleLimits.nameByteCount))]
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw error(.malformed("a name that is not UTF-8"), at: start)
        }
        return text
    }

    mutating func valueType() throws(ModuleError) -> ValueType {
        let start = position
        let code = try byte()
        if let type = ValueType(rawValue: code) { return type }
        switch code {
        case 0x7b: throw error(.unsupported("the type v128 (SIMD)"), at: start)
        case 0x63, 0x64, 0x69...0x74: throw error(.unsupported("a reference as a value (reference types)"), at: start)
        default: throw error(.malformed("\(code) is no type of values"), at: start)
        }
    }

    mutating func valueTypes(_ kind: String, limit: Int) throws(ModuleError) -> [ValueType] {
        try vector(of: kind, limit: limit) { reader throws(ModuleError) in try reader.valueType() }
    }

    mutating func vector<Item>(
        of kind: String, limit: Int, _ item: (inout ModuleReader) throws(ModuleError) -> Item
    ) throws(ModuleError) -> [Item] {
        let count = try count(of: kind, limit: limit)
        var items: [Item] = []
        items.reserveCapacity(min(count, end - position))
        for _ in 0..<count { items.append(try item(&self)) }
        return items
    }
}
