/// Judges text that comes in pieces, at the first byte that cannot be UTF-8.
///
/// Source: The Unicode Standard, table 3-7.
public struct UTF8Stream: Hashable, Sendable {
    /// Bytes that the character still needs.
    private var missing: UInt8 = 0
    /// The least value that the character's next byte may have.
    private var low: UInt8 = 0x80
    private var high: UInt8 = 0xbf

    public init() {}

    /// Whether the text may end here.
    public var isComplete: Bool { missing == 0 }

    /// - Returns: false if the text cannot become UTF-8 any more. Nothing may follow then.
    public mutating func accept(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var (missing, low, high) = (missing, low, high)
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if missing > 0 {
                guard byte >= low, byte <= high else { return false }
                (missing, low, high) = (missing - 1, 0x80, 0xbf)
                index += 1
            } else if byte < 0x80 {
                index = Self.endOfASCII(bytes, from: index + 1)
            } else {
                switch byte {
                case 0xc2...0xdf: missing = 1
                case 0xe0: (missing, low) = (2, 0xa0)
                case 0xed: (missing, high) = (2, 0x9f)
                case 0xe1...0xef: missing = 2
                case 0xf0: (missing, low) = (3, 0x90)
                case 0xf1...0xf3: missing = 3
                case 0xf4: (missing, high) = (3, 0x8f)
                default: return false
                }
                index += 1
            }
        }
        (self.missing, self.low, self.high) = (missing, low, high)
        return true
    }

    private static func endOfASCII(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var index = start
        while index + 32 <= bytes.count {
            let part = bytes.loadUnaligned(fromByteOffset: index, as: SIMD4<UInt64>.self) & 0x8080_8080_8080_8080
            guard part == .zero else { break }
            index += 32
        }
        while index < bytes.count, bytes[index] < 0x80 { index += 1 }
        return index
    }
}
