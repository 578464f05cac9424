import SecretMemory

/// How far a phrase has been typed: numbers of words, and no word.
package struct PhraseProgress: Equatable, Sendable {
    /// Words that are in the English list, up to the first that is not.
    package private(set) var knownWords = 0
    /// Index of the first word (from 0) that is not in the list and cannot become so.
    package private(set) var unknownWord: Int?
    /// Whether the last word is not in the list, and the beginning of one that is.
    package private(set) var isWithinWord = false

    /// - Parameter phrase: UTF-8, as far as it has been typed.
    package init(of phrase: SecretBytes) {
        phrase.withUnsafeBytes { bytes in
            WhiteSpace.forEachWord(of: bytes) { word in
                guard unknownWord == nil else { return }
                let isLast = word.baseAddress.map { $0 + word.count } == bytes.baseAddress.map { $0 + bytes.count }
                if EnglishWords.index(of: word) != nil {
                    knownWords += 1
                } else if isLast && EnglishWords.haveWord(beginningWith: word) {
                    isWithinWord = true
                } else {
                    unknownWord = knownWords
                }
            }
        }
    }
}
