import SecretMemory

/// Why words are not a recovery phrase. No case holds a word.
public enum MnemonicError: Error, Equatable, Sendable {
    /// A phrase has 12, 15, 18, 21 or 24 words.
    case badWordCount(Int)
    /// The word with this index (from 0) is not in the English list.
    case unknownWord(Int)
    /// All words are known, and the last one does not fit the others.
    case badChecksum
    /// The passphrase is not UTF-8, so that no two programs would normalise it alike.
    case passphraseNotText
    /// There is no locked memory for the secret.
    case memory(SecretMemoryError)
}

extension MnemonicError: CustomStringConvertible {
    /// What happened, in plain words.
    public var description: String {
        switch self {
        case .badWordCount(let count):
            "A recovery phrase has 12, 15, 18, 21 or 24 words; these are \(count). Check that no word is missing."
        case .unknownWord(let index):
            "Word \(index + 1) is not in the English list of BIP-39. Check its spelling; all letters are small."
        case .badChecksum:
            "Every word is known, but together they are no phrase: a word is wrong or two are swapped."
        case .passphraseNotText:
            "The passphrase is not text (UTF-8). Other wallets could not be given the same one; type it or save it as UTF-8."
        case .memory(let error): "\(error)"
        }
    }
}
