import SCALE

/// The values that become one card each.
extension TextWalk {
    mutating func addNumber(_ value: UInt128, isAmount: Bool, indent: Int) throws(DecodingError) {
        isAmount
            ? try add(.balance(Amount(value, decimals: network.decimals, unit: network.unit)), indent: indent)
            : try add(.default(DecimalDigits(value).text), indent: indent)
    }

    mutating func readOptionalBool(indent: Int) throws(DecodingError) {
        let offset = input.position
        switch try readByte() {
        case 0: try add(.none, indent: indent)
        case 1: try add(.default("True"), indent: indent)
        case 2: try add(.default("False"), indent: indent)
        case let tag: throw .unexpectedOptionVariant(found: tag, offset: offset)
        }
    }

    mutating func readBytes(indent: Int) throws(DecodingError) {
        let count = try readCount()
        count == 0
            ? try add(.default(""), indent: indent)
            : try addBytes(try readRange(count), indent: indent)
    }

    /// Reads bits in bytes, the lowest first.
    mutating func readBits(indent: Int) throws(DecodingError) {
        let count = try readCount()
        let range = try readRange((count + 7) / 8)
        let bits = (0..<count).map { position in
            input.bytes[range.lowerBound + position / 8] >> (position % 8) & 1 == 1
                ? UInt8(ascii: "1") : UInt8(ascii: "0")
        }
        try add(.bitvec(String(decoding: bits, as: UTF8.self)), indent: indent)
    }
}
