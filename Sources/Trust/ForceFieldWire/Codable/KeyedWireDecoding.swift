/// The entries of one map.
struct KeyedWireDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let decoder: WireDecoder
    private let outer: CodingPath.Outer
    /// The nodes of the keys, which ascend.
    private let keys: ContiguousArray<UInt32>

    /// - Parameter decoder: of a map.
    init(_ decoder: WireDecoder) {
        self.decoder = decoder
        outer = CodingPath.Outer(decoder.path)
        keys = decoder.source.keys(decoder.node)
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { keys.compactMap { Key(stringValue: decoder.source.key(Int($0))) } }

    /// - Throws: ``CodecError/unknownKey(path:)``
    func refuseUnknownKeys() throws(CodecError) {
        for node in keys {
            let name = decoder.source.key(Int(node))
            guard Key(stringValue: name) == nil else { continue }
            throw .unknownKey(path: outer.key(UnknownKey(stringValue: name)).text)
        }
    }

    func contains(_ key: Key) -> Bool { value(key.stringValue) != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try entry(key).decodeNil() }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try entry(key).decode(type) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try entry(key).decode(type) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try entry(key).decode(type) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try entry(key).decode(type) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try entry(key).decode(type) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try entry(key).decode(type) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try entry(key).decode(type) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try entry(key).decode(type) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try entry(key).decode(type) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try entry(key).decode(type) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try entry(key).decode(type) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try entry(key).decode(type) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try entry(key).decode(type) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try entry(key).decode(type) }

    func decode<Value: Decodable>(_: Value.Type, forKey key: Key) throws -> Value { try entry(key).read() }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try entry(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try entry(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try entry(SuperKey()) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try entry(key) }

    private func entry(_ key: some CodingKey) throws(CodecError) -> WireDecoder {
        let path = outer.key(key)
        guard let node = value(key.stringValue) else { throw .missingKey(path: path.text) }
        return decoder.nested(node, at: path)
    }

    /// The node of a key's value, found by halving.
    private func value(_ key: String) -> Int? {
        var key = key
        return key.withUTF8 { key in
            var (low, high) = (0, keys.count)
            while low < high {
                let middle = (low + high) / 2
                let order = decoder.source.compareKey(Int(keys[middle]), with: key)
                if order == 0 { return Int(keys[middle]) + 1 }
                if order < 0 { low = middle + 1 } else { high = middle }
            }
            return nil
        }
    }
}
