/// A dense matrix over GF(2), rows of 64-bit words.
final class BitMatrix {
    let rowCount, wordCount: Int
    let words: ScratchBuffer<UInt64>

    init(rows: Int, columns: Int) {
        rowCount = rows
        wordCount = (columns + 63) / 64
        words = ScratchBuffer(repeating: 0, count: rows * wordCount)
    }

    @inline(__always)
    func word(row: Int, at index: Int) -> UInt64 { words[row * wordCount + index] }

    @inline(__always)
    func bit(row: Int, column: Int) -> Bool {
        words[row * wordCount + column / 64] >> UInt64(column % 64) & 1 == 1
    }

    @inline(__always)
    func flip(row: Int, column: Int) {
        words[row * wordCount + column / 64] ^= 1 << UInt64(column % 64)
    }

    /// Adds a row of another matrix of the same width.
    @inline(__always)
    func add(_ source: Int, of other: BitMatrix, to row: Int) {
        let target = words.base + row * wordCount
        let source = other.words.base + source * wordCount
        for index in 0..<wordCount { target[index] ^= source[index] }
    }

    @inline(__always)
    func add(_ source: Int, to row: Int) {
        let target = words.base + row * wordCount
        let source = words.base + source * wordCount
        for index in 0..<wordCount { target[index] ^= source[index] }
    }

    func swapRow(_ a: Int, with b: Int) {
        guard a != b else { return }
        for index in 0..<wordCount {
            let word = words[a * wordCount + index]
            words[a * wordCount + index] = words[b * wordCount + index]
            words[b * wordCount + index] = word
        }
    }
}
