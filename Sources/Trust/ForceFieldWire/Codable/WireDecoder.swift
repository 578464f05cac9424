/// Reads one value of checked bytes as a `Decodable` type.
///
/// It is the decoder and, for scalars, the container of one value: both are a node and the way to it.
struct WireDecoder: Decoder {
    let source: CheckedBytes
    let node: Int
    let path: CodingPath
    let unknownKeys: FFV1.UnknownKeys

    init(_ node: Int, of source: CheckedBytes, at path: CodingPath, unknownKeys: FFV1.UnknownKeys) {
        self.source = source
        self.node = node
        self.path = path
        self.unknownKeys = unknownKeys
    }

    var codingPath: [any CodingKey] { path.keys }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// - Throws: ``CodecError``, also for what the type throws.
    func read<Value: Decodable>() throws -> Value {
        // Bytes, and the scalars that arrays are mostly of, as the encoder has them.
        if Value.self == [UInt8].self {
            try expect(.bytes)
            return unsafeBitCast(source.bytes(node), to: Value.self)
        }
        if Value.self == String.self { return unsafeBitCast(try decode(String.self), to: Value.self) }
        if Value.self == Int.self { return unsafeBitCast(try decode(Int.self), to: Value.self) }
        if Value.self == Double.self { return unsafeBitCast(try decode(Double.self), to: Value.self) }
        if Value.self == Float.self { return unsafeBitCast(try decode(Float.self), to: Value.self) }
        do { return try Value(from: self) } catch { throw CodecError(error, at: path) }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try expect(.map)
        let container = KeyedWireDecoding<Key>(self)
        if unknownKeys == .refused { try container.refuseUnknownKeys() }
        return KeyedDecodingContainer(container)
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try expect(.array)
        return UnkeyedWireDecoding(self)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    /// The decoder of a value inside this one.
    func nested(_ node: Int, at path: CodingPath) -> WireDecoder {
        WireDecoder(node, of: source, at: path, unknownKeys: unknownKeys)
    }
}

extension WireDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { source.tag(node) == .nil }

    func decode(_: Bool.Type) throws -> Bool {
        switch source.tag(node) {
        case .true: true
        case .false: false
        default: throw mismatch(WireTag.true.name)
        }
    }

    func decode(_: String.Type) throws -> String {
        try expect(.string)
        return source.string(node)
    }

    func decode(_: Double.Type) throws -> Double {
        try expect(.double)
        return source.double(node)
    }

    func decode(_: Float.Type) throws -> Float {
        try expect(.float)
        return source.float(node)
    }

    func decode(_: Int.Type) throws -> Int { try signed() }
    func decode(_: Int8.Type) throws -> Int8 { try signed() }
    func decode(_: Int16.Type) throws -> Int16 { try signed() }
    func decode(_: Int32.Type) throws -> Int32 { try signed() }
    func decode(_: Int64.Type) throws -> Int64 { try signed() }
    func decode(_: UInt.Type) throws -> UInt { try unsigned() }
    func decode(_: UInt8.Type) throws -> UInt8 { try unsigned() }
    func decode(_: UInt16.Type) throws -> UInt16 { try unsigned() }
    func decode(_: UInt32.Type) throws -> UInt32 { try unsigned() }
    func decode(_: UInt64.Type) throws -> UInt64 { try unsigned() }

    func decode<Value: Decodable>(_: Value.Type) throws -> Value { try read() }

    private func signed<I: FixedWidthInteger>() throws -> I {
        try expect(.int)
        guard let number = I(exactly: source.int(node)) else { throw CodecError.outOfRange(path: path.text) }
        return number
    }

    private func unsigned<I: FixedWidthInteger>() throws -> I {
        try expect(.uint)
        guard let number = I(exactly: source.uint(node)) else { throw CodecError.outOfRange(path: path.text) }
        return number
    }

    private func expect(_ tag: WireTag) throws(CodecError) {
        guard source.tag(node) == tag else { throw mismatch(tag.name) }
    }

    private func mismatch(_ expected: String) -> CodecError {
        .typeMismatch(path: path.text, expected: expected, found: source.tag(node).name)
    }
}
