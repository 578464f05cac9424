import SecretMemory

/// Why text is not a secret URI or a derivation path. No case holds any of the text.
public enum SURIError: Error, Equatable, Sendable {
    /// The phrase holds a character that it must not.
    case invalidCharacterInPhrase
    /// A hard step holds a character that it must not.
    case invalidCharacterInHardPath
    /// A soft step holds a character that it must not.
    case invalidCharacterInSoftPath
    /// The password holds a character that it must not.
    case invalidCharacterInPassword
    /// The phrase gives no key.
    case invalidPhrase(MnemonicError)
    /// `0x` is not followed by exactly 64 hex digits.
    case invalidSeed
    /// The path begins with something else than a slash.
    case pathWithoutSlash
    /// The path is longer than the limit.
    case pathTooLong(limit: Int)
    /// A stored path has no password in it: it is asked for apart.
    case passwordInPath
    /// The path begins with `m` and is no path of BIP-32.
    case invalidBIP32Path(BIP32PathError)
    /// There is no locked memory for the secret.
    case memory(SecretMemoryError)
}

extension SURIError: CustomStringConvertible {
    /// What happened, in plain words.
    public var description: String {
        switch self {
        case .invalidCharacterInPhrase: "The phrase may hold letters, digits and spaces; a path begins with / or //."
        case .invalidCharacterInHardPath: "After // a name or number is expected, without slashes."
        case .invalidCharacterInSoftPath: "After / a name or number is expected, without slashes."
        case .invalidCharacterInPassword: "A line break cannot stand in or behind a password."
        case .invalidPhrase(let error): "\(error)"
        case .invalidSeed: "A seed in hex is 0x and 64 digits."
        case .pathWithoutSlash: "A path begins with / or //."
        case .pathTooLong(let limit): "A path has at most \(limit) characters."
        case .passwordInPath: "Leave the password (behind ///) out of the path; it is asked for apart and never stored."
        case .invalidBIP32Path(let error): "\(error)"
        case .memory(let error): "\(error)"
        }
    }
}
