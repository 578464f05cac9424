/// The entries of one map.
struct KeyedWireEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
    private let box: MapBox
    private let outer: CodingPath.Outer
    private let nesting: Int

    init(_ box: MapBox, at path: CodingPath, nesting: Int) {
        self.box = box
        outer = CodingPath.Outer(path)
        self.nesting = nesting
    }

    var codingPath: [any CodingKey] { outer.path.keys }

    mutating func encodeNil(forKey key: Key) { box.append(key.stringValue, .nil) }
    mutating func encode(_ value: Bool, forKey key: Key) { box.append(key.stringValue, .bool(value)) }
    mutating func encode(_ value: String, forKey key: Key) { box.append(key.stringValue, .string(value)) }
    mutating func encode(_ value: Double, forKey key: Key) { box.append(key.stringValue, .double(value)) }
    mutating func encode(_ value: Float, forKey key: Key) { box.append(key.stringValue, .float(value)) }
    mutating func encode(_ value: Int, forKey key: Key) { box.append(key.stringValue, .int(Int64(value))) }
    mutating func encode(_ value: Int8, forKey key: Key) { box.append(key.stringValue, .int(Int64(value))) }
    mutating func encode(_ value: Int16, forKey key: Key) { box.append(key.stringValue, .int(Int64(value))) }
    mutating func encode(_ value: Int32, forKey key: Key) { box.append(key.stringValue, .int(Int64(value))) }
    mutating func encode(_ value: Int64, forKey key: Key) { box.append(key.stringValue, .int(value)) }
    mutating func encode(_ value: UInt, forKey key: Key) { box.append(key.stringValue, .uint(UInt64(value))) }
    mutating func encode(_ value: UInt8, forKey key: Key) { box.append(key.stringValue, .uint(UInt64(value))) }
    mutating func encode(_ value: UInt16, forKey key: Key) { box.append(key.stringValue, .uint(UInt64(value))) }
    mutating func encode(_ value: UInt32, forKey key: Key) { box.append(key.stringValue, .uint(UInt64(value))) }
    mutating func encode(_ value: UInt64, forKey key: Key) { box.append(key.stringValue, .uint(value)) }

    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        box.append(
            key.stringValue, try WireEncoder.wireValue(of: value, at: outer.key(key), nesting: nesting + 1))
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        nested(key).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        nested(key).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { nested(SuperKey()) }
    mutating func superEncoder(forKey key: Key) -> any Encoder { nested(key) }

    private func nested(_ key: any CodingKey) -> WireEncoder {
        let encoder = WireEncoder(at: outer.key(key), nesting: nesting + 1)
        box.append(key.stringValue, encoder)
        return encoder
    }
}
