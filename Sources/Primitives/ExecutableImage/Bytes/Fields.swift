/// The order of the bytes in a number.
package enum ByteOrder: UInt8, Hashable, Sendable {
    case little = 1
    case big = 2
}

/// The width of an image's addresses.
public enum ImageClass: UInt8, Hashable, Sendable {
    case bits32 = 1
    case bits64 = 2

    /// One behind the last address.
    var addressLimit: UInt128 { self == .bits32 ? 1 << 32 : 1 << 64 }

    /// Bytes of an address.
    var addressSize: Int { self == .bits32 ? 4 : 8 }
}

/// Numbers at positions that have been checked to lie inside.
struct Fields {
    let bytes: ArraySlice<UInt8>
    let order: ByteOrder

    init(_ bytes: ArraySlice<UInt8>, _ order: ByteOrder) {
        self.bytes = bytes
        self.order = order
    }

    init(_ bytes: [UInt8], _ order: ByteOrder) {
        self.init(bytes[...], order)
    }

    func uint16(_ position: Int) -> UInt16 { number(position) }
    func uint32(_ position: Int) -> UInt32 { number(position) }
    func uint64(_ position: Int) -> UInt64 { number(position) }

    /// A number as wide as an address.
    func address(_ position: Int, _ width: ImageClass) -> UInt64 {
        width == .bits32 ? UInt64(uint32(position)) : uint64(position)
    }

    private func number<I: FixedWidthInteger & UnsignedInteger>(_ position: Int) -> I {
        let start = bytes.startIndex + position
        let digits = bytes[start..<start + I.bitWidth / 8]
        switch order {
        case .big: return digits.reduce(0) { $0 << 8 | I($1) }
        case .little: return digits.reversed().reduce(0) { $0 << 8 | I($1) }
        }
    }
}

extension FixedWidthInteger where Self: UnsignedInteger {
    /// The bytes of the number, the highest first, as Vigil's own formats have them.
    var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
