import SCALE

/// What every walk over values has: bytes to read, a network to show them for, cards to put down.
protocol CardWalk {
    var input: ScaleDecoder { get set }
    var network: NetworkSpecs { get }
    var cards: [Card] { get }
    /// Where byte strings stand that are long enough for a call.
    var byteStrings: [ByteString] { get set }

    mutating func add(_ kind: CardKind, indent: Int) throws(DecodingError)
}

extension CardWalk {
    mutating func readByte() throws(DecodingError) -> UInt8 {
        guard let byte = try? input.uint8() else { throw .dataTooShort(offset: input.position) }
        return byte
    }

    mutating func readRange(_ count: Int) throws(DecodingError) -> Range<Int> {
        guard let range = try? input.range(count) else { throw .dataTooShort(offset: input.position) }
        return range
    }

    mutating func readCount() throws(DecodingError) -> Int {
        Int(try readCompact(bits: 32))
    }

    mutating func readCompact(bits: Int) throws(DecodingError) -> UInt128 {
        let offset = input.position
        guard !input.isAtEnd else { throw .dataTooShort(offset: offset) }
        guard let value = try? input.compact(bits: bits) else { throw .noCompact(offset: offset) }
        return value
    }

    mutating func readFixed(bits: Int) throws(DecodingError) -> UInt128 {
        var value: UInt128 = 0
        for index in try readRange(bits / 8).reversed() { value = value << 8 | UInt128(input.bytes[index]) }
        return value
    }

    mutating func readBool() throws(DecodingError) -> Bool {
        let offset = input.position
        let byte = try readByte()
        guard byte <= 1 else { throw .primitiveFailure(type: PrimitiveType.bool.name, offset: offset) }
        return byte == 1
    }

    mutating func readAccount32(indent: Int) throws(DecodingError) {
        let account = Array(input.bytes[try readRange(32)])
        guard let text = try? SS58.encode(account, prefix: network.base58Prefix) else {
            throw .addressNotExpressible(prefix: network.base58Prefix)
        }
        try add(.id(AccountAddress(text: text, identicon: .dots(account))), indent: indent)
    }

    mutating func addBytes(_ range: Range<Int>, indent: Int) throws(DecodingError) {
        let bytes = Array(input.bytes[range])
        if bytes.count >= 2 { byteStrings.append(ByteString(card: cards.count, bytes: range)) }
        try add(.bytes(bytes, text: Self.readableText(bytes)), indent: indent)
    }

    /// Bytes as text: UTF-8 without control characters but newline and tab; nil for any other and for none.
    private static func readableText(_ bytes: [UInt8]) -> String? {
        guard !bytes.isEmpty, let text = String(validating: bytes, as: UTF8.self) else { return nil }
        let isReadable = text.unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0x09, 0x0a: true
            case 0..<0x20, 0x7f...0x9f: false
            default: true
            }
        }
        return isReadable ? text : nil
    }
}
