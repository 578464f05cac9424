/// Why text is not a path of BIP-32. Offsets count bytes of the text.
public enum BIP32PathError: Error, Equatable, Sendable {
    /// The text does not begin with `m/`.
    case missingRoot
    /// No digit follows a slash.
    case missingIndex(offset: Int)
    /// A number from 2³¹.
    case indexTooLarge(offset: Int)
    /// A character that is neither a digit, `'` behind digits, nor a slash.
    case unexpectedCharacter(offset: Int)
    /// The path has more steps than are derived.
    case tooManySteps(limit: Int)
}

extension BIP32PathError: CustomStringConvertible {
    /// What happened, in plain words.
    public var description: String {
        switch self {
        case .missingRoot: "A path of this kind begins with m/, like m/44'/60'/0'/0/0."
        case .missingIndex(let offset): "In the path a number is missing at character \(offset + 1)."
        case .indexTooLarge(let offset):
            "In the path the number at character \(offset + 1) is too large; it must be below 2147483648. "
                + "Hardened steps are written with ' and not with a larger number."
        case .unexpectedCharacter(let offset):
            "In the path a slash is expected at character \(offset + 1). Steps are numbers, hardened ones with ' behind."
        case .tooManySteps(let limit): "A path has at most \(limit) steps."
        }
    }
}
