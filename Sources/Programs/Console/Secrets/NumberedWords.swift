import SecretMemory

/// The words of a phrase as a table to copy from.
package enum NumberedWords {
    private static let columns = 4
    /// The longest word has 8 letters, the highest number 2 digits.
    private static let cellWidth = 15
    private static let wordStart = 6

    /// Four words to a row, numbered from 1 row by row.
    ///
    /// - Parameter phrase: words of at most 8 letters, each but the last with a space behind it.
    package static func table(_ phrase: SecretBytes) throws -> SecretBytes {
        try phrase.withUnsafeBytes { phrase in
            let words = phrase.split(separator: 0x20)
            let rows = (words.count + columns - 1) / columns
            return try SecretBytes(count: rows * (cellWidth * columns + 1) - 1) { table in
                for index in table.indices { table[index] = 0x20 }
                for row in 1..<max(1, rows) { table[row * (cellWidth * columns + 1) - 1] = 0x0a }
                for (number, word) in words.enumerated() {
                    let start = number * cellWidth + number / columns
                    let digits = Array(String(number + 1).utf8)
                    for (index, digit) in digits.enumerated() {
                        table[start + wordStart - 1 - digits.count + index] = digit
                    }
                    for (index, letter) in word.enumerated() { table[start + wordStart + index] = letter }
                }
            }
        }
    }
}
