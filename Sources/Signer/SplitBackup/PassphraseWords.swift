import CTexts

/// The 7,776 words of the large word list for passphrases of the Electronic Frontier Foundation, in its order.
///
/// From https://www.eff.org/dice, licensed under Creative Commons Attribution 3.0 United States
/// (https://creativecommons.org/licenses/by/3.0/us/). The numbers of dice are left out in our file.
package enum PassphraseWords {
    static let count = 7776
    /// The longest word, in bytes.
    static let longest = 9

    /// UTF-8 of each word.
    package static let utf8: [[UInt8]] = {
        let text = casemate_passphrase_words()
        return UnsafeRawBufferPointer(start: text.bytes, count: text.count)
            .split(whereSeparator: { $0 == 0x20 || $0 == 0x0a }).map(Array.init)
    }()
}
