/// Makes UTF-8 of a stream that is mostly UTF-8: each byte that is part of no character stands for the Latin-1
/// character of its number. A character that is cut by the end of a read is held back, at most 3 bytes.
struct TextDecoder: Sendable {
    private var held: [UInt8] = []

    /// - Returns: UTF-8.
    mutating func decode(_ bytes: [UInt8]) -> [UInt8] {
        let all = held + bytes
        var text: [UInt8] = []
        text.reserveCapacity(all.count)
        held = []
        var index = 0
        while index < all.count {
            switch Self.character(all[index...]) {
            case .whole(let count):
                text += all[index..<index + count]
                index += count
            case .cut:
                held = Array(all[index...])
                return text
            case .none:
                Self.append(latin1: all[index], to: &text)
                index += 1
            }
        }
        return text
    }

    /// - Returns: what was held back, as Latin-1.
    mutating func finish() -> [UInt8] {
        var text: [UInt8] = []
        for byte in held { Self.append(latin1: byte, to: &text) }
        held = []
        return text
    }

    private enum Found {
        case whole(Int)
        /// The bytes end inside of it.
        case cut
        case none
    }

    /// What begins here (The Unicode Standard, table 3-7).
    private static func character(_ bytes: ArraySlice<UInt8>) -> Found {
        let lead = bytes[bytes.startIndex]
        let (count, second): (Int, ClosedRange<UInt8>)
        switch lead {
        case ..<0x80: return .whole(1)
        case 0xc2...0xdf: (count, second) = (2, 0x80...0xbf)
        case 0xe0: (count, second) = (3, 0xa0...0xbf)
        case 0xed: (count, second) = (3, 0x80...0x9f)
        case 0xe1...0xef: (count, second) = (3, 0x80...0xbf)
        case 0xf0: (count, second) = (4, 0x90...0xbf)
        case 0xf1...0xf3: (count, second) = (4, 0x80...0xbf)
        case 0xf4: (count, second) = (4, 0x80...0x8f)
        default: return .none
        }
        for (offset, byte) in bytes.dropFirst().prefix(count - 1).enumerated() {
            guard (offset == 0 ? second : 0x80...0xbf).contains(byte) else { return .none }
        }
        return bytes.count < count ? .cut : .whole(count)
    }

    /// - Parameter byte: 0x80 or above.
    private static func append(latin1 byte: UInt8, to text: inout [UInt8]) {
        text.append(0xc0 | byte >> 6)
        text.append(0x80 | byte & 0x3f)
    }
}
