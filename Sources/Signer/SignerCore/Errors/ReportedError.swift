import NetworkDetector
import SecretMemory
import Signer
import SplitBackup
import Substrate

/// An error that screens show: with the code of ``ErrorCode`` where there is one, and what it is about.
protocol ReportedError: Error, CustomStringConvertible {
    /// The name by which programs tell errors apart.
    var reportedCode: String { get }
    /// What the text names, each by itself: names, paths without passwords, numbers; never a secret.
    var parameters: [String: String] { get }
}

extension ReportedError {
    var parameters: [String: String] { [:] }
}

extension MnemonicError: ReportedError {
    var reportedCode: String { ErrorCode.invalidMnemonic.name }
    var parameters: [String: String] {
        switch self {
        case .badWordCount(let count): ["words": "\(count)"]
        case .unknownWord(let index): ["position": "\(index + 1)"]
        case .badChecksum, .passphraseNotText, .memory: [:]
        }
    }
}

extension ThrowsFault: ReportedError {
    var reportedCode: String { code }
    var parameters: [String: String] {
        switch self {
        case .noThrow(let kind, let place): ["kind": kind.rawValue, "place": "\(place)"]
        case .tooFew(let kind, let count): ["kind": kind.rawValue, "count": "\(count)"]
        case .allEqual(let kind): ["kind": kind.rawValue]
        }
    }
}

extension SecretMemoryError: ReportedError {
    var reportedCode: String { "Memory" }
}

extension DetectorError: ReportedError {
    var reportedCode: String { code }
    var parameters: [String: String] {
        switch self {
        case .ackNotPossible(let state): ["state": state?.rawValue ?? ""]
        case .notSafe(let activity, let state): ["activity": activity.rawValue, "state": state?.rawValue ?? ""]
        }
    }
}

extension ShareError: ReportedError {
    var reportedCode: String { code }
    var parameters: [String: String] {
        switch self {
        case .bitsOutOfRange(let bits): ["bits": "\(bits)"]
        case .shareAlreadyInSet(let number): ["number": "\(number)"]
        case .shareSetIncomplete(let have, let need): ["have": "\(have)", "need": "\(need)"]
        case .decodingFailed(let left): ["attemptsLeft": "\(left)"]
        default: [:]
        }
    }
}

extension CoreError: ReportedError {
    var reportedCode: String { code }
    var parameters: [String: String] {
        switch self {
        case .notAvailable(let what): ["what": what]
        case .wrongCredential(let seconds): ["wait": "\(seconds)"]
        case .credentialTooWeak(let reason), .protectionMalformed(let reason), .previewMalformed(let reason),
            .rotationUnfinished(let reason):
            ["reason": reason]
        case .networkUnknown(let key), .keyUnknown(let key): ["key": key]
        case .metadataUnknown(let version): ["version": version]
        case .entryUnknown(let order): ["order": order]
        case .seedsNumMismatch(let given, let needed): ["given": "\(given)", "needed": "\(needed)"]
        case .sharesNotShown(let left): ["left": "\(left)"]
        default: [:]
        }
    }
}
