import Screens
import SecretMemory
import SignerCore

/// Where the words of a phrase are, which has blanks between them, or those of a passphrase, which has hyphens: each
/// hyphen stays with the word before it.
package struct WordRanges {
    package let ranges: [Range<Int>]

    /// - Parameter phrase: UTF-8.
    package init(of phrase: UnsafeRawBufferPointer) {
        var ranges: [Range<Int>] = []
        var start: Int?
        for (place, byte) in phrase.enumerated() {
            if byte == UInt8(ascii: " ") {
                if let begin = start { ranges.append(begin..<place) }
                start = nil
            } else if byte == UInt8(ascii: "-") {
                ranges.append((start ?? place)..<place + 1)
                start = nil
            } else if start == nil {
                start = place
            }
        }
        if let start { ranges.append(start..<phrase.count) }
        self.ranges = ranges
    }
}

extension SecretWords {
    /// A copy of one word, in locked memory.
    ///
    /// - Parameter number: from 1.
    /// - Returns: nil where there is no such word, or the words are not on the page.
    func word(_ number: Int) throws -> SecretBytes? {
        switch source {
        case .shown(let words):
            return words.indices.contains(number - 1) ? words[number - 1].bytes : nil
        case .phrase(let phrase):
            let ranges = phrase.bytes.withUnsafeBytes { WordRanges(of: $0).ranges }
            return ranges.indices.contains(number - 1) ? try phrase.bytes.part(ranges[number - 1]) : nil
        case .onDemand: return nil
        }
    }
}
