import CTexts

/// The 2048 English words of BIP-39, in its order.
package enum EnglishWords {
    package static let count = 2048
    /// The longest word, in bytes.
    package static let longest = 8

    /// UTF-8 of each word; sorted.
    package static let utf8: [[UInt8]] = {
        let text = casemate_english_words()
        return UnsafeRawBufferPointer(start: text.bytes, count: text.count)
            .split(whereSeparator: { $0 == 0x20 || $0 == 0x0a }).map(Array.init)
    }()

    /// Where `word` stands in the list, or nil. Case counts.
    static func index(of word: UnsafeRawBufferPointer) -> Int? {
        let place = place(of: word)
        return place < count && utf8[place].elementsEqual(word) ? place : nil
    }

    /// Whether a word of the list begins with `part`.
    static func haveWord(beginningWith part: UnsafeRawBufferPointer) -> Bool {
        let place = place(of: part)
        return place < count && utf8[place].starts(with: part)
    }

    /// How many words of the list stand before `word`.
    package static func place(of word: UnsafeRawBufferPointer) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if utf8[middle].lexicographicallyPrecedes(word) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
