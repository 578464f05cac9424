import SecretMemory

/// Why a share, a set of shares or a split is refused. ``code`` is stable; the text says what happened and what to do.
/// No case holds anything of a share's content, of a passphrase or of a secret.
///
/// Source: `signer-product` section 10.4.
public enum ShareError: Error, Equatable, Sendable {
    // One share
    case jsonParsing
    case versionNotSupported
    case requiredShardsNotSupported
    case emptyShare
    case parseBit
    case bitsOutOfRange(Int)
    case bodyNotBase64
    case undefinedBodyNotHex
    case shareTooShort
    case shareNumberZero
    case nonceNotSupported
    // A share and its set
    case shareVersionDifferent
    case shareTitleDifferent
    case shareRequiredShardsDifferent
    case shareNonceDifferent
    case shareBitsDifferent
    case shareContentLengthDifferent
    case shareAlreadyInSet(number: UInt32)
    case shareSetComplete
    // Recovering
    case shareSetIncomplete(have: Int, need: Int)
    /// The passphrase is wrong or a share is damaged, which cannot be told apart. After the last attempt the set holds
    /// no share any more.
    case decodingFailed(attemptsLeft: Int)
    case invalidMnemonic
    // Splitting
    case splitLimits(Limit)
    case confirmationMismatch
    case memory(SecretMemoryError)

    /// What is beyond the limits of a split.
    public enum Limit: Equatable, Sendable {
        case shards(total: Int, required: Int)
        case title
        case secret
        case passphraseWords(Int)
    }

    public var code: String {
        switch self {
        case .jsonParsing: "JsonParsing"
        case .versionNotSupported: "VersionNotSupported"
        case .requiredShardsNotSupported: "RequiredShardsNotSupported"
        case .emptyShare: "EmptyShare"
        case .parseBit: "ParseBit"
        case .bitsOutOfRange: "BitsOutOfRange"
        case .bodyNotBase64: "BodyNotBase64"
        case .undefinedBodyNotHex: "UndefinedBodyNotHex"
        case .shareTooShort: "ShareTooShort"
        case .shareNumberZero: "ShareNumberZero"
        case .nonceNotSupported: "NonceNotSupported"
        case .shareVersionDifferent: "ShareVersionDifferent"
        case .shareTitleDifferent: "ShareTitleDifferent"
        case .shareRequiredShardsDifferent: "ShareRequiredShardsDifferent"
        case .shareNonceDifferent: "ShareNonceDifferent"
        case .shareBitsDifferent: "ShareBitsDifferent"
        case .shareContentLengthDifferent: "ShareContentLengthDifferent"
        case .shareAlreadyInSet: "ShareAlreadyInSet"
        case .shareSetComplete: "ShareSetComplete"
        case .shareSetIncomplete: "ShareSetIncomplete"
        case .decodingFailed: "DecodingFailed"
        case .invalidMnemonic: "InvalidMnemonic"
        case .splitLimits: "SplitLimits"
        case .confirmationMismatch: "ConfirmationMismatch"
        case .memory: "Memory"
        }
    }
}

extension ShareError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .jsonParsing, .versionNotSupported, .requiredShardsNotSupported, .emptyShare, .parseBit, .bitsOutOfRange,
            .bodyNotBase64, .undefinedBodyNotHex, .shareTooShort, .shareNumberZero, .nonceNotSupported:
            "This is not a share that can be read: \(fault). Scan the code again; if it stays so, use another share."
        case .shareVersionDifferent, .shareTitleDifferent, .shareRequiredShardsDifferent, .shareNonceDifferent,
            .shareBitsDifferent, .shareContentLengthDifferent:
            "This share belongs to another set: \(fault). The shares that are there were kept; scan one of their set."
        case .shareAlreadyInSet(let number): "Share \(number) is in the set already. Scan another one."
        case .shareSetComplete: "The set is complete: no further share is needed. Enter the passphrase."
        case .shareSetIncomplete(let have, let need):
            "\(have) of the \(need) shares that are needed are there. Scan another one."
        case .decodingFailed(let left):
            "The passphrase is wrong, or a share is damaged. "
                + (left > 0
                    ? "Attempts that are left: \(left)."
                    : "That was the last attempt, and the shares were dropped: scan them again, or others.")
        case .invalidMnemonic:
            "The shares hold a text that is no recovery phrase, so no seed can be made of it. It was not kept."
        case .splitLimits(let limit): "No split was made: \(limit)."
        case .confirmationMismatch:
            "What was typed is not the passphrase that was shown. Without it the shares are worth nothing, so they are not "
                + "shown yet: type it again."
        case .memory(let error): "\(error)"
        }
    }

    private var fault: String {
        switch self {
        case .jsonParsing: "it is no JSON object with a title, a number of shares, data and a nonce"
        case .versionNotSupported: "it is of a version other than 0 and 1"
        case .requiredShardsNotSupported:
            "how many shares are needed is no number from 1 to \(BackupShare.mostRequired)"
        case .emptyShare: "its data are empty"
        case .parseBit: "its data do not begin with a digit for the field"
        case .bitsOutOfRange(let bits): "its field has \(bits) bits, and fields have 3 to 20"
        case .bodyNotBase64: "its data are not base64"
        case .undefinedBodyNotHex: "its data are not hexadecimal"
        case .shareTooShort: "it has no content"
        case .shareNumberZero: "its number is 0, or not one of its field"
        case .nonceNotSupported: "its nonce has not 24 bytes"
        case .shareVersionDifferent: "its version differs"
        case .shareTitleDifferent: "its title differs"
        case .shareRequiredShardsDifferent: "it needs another number of shares"
        case .shareNonceDifferent: "its nonce differs, so it is of another split of the same name"
        case .shareBitsDifferent: "its field differs"
        case .shareContentLengthDifferent: "its content has another length"
        default: code
        }
    }
}

extension ShareError.Limit: CustomStringConvertible {
    public var description: String {
        switch self {
        case .shards(let total, let required):
            "\(required) of \(total) shares are not possible. At least 2 are needed to recover, of at most "
                + "\(SplitPlan.mostShards)"
        case .title: "a title has 1 to \(SplitPlan.longestTitle) characters"
        case .secret: "what is split is a text of 1 to \(SplitPlan.longestSecret) characters"
        case .passphraseWords(let count): "a passphrase has 4 to 6 words, and not \(count)"
        }
    }
}
