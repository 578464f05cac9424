import SCALE

/// Arguments of calls, as chains encode them.
enum Value {
    static func compact(_ value: UInt128) -> [UInt8] {
        var encoder = ScaleEncoder()
        encoder.compact(value)
        return encoder.bytes
    }

    static func integer(_ value: some FixedWidthInteger) -> [UInt8] {
        var encoder = ScaleEncoder()
        encoder.integer(value)
        return encoder.bytes
    }

    static func bytes(_ value: [UInt8]) -> [UInt8] { compact(UInt128(value.count)) + value }

    static func text(_ value: String) -> [UInt8] { bytes(Array(value.utf8)) }

    static func sequence(_ items: [[UInt8]]) -> [UInt8] { compact(UInt128(items.count)) + items.joined() }

    /// `MultiAddress::Id`.
    static func address(_ account: [UInt8]) -> [UInt8] { [0] + account }
}
