import SecretMemory
import Substrate

/// A recovery phrase while it is typed, word by word.
///
///     var draft = try SeedDraft()
///     try draft.type(key)                // a letter, a blank that ends a word
///     show(try draft.guesses())          // words that begin with what is typed
///     if let phrase = try draft.phrase() { … }
///
/// Only what can become a word of the list is taken, so that at most ``longestPhrase`` words and one word's letters are
/// held, all in locked memory. What a draft held is zeroised when it changes or goes; a copy of a draft keeps its own.
///
/// Source: `signer-product` section 3.2.
public struct SeedDraft: Sendable {
    /// Words of the longest phrase.
    public static let longestPhrase = 24
    /// So many guesses are made at most.
    package static let mostGuesses = 8

    /// What is typed of the next word: UTF-8, the beginning of a word of the list, or empty.
    public private(set) var input: SecretBytes
    /// How many words there are.
    public var wordCount: Int { words.count }
    /// The words before the next one.
    private var words: [SecretBytes] = []

    public init() throws(SecretMemoryError) {
        input = try Self.empty()
    }

    private static func empty() throws(SecretMemoryError) -> SecretBytes { try SecretBytes(count: 0) { _ in } }

    // MARK: What is shown

    /// Words that begin with what is typed, in the order of the list, as UTF-8; the first words if nothing is.
    public func guesses() throws(SecretMemoryError) -> [SecretBytes] {
        var guesses: [SecretBytes] = []
        for index in input.withUnsafeBytes({ Self.guesses($0) }) { guesses.append(try Self.word(at: index)) }
        return guesses
    }

    /// A word of the draft, as UTF-8.
    ///
    /// - Parameter position: from 0, below ``wordCount``.
    public func word(at position: Int) -> SecretBytes { words[position] }

    /// The phrase, as soon as the words are one.
    public func phrase() throws(SecretMemoryError) -> Mnemonic? {
        guard Mnemonic.wordCounts.contains(wordCount) else { return nil }
        let text = try Self.join(words)
        do throws(MnemonicError) {
            return try Mnemonic(phrase: text)
        } catch .memory(let error) {
            throw error
        } catch {
            return nil
        }
    }

    // MARK: Editing

    /// Takes the whole of a text field, as it is after a key.
    ///
    /// An empty text takes the last word back; therefore a field begins with a blank, before what is typed. A blank at
    /// the end asks for the word before it: it is taken if it is a word or can become only one.
    ///
    /// - Parameter text: UTF-8. What cannot become a word changes nothing.
    public mutating func enter(_ text: SecretBytes) throws(SecretMemoryError) {
        guard text.count > 0 else { return try removeLastWord() }
        let (letters, isEnded) = try Self.trimmed(text)
        if isEnded, try push(letters) { return }
        guard letters.withUnsafeBytes({ !Self.guesses($0).isEmpty }) else { return }
        input = letters
    }

    /// Adds a word: one that was chosen among the guesses, or the beginning of only one word.
    ///
    /// - Parameter word: UTF-8, without blanks.
    /// - Returns: whether it was taken.
    @discardableResult
    public mutating func push(_ word: SecretBytes) throws(SecretMemoryError) -> Bool {
        guard wordCount < Self.longestPhrase else { return false }
        guard let index = word.withUnsafeBytes({ Self.choice(for: $0) }) else { return false }
        let taken = try Self.word(at: index)
        input = try Self.empty()
        words.append(taken)
        return true
    }

    /// Takes a key of a terminal: a letter, or a blank that ends the word.
    public mutating func type(_ key: UInt8) throws(SecretMemoryError) {
        try enter(
            SecretBytes(count: input.count + 2) { text in
                text[0] = Self.blank
                input.withUnsafeBytes { input in
                    for (index, byte) in input.enumerated() { text[1 + index] = byte }
                }
                text[text.count - 1] = key
            })
    }

    /// Takes the last letter back; where no letter is, the last word.
    public mutating func erase() throws(SecretMemoryError) {
        guard input.count > 0 else { return try removeLastWord() }
        input = try input.part(0..<input.count - 1)
    }

    /// Forgets everything.
    public mutating func wipe() throws(SecretMemoryError) {
        words = []
        input = try Self.empty()
    }

    private mutating func removeLastWord() throws(SecretMemoryError) {
        _ = words.popLast()
        input = try Self.empty()
    }

    private static let blank = UInt8(ascii: " ")

    private static func isBlank(_ byte: UInt8) -> Bool { byte == blank || 0x09...0x0d ~= byte }

    /// The text without blanks at its ends, and whether one ended it.
    private static func trimmed(_ text: SecretBytes) throws(SecretMemoryError) -> (letters: SecretBytes, isEnded: Bool)
    {
        let (start, end) = text.withUnsafeBytes { bytes in
            let start = bytes.firstIndex { !isBlank($0) } ?? bytes.count
            let end = bytes.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? start
            return (start, end)
        }
        return (try text.part(start..<end), end < text.count && start < end)
    }

    /// Places in the list of words that begin with `letters`: the first eight of them.
    private static func guesses(_ letters: UnsafeRawBufferPointer) -> Range<Int> {
        let start = EnglishWords.place(of: letters)
        var end = start
        while end < EnglishWords.count, end - start < mostGuesses, EnglishWords.utf8[end].starts(with: letters) {
            end += 1
        }
        return start..<end
    }

    /// The place of the word that `letters` stand for: their only guess, or the one that they are.
    private static func choice(for letters: UnsafeRawBufferPointer) -> Int? {
        let guesses = guesses(letters)
        if guesses.count == 1 { return guesses.lowerBound }
        return guesses.first { EnglishWords.utf8[$0].elementsEqual(letters) }
    }

    private static func word(at index: Int) throws(SecretMemoryError) -> SecretBytes {
        let word = EnglishWords.utf8[index]
        return try SecretBytes(count: word.count) { $0.copyBytes(from: word) }
    }

    /// The words with single blanks between.
    private static func join(_ words: [SecretBytes]) throws(SecretMemoryError) -> SecretBytes {
        let size = words.reduce(max(0, words.count - 1)) { $0 + $1.count }
        return try SecretBytes(count: size) { phrase in
            var position = 0
            for word in words {
                if position > 0 {
                    phrase[position] = blank
                    position += 1
                }
                word.withUnsafeBytes { word in
                    for byte in word {
                        phrase[position] = byte
                        position += 1
                    }
                }
            }
        }
    }
}
