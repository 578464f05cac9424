/// Appends SCALE values to a byte array. Total: everything that the parameter types admit has an encoding.
///
///     var encoder = ScaleEncoder()
///     encoder.string("westend")
///     encoder.integer(UInt32(9010))
///     store(encoder.bytes)
public struct ScaleEncoder: Sendable {
    /// What was written.
    public private(set) var bytes: [UInt8] = []

    /// Begins with nothing.
    public init() {}

    /// Appends bytes without their count.
    public mutating func raw(_ more: some Sequence<UInt8>) {
        bytes.append(contentsOf: more)
    }

    /// A fixed-width integer, little-endian, two's complement if signed.
    public mutating func integer<T: FixedWidthInteger>(_ value: T) {
        for shift in stride(from: 0, to: T.bitWidth, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    /// A compact integer in its shortest form.
    public mutating func compact(_ value: UInt128) {
        switch value {
        case 0..<(1 << 6): bytes.append(UInt8(value) << 2)
        case 0..<(1 << 14): integer(UInt16(value) << 2 | 1)
        case 0..<(1 << 30): integer(UInt32(value) << 2 | 2)
        default:
            let count = max(4, (128 - value.leadingZeroBitCount + 7) / 8)
            bytes.append(UInt8(count - 4) << 2 | 3)
            for shift in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * shift))) }
        }
    }

    /// Appends a compact integer, which must not be negative.
    public mutating func compact(_ value: Int) {
        compact(UInt128(value))
    }

    /// Appends one byte, 0 or 1.
    public mutating func bool(_ value: Bool) {
        bytes.append(value ? 1 : 0)
    }

    /// A string: compact byte length, then UTF-8.
    public mutating func string(_ value: String) {
        byteSequence(Array(value.utf8))
    }

    /// A byte sequence (`Vec<u8>`).
    public mutating func byteSequence(_ value: [UInt8]) {
        compact(value.count)
        bytes.append(contentsOf: value)
    }

    /// Appends items behind their count.
    public mutating func sequence<T>(_ items: [T], _ write: (inout ScaleEncoder, T) -> Void) {
        compact(items.count)
        for item in items { write(&self, item) }
    }

    /// Appends a value behind a byte that says whether there is one.
    public mutating func option<T>(_ value: T?, _ write: (inout ScaleEncoder, T) -> Void) {
        bytes.append(value == nil ? 0 : 1)
        if let value { write(&self, value) }
    }

    /// A value that knows its own encoding.
    public mutating func value(_ value: some ScaleEncodable) {
        value.encode(to: &self)
    }
}
