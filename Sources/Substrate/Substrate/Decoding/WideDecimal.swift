/// The decimal form of an integer of 256 bits, for which Swift has no type.
enum WideDecimal {
    /// - Parameter bytes: 32 bytes, least significant first; two's complement if `isSigned`.
    static func text(littleEndian bytes: ArraySlice<UInt8>, isSigned: Bool) -> String {
        let words: [UInt64] = stride(from: 24, through: 0, by: -8).map { offset in
            (0..<8).reversed().reduce(0) { $0 << 8 | UInt64(bytes[bytes.startIndex + offset + $1]) }
        }
        return text(of: words, isSigned: isSigned)
    }

    /// - Parameter words: four, most significant first; two's complement if `isSigned`.
    static func text(of words: [UInt64], isSigned: Bool) -> String {
        var words = words
        let isNegative = isSigned && words[0] >> 63 == 1
        if isNegative { negate(&words) }
        var chunks: [UInt64] = []
        repeat { chunks.append(divide(&words)) } while words.contains { $0 != 0 }
        let head = String(chunks.removeLast())
        let tail = chunks.reversed().map { chunk in
            let digits = String(chunk)
            return String(repeating: "0", count: 19 - digits.utf8.count) + digits
        }
        return (isNegative ? "-" : "") + head + tail.joined()
    }

    /// Two's complement; most significant word first.
    private static func negate(_ words: inout [UInt64]) {
        var carry = true
        for index in words.indices.reversed() {
            let (value, overflow) = (~words[index]).addingReportingOverflow(carry ? 1 : 0)
            words[index] = value
            carry = overflow
        }
    }

    /// Divides by 10^19 and returns the remainder.
    private static func divide(_ words: inout [UInt64]) -> UInt64 {
        let divisor: UInt64 = 10_000_000_000_000_000_000
        var remainder: UInt64 = 0
        for index in words.indices {
            (words[index], remainder) = divisor.dividingFullWidth((remainder, words[index]))
        }
        return remainder
    }
}
