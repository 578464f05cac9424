/// One value that is neither a map's nor an array's.
struct SingleWireEncoding: SingleValueEncodingContainer {
    private let encoder: WireEncoder

    init(_ encoder: WireEncoder) { self.encoder = encoder }

    var codingPath: [any CodingKey] { encoder.codingPath }

    mutating func encodeNil() { encoder.store(.nil) }
    mutating func encode(_ value: Bool) { encoder.store(.bool(value)) }
    mutating func encode(_ value: String) { encoder.store(.string(value)) }
    mutating func encode(_ value: Double) { encoder.store(.double(value)) }
    mutating func encode(_ value: Float) { encoder.store(.float(value)) }
    mutating func encode(_ value: Int) { encoder.store(.int(Int64(value))) }
    mutating func encode(_ value: Int8) { encoder.store(.int(Int64(value))) }
    mutating func encode(_ value: Int16) { encoder.store(.int(Int64(value))) }
    mutating func encode(_ value: Int32) { encoder.store(.int(Int64(value))) }
    mutating func encode(_ value: Int64) { encoder.store(.int(value)) }
    mutating func encode(_ value: UInt) { encoder.store(.uint(UInt64(value))) }
    mutating func encode(_ value: UInt8) { encoder.store(.uint(UInt64(value))) }
    mutating func encode(_ value: UInt16) { encoder.store(.uint(UInt64(value))) }
    mutating func encode(_ value: UInt32) { encoder.store(.uint(UInt64(value))) }
    mutating func encode(_ value: UInt64) { encoder.store(.uint(value)) }

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        encoder.store(try WireEncoder.wireValue(of: value, at: encoder.path, nesting: encoder.nesting + 1))
    }
}
