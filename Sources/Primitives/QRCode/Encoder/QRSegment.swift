/// How data are written into a symbol.
public enum QRMode: Sendable, CaseIterable {
    /// Digits, three in ten bits.
    case numeric
    /// Digits, capital letters and some signs, two in eleven bits.
    case alphanumeric
    /// Bytes.
    case byte

    var indicator: Int {
        switch self {
        case .numeric: 1
        case .alphanumeric: 2
        case .byte: 4
        }
    }

    /// Bits of the field that counts characters.
    func countBits(_ version: QRVersion) -> Int {
        let group = version.number < 10 ? 0 : version.number < 27 ? 1 : 2
        switch self {
        case .numeric: return [10, 12, 14][group]
        case .alphanumeric: return [9, 11, 13][group]
        case .byte: return [8, 16, 16][group]
        }
    }
}

/// Data with the mode in which they are written: all of a symbol's content.
public struct QRSegment: Sendable {
    /// How it is written.
    public let mode: QRMode
    /// Characters: bytes, digits or letters.
    public let count: Int
    let bits: BitBuffer

    /// Bytes as they are.
    public static func bytes(_ bytes: [UInt8]) -> QRSegment {
        var bits = BitBuffer()
        for byte in bytes { bits.append(Int(byte), count: 8) }
        return QRSegment(mode: .byte, count: bytes.count, bits: bits)
    }

    /// Decimal digits, three in ten bits.
    ///
    /// - Returns: nil if there is another character.
    public static func numeric(_ text: String) -> QRSegment? {
        let digits = text.utf8.map { Int($0) - 0x30 }
        guard digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
        var bits = BitBuffer()
        for start in stride(from: 0, to: digits.count, by: 3) {
            let group = digits[start..<min(start + 3, digits.count)]
            bits.append(group.reduce(0) { $0 * 10 + $1 }, count: group.count * 3 + 1)
        }
        return QRSegment(mode: .numeric, count: digits.count, bits: bits)
    }

    /// Digits, capital letters and `$%*+-./:` with space, two in eleven bits.
    ///
    /// - Returns: nil if there is another character.
    public static func alphanumeric(_ text: String) -> QRSegment? {
        let values = text.utf8.compactMap { alphabet.firstIndex(of: $0) }
        guard values.count == text.utf8.count else { return nil }
        var bits = BitBuffer()
        for start in stride(from: 0, to: values.count, by: 2) {
            if start + 1 < values.count {
                bits.append(values[start] * 45 + values[start + 1], count: 11)
            } else {
                bits.append(values[start], count: 6)
            }
        }
        return QRSegment(mode: .alphanumeric, count: values.count, bits: bits)
    }

    static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:".utf8)

    /// Bits in a symbol of `version`, or nil if the count does not fit its field.
    func totalBits(_ version: QRVersion) -> Int? {
        let countBits = mode.countBits(version)
        return count < 1 << countBits ? 4 + countBits + bits.count : nil
    }
}

/// Bits, most significant first.
struct BitBuffer: Sendable {
    private(set) var bytes: [UInt8] = []
    private(set) var count = 0

    /// - Parameter count: at most 16.
    mutating func append(_ value: Int, count: Int) {
        for shift in (0..<count).reversed() {
            if self.count % 8 == 0 { bytes.append(0) }
            if value >> shift & 1 == 1 { bytes[self.count / 8] |= 0x80 >> UInt8(self.count % 8) }
            self.count += 1
        }
    }

    mutating func append(_ other: BitBuffer) {
        for index in 0..<other.count {
            append(Int(other.bytes[index / 8] >> UInt8(7 - index % 8)) & 1, count: 1)
        }
    }
}
