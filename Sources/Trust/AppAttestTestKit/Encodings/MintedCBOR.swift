import BigEndian

/// CBOR that is written for tests: what is right, and what must be refused.
public indirect enum MintedCBOR: Sendable {
    case unsigned(UInt64)
    /// The integer -1 - n.
    case negative(UInt64)
    case bytes([UInt8])
    case text(String)
    case array([MintedCBOR])
    /// A map in this order, with keys that may come twice.
    case map([(key: MintedCBOR, value: MintedCBOR)])
    /// Bytes that stand for themselves.
    case raw([UInt8])

    /// The bytes of the item.
    package var encoded: [UInt8] {
        switch self {
        case .unsigned(let value): Self.head(0, value)
        case .negative(let value): Self.head(1, value)
        case .bytes(let bytes): Self.head(2, UInt64(bytes.count)) + bytes
        case .text(let text): Self.head(3, UInt64(text.utf8.count)) + Array(text.utf8)
        case .array(let items): Self.head(4, UInt64(items.count)) + items.flatMap(\.encoded)
        case .map(let entries):
            Self.head(5, UInt64(entries.count)) + entries.flatMap { $0.key.encoded + $0.value.encoded }
        case .raw(let bytes): bytes
        }
    }

    /// Encodes a major type and its argument in the shortest form (RFC 8949, 4.2.1).
    private static func head(_ majorType: UInt8, _ argument: UInt64) -> [UInt8] {
        let all = [UInt8](bigEndian: argument)
        return switch argument {
        case 0..<24: [majorType << 5 | UInt8(argument)]
        case 24...0xff: [majorType << 5 | 24] + all[7...]
        case 0x100...0xffff: [majorType << 5 | 25] + all[6...]
        case 0x1_0000...0xffff_ffff: [majorType << 5 | 26] + all[4...]
        default: [majorType << 5 | 27] + all
        }
    }
}
