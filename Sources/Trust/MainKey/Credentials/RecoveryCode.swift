import SecretMemory

/// The code that opens a vault when PIN and hardware are lost: 26 random symbols, 130 bits, to be written down.
///
/// The symbols are Crockford's, digits and letters without I, L, O and U, so that a code survives handwriting. It is
/// shown in groups of four that `-` joins, and typed in either case with or without them.
///
/// Source: `mainkey` section 6.
public struct RecoveryCode: Sendable {
    package static let symbolCount = 26

    private static let symbols = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    private static let groupSize = 4
    private static let separator = UInt8(ascii: "-")

    /// The bytes that the slot's key is made from, without separators.
    package let bytes: SecretBytes

    /// A new one, from the mixed random sources.
    public static func generate() throws(MainKeyError) -> RecoveryCode {
        let random = try secret { try SecretBytes.drawn(count: symbolCount) }
        return RecoveryCode(
            bytes: try secret {
                try SecretBytes(count: symbolCount) { code in
                    random.withUnsafeBytes { writeSymbols(of: $0, into: code) }
                }
            })
    }

    private static func writeSymbols(
        of random: UnsafeRawBufferPointer, into code: UnsafeMutableRawBufferPointer
    ) {
        // 32 symbols: five bits of a byte are one, evenly.
        for index in code.indices { code[index] = symbols[Int(random[index] & 31)] }
    }

    /// A code of another kind, taken byte for byte.
    package init(bytes: SecretBytes) {
        self.bytes = bytes
    }

    /// What a person typed: upper-cased, without `-` and spaces, O read as 0, I and L as 1.
    ///
    /// Nothing is refused here: what is no code opens nothing, and counts as an attempt like any other.
    public init(typed: SecretBytes) throws(MainKeyError) {
        let count = typed.withUnsafeBytes { $0.count { Self.symbol(typed: $0) != nil } }
        bytes = try secret {
            try SecretBytes(count: count) { code in
                typed.withUnsafeBytes { Self.writeSymbols(typed: $0, into: code) }
            }
        }
    }

    /// - Parameter code: has as many bytes as `typed` has symbols.
    private static func writeSymbols(
        typed: UnsafeRawBufferPointer, into code: UnsafeMutableRawBufferPointer
    ) {
        var position = 0
        for byte in typed {
            guard let symbol = symbol(typed: byte) else { continue }
            code[position] = symbol
            position += 1
        }
    }

    /// - Returns: nil for what only separates.
    private static func symbol(typed byte: UInt8) -> UInt8? {
        switch byte {
        case separator, UInt8(ascii: " "): nil
        case UInt8(ascii: "O"), UInt8(ascii: "o"): UInt8(ascii: "0")
        case UInt8(ascii: "I"), UInt8(ascii: "i"), UInt8(ascii: "L"), UInt8(ascii: "l"): UInt8(ascii: "1")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte & ~0x20
        default: byte
        }
    }

    /// The form for paper and screen: `7YFD-0KX2-…`.
    public func grouped() throws(MainKeyError) -> SecretBytes {
        let separators = max(0, (bytes.count - 1) / Self.groupSize)
        return try secret {
            try SecretBytes(count: bytes.count + separators) { shown in
                bytes.withUnsafeBytes { Self.writeGroups(of: $0, into: shown) }
            }
        }
    }

    private static func writeGroups(of code: UnsafeRawBufferPointer, into shown: UnsafeMutableRawBufferPointer) {
        for (index, symbol) in code.enumerated() {
            let position = index + index / groupSize
            shown[position] = symbol
            if index > 0 && index % groupSize == 0 { shown[position - 1] = separator }
        }
    }
}
