/// The elements of one array.
struct UnkeyedWireEncoding: UnkeyedEncodingContainer {
    private let box: ArrayBox
    private let outer: CodingPath.Outer
    private let nesting: Int

    init(_ box: ArrayBox, at path: CodingPath, nesting: Int) {
        self.box = box
        outer = CodingPath.Outer(path)
        self.nesting = nesting
    }

    var codingPath: [any CodingKey] { outer.path.keys }
    var count: Int { box.count }

    mutating func encodeNil() { box.append(.nil) }
    mutating func encode(_ value: Bool) { box.append(.bool(value)) }
    mutating func encode(_ value: String) { box.append(.string(value)) }
    mutating func encode(_ value: Double) { box.append(.double(value)) }
    mutating func encode(_ value: Float) { box.append(.float(value)) }
    mutating func encode(_ value: Int) { box.append(.int(Int64(value))) }
    mutating func encode(_ value: Int8) { box.append(.int(Int64(value))) }
    mutating func encode(_ value: Int16) { box.append(.int(Int64(value))) }
    mutating func encode(_ value: Int32) { box.append(.int(Int64(value))) }
    mutating func encode(_ value: Int64) { box.append(.int(value)) }
    mutating func encode(_ value: UInt) { box.append(.uint(UInt64(value))) }
    mutating func encode(_ value: UInt8) { box.append(.uint(UInt64(value))) }
    mutating func encode(_ value: UInt16) { box.append(.uint(UInt64(value))) }
    mutating func encode(_ value: UInt32) { box.append(.uint(UInt64(value))) }
    mutating func encode(_ value: UInt64) { box.append(.uint(value)) }

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        box.append(try WireEncoder.wireValue(of: value, at: outer.index(count), nesting: nesting + 1))
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        nested().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }
    mutating func superEncoder() -> any Encoder { nested() }

    private func nested() -> WireEncoder {
        let encoder = WireEncoder(at: outer.index(count), nesting: nesting + 1)
        box.append(encoder)
        return encoder
    }
}
