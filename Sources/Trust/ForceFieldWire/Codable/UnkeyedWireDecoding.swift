/// The elements of one array.
struct UnkeyedWireDecoding: UnkeyedDecodingContainer {
    private let decoder: WireDecoder
    private let outer: CodingPath.Outer
    private let elements: Int
    private var node: Int
    private(set) var currentIndex = 0

    /// - Parameter decoder: of an array.
    init(_ decoder: WireDecoder) {
        self.decoder = decoder
        outer = CodingPath.Outer(decoder.path)
        elements = decoder.source.count(decoder.node)
        node = decoder.node + 1
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { elements }
    var isAtEnd: Bool { currentIndex == elements }

    mutating func decodeNil() throws -> Bool {
        guard try element().decodeNil() else { return false }
        advance()
        return true
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try take { try $0.decode(type) } }
    mutating func decode(_ type: String.Type) throws -> String { try take { try $0.decode(type) } }
    mutating func decode(_ type: Double.Type) throws -> Double { try take { try $0.decode(type) } }
    mutating func decode(_ type: Float.Type) throws -> Float { try take { try $0.decode(type) } }
    mutating func decode(_ type: Int.Type) throws -> Int { try take { try $0.decode(type) } }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try take { try $0.decode(type) } }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try take { try $0.decode(type) } }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try take { try $0.decode(type) } }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try take { try $0.decode(type) } }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try take { try $0.decode(type) } }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try take { try $0.decode(type) } }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try take { try $0.decode(type) } }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try take { try $0.decode(type) } }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try take { try $0.decode(type) } }

    mutating func decode<Value: Decodable>(_: Value.Type) throws -> Value { try take { try $0.read() } }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try take { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try take { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try take { $0 } }

    private mutating func take<Value>(_ read: (WireDecoder) throws -> Value) throws -> Value {
        let value = try read(try element())
        advance()
        return value
    }

    private func element() throws(CodecError) -> WireDecoder {
        let path = outer.index(currentIndex)
        guard !isAtEnd else { throw .missingKey(path: path.text) }
        return decoder.nested(node, at: path)
    }

    private mutating func advance() {
        node = decoder.source.next(node)
        currentIndex += 1
    }
}
