import SCALE
import TextForms

/// The values that become one card each.
extension TypeWalk {
    mutating func readAccount20(indent: Int) throws(DecodingError) {
        let text = "0x" + Hex.encode(input.bytes[try readRange(20)])
        try add(.id(AccountAddress(text: text, identicon: .blockies(text))), indent: indent)
    }

    // MARK: Extensions

    mutating func readEra(indent: Int) throws(DecodingError) {
        let era = try Era(from: &input)
        try facts?.note(era: era)
        switch era {
        case .immortal: try add(.eraImmortal, indent: indent)
        case .mortal(let phase, let period): try add(.eraMortal(phase: phase, period: period), indent: indent)
        }
    }

    /// The genesis, which gets no card, or the hash of the block from which the transaction is valid.
    mutating func readHash(_ role: ExtensionRole, indent: Int) throws(DecodingError) {
        let offset = input.position
        let hash = Hash256(unchecked: Array(input.bytes[try readRange(32)]))
        if role == .genesis {
            try facts?.note(genesis: hash, offset: offset)
        } else {
            try facts?.note(blockHash: hash)
            try add(.blockHash(hash), indent: indent)
        }
    }

    // MARK: Numbers

    mutating func readNumber(bits: Int, _ role: ExtensionRole, _ context: WalkContext) throws(DecodingError) {
        let value = context.isCompact ? try readCompact(bits: bits) : try readFixed(bits: bits)
        if role == .tip || context.isAmount {
            let amount = Amount(value, decimals: network.decimals, unit: network.unit)
            // An extension that takes fees in other assets has the tip among its fields.
            if facts != nil { tip = max(tip ?? 0, value) }
            return try add(role == .tip ? .tip(amount) : .balance(amount), indent: context.indent)
        }
        let text = DecimalDigits(value).text
        switch role {
        case .nonce: try add(.nonce(text), indent: context.indent)
        case .tx: try add(.txSpec(text), indent: context.indent)
        case .spec:
            try facts?.note(specVersion: value)
            try add(.nameVersion(name: network.name, version: text), indent: context.indent)
        default: try add(.default(text), indent: context.indent)
        }
    }

    // MARK: Other primitives

    mutating func readPrimitive(_ primitive: PrimitiveType, indent: Int) throws(DecodingError) {
        let offset = input.position
        switch primitive {
        case .bool: try add(.default(try readBool() ? "true" : "false"), indent: indent)
        case .char:
            guard let scalar = Unicode.Scalar(UInt32(try readFixed(bits: 32))) else {
                throw .primitiveFailure(type: primitive.name, offset: offset)
            }
            try add(.default(String(scalar)), indent: indent)
        case .str:
            let range = try readRange(try readCount())
            guard let text = String(validating: input.bytes[range], as: UTF8.self) else {
                throw .primitiveFailure(type: primitive.name, offset: offset)
            }
            try add(.text(text), indent: indent)
        case .i8: try addSigned(Int8.self, indent: indent)
        case .i16: try addSigned(Int16.self, indent: indent)
        case .i32: try addSigned(Int32.self, indent: indent)
        case .i64: try addSigned(Int64.self, indent: indent)
        case .i128: try addSigned(Int128.self, indent: indent)
        case .u256, .i256:
            let range = try readRange(32)
            let text = WideDecimal.text(littleEndian: input.bytes[range], isSigned: primitive == .i256)
            try add(.default(text), indent: indent)
        case .u8, .u16, .u32, .u64, .u128:
            try readNumber(bits: primitive.unsignedBits ?? 0, .none, WalkContext(indent: indent, depth: 0))
        }
    }

    private mutating func addSigned<T: FixedWidthInteger & SignedInteger>(
        _ type: T.Type, indent: Int
    ) throws(DecodingError) {
        let value = T(truncatingIfNeeded: try readFixed(bits: T.bitWidth))
        try add(.default(String(value)), indent: indent)
    }

    // MARK: Bytes and bits

    /// Reads the bytes of a remark as text; false, and nothing read, if `type` is not a sequence of bytes.
    mutating func readRemark(_ type: UInt32, indent: Int) throws(DecodingError) -> Bool {
        guard case .sequence(_, isBytes: true) = try shapes.shape(type, try shapes.entry(type)) else { return false }
        let range = try readRange(try readCount())
        if let text = String(validating: input.bytes[range], as: UTF8.self) {
            try add(.text(text), indent: indent)
        } else {
            try addBytes(range, indent: indent)
        }
        return true
    }

    mutating func readBits(store: UInt32, order: UInt32, indent: Int) throws(DecodingError) {
        let count = try readCount()
        let mark = try shapes.entry(order).mark
        guard mark == .lsb0 || mark == .msb0, case .composite = try shapes.shape(order, try shapes.entry(order)) else {
            throw .notBitOrderType(type: order)
        }
        guard case .primitive(let primitive) = try shapes.shape(store, try shapes.entry(store)),
            let width = primitive.unsignedBits, width <= 64
        else { throw .notBitStoreType(type: store) }
        let range = try readRange((count + width - 1) / width * (width / 8))
        let bits = (0..<count).map { position in
            let inWord = position % width
            let place = mark == .lsb0 ? inWord : width - 1 - inWord
            let byte = input.bytes[range.lowerBound + position / width * (width / 8) + place / 8]
            return byte >> (place % 8) & 1 == 1 ? UInt8(ascii: "1") : UInt8(ascii: "0")
        }
        try add(.bitvec(String(decoding: bits, as: UTF8.self)), indent: indent)
    }
}
