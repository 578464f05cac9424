import CTexts

/// The parts of each character in Unicode's compatibility decomposition, without an order of marks.
///
/// The table is read as a whole at the first use, so that nothing in memory tells which characters were looked up.
struct DecompositionTable {
    static let shared = DecompositionTable()

    /// Where the parts of a character are among ``parts``.
    private var places: [UInt32: Range<Int>] = [:]
    private var parts: [Unicode.Scalar] = []

    /// Reads the lines of `scripts/decompositions.swift`: a scalar and those of its parts, in hexadecimal digits.
    private init() {
        let text = casemate_decompositions()
        for line in UnsafeRawBufferPointer(start: text.bytes, count: text.count).split(separator: UInt8(ascii: "\n")) {
            let numbers = line.split(separator: UInt8(ascii: " ")).map { digits in
                digits.reduce(UInt32(0)) { $0 << 4 | UInt32($1 < 0x3a ? $1 - 0x30 : $1 - 0x37) }
            }
            places[numbers[0]] = parts.count..<parts.count + numbers.count - 1
            parts += numbers.dropFirst().compactMap { Unicode.Scalar($0) }
        }
    }

    /// Hands out the parts of a character one after the other; one that has none is its own.
    func forEachPart(of scalar: Unicode.Scalar, _ body: (UInt32) -> Void) {
        if let syllable = Hangul(scalar.value) { return syllable.forEachPart(body) }
        guard let place = places[scalar.value] else { return body(scalar.value) }
        for part in parts[place] { body(part.value) }
    }

    /// A syllable of Hangul, whose parts follow from its number.
    ///
    /// Source: Unicode section 3.12.
    private struct Hangul {
        private let index: UInt32

        init?(_ scalar: UInt32) {
            guard 0xac00...0xd7a3 ~= scalar else { return nil }
            index = scalar - 0xac00
        }

        func forEachPart(_ body: (UInt32) -> Void) {
            body(0x1100 + index / 588)
            body(0x1161 + index % 588 / 28)
            if index % 28 > 0 { body(0x11a7 + index % 28) }
        }
    }
}
