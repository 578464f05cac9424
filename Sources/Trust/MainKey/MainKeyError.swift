import HardwareKeys

/// Why something under a MainKey could not be done. The code and the exit code of each are stable (``code``,
/// `exitCode`).
///
/// No case carries a secret: paths, names, numbers and reasons only.
///
/// Source: `mainkey` sections 5, 8, 10 and 27.
public enum MainKeyError: Error, Equatable, Sendable {
    /// There is no vault, item or token of this name.
    case notFound(String)
    /// The bytes are not of this kind at all.
    case badMagic(Part)
    /// A version, type or algorithm that this program does not know.
    case unsupportedVersion(Part, found: Int)
    /// The structure breaks a rule of the format.
    case malformed(Part, reason: String)
    /// Bytes are missing at the end.
    case truncated(Part)
    /// More memory or time is asked for than is allowed or available.
    case limitExceeded(reason: String)
    /// The PIN, recovery code or key does not open a slot.
    case wrongCredential(attemptsLeft: Int?)
    /// Too many wrong credentials were tried; nothing was computed.
    case throttled(seconds: Int)
    /// The limit of wrong credentials is reached.
    case attemptsExhausted(byHardware: Bool)
    /// No slot takes this kind of credential, or none has this number.
    case noSuchSlot(String)
    case weakPIN(PINWeakness)
    /// Authenticated content was changed, or does not belong together.
    case tampered(reason: String)
    /// An older state was put back.
    case rolledBack(reason: String)
    /// A value, or the chunk of a file, does not verify.
    case authFailed(Part, chunk: Int? = nil)
    /// A sealed value of another purpose.
    case wrongPurpose(expected: Int, found: Int)
    /// The key of this epoch is not held any more, or not yet.
    case unknownEpoch(UInt32)
    /// A file of another vault, of another context, or with a changed header.
    case fileKeyMismatch
    /// The file's last chunk is followed by more.
    case trailingData(chunk: Int)
    case locked
    /// Another process committed in between.
    case stale(expected: UInt64, found: UInt64)
    /// Another process holds the lock.
    case busy(path: String)
    /// There is no memory-backed place for cleartext.
    case noSecureTemp(reason: String)
    case configError(reason: String)
    case hardwareUnavailable(reason: String)
    /// The hardware refuses all tries for a time.
    case hardwareLockout(seconds: Int)
    /// Registers of the TPM hold something else than when the way was made: the machine was started otherwise.
    case hardwareChanged(registers: TPMRegisterSelection)
    /// The hardware's key is gone for good.
    case hardwareDead(reason: String)
    case io(path: String, reason: String)
    /// A complete newer key file lies beside the damaged one; a person has to choose.
    case recoverable(reason: String)
    case internalFailure(reason: String)

    /// The kind of thing that the bytes were to be.
    public enum Part: String, Sendable {
        case keyFile = "key file"
        case slot
        case epoch
        case sealedValue = "sealed value"
        case file = "encrypted file"
        case attempts = "attempt file"
        case item = "key item"
        case itemList = "list of items (items.mk)"
        case wipeMark = "mark of a wipe (wipe.mk)"
    }

    /// The stable name, for scripts.
    public var code: String { row.code }

    /// The exit code of the program `mainkey`.
    package var exitCode: Int32 { row.exit }

    private var row: (code: String, exit: Int32) {
        switch self {
        case .notFound: ("notFound", 10)
        case .badMagic: ("badMagic", 11)
        case .unsupportedVersion: ("unsupportedVersion", 12)
        case .malformed: ("malformed", 13)
        case .truncated: ("truncated", 14)
        case .limitExceeded: ("limitExceeded", 15)
        case .wrongCredential: ("wrongCredential", 20)
        case .throttled: ("throttled", 21)
        case .attemptsExhausted: ("attemptsExhausted", 22)
        case .noSuchSlot: ("noSuchSlot", 23)
        case .weakPIN: ("weakPIN", 24)
        case .tampered: ("tampered", 30)
        case .rolledBack: ("rolledBack", 31)
        case .authFailed: ("authFailed", 32)
        case .wrongPurpose: ("wrongPurpose", 33)
        case .unknownEpoch: ("unknownEpoch", 34)
        case .fileKeyMismatch: ("fileKeyMismatch", 35)
        case .trailingData: ("trailingData", 36)
        case .locked: ("locked", 40)
        case .stale: ("stale", 41)
        case .busy: ("busy", 42)
        case .noSecureTemp: ("noSecureTemp", 43)
        case .configError: ("configError", 44)
        case .hardwareUnavailable: ("hardwareUnavailable", 50)
        case .hardwareLockout: ("hardwareLockout", 51)
        case .hardwareDead: ("hardwareDead", 52)
        case .hardwareChanged: ("hardwareChanged", 53)
        case .io: ("io", 60)
        case .recoverable: ("recoverable", 61)
        case .internalFailure: ("internal", 70)
        }
    }
}

extension MainKeyError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notFound(let what): "There is no \(what)."
        case .badMagic(let part):
            "This is not a MainKey \(part.rawValue): it begins with other bytes.\(part.advice)"
        case .unsupportedVersion(let part, let found):
            "The \(part.rawValue) is of a version or kind that this program does not know (\(found)). Use a newer program.\(part.advice)"
        case .malformed(let part, let reason): "The \(part.rawValue) is malformed: \(reason).\(part.advice)"
        case .truncated(let part):
            "The \(part.rawValue) is cut off.\(part.advice.isEmpty ? " Restore it from a backup." : part.advice)"
        case .limitExceeded(let reason): "Too much is asked for: \(reason)."
        case .wrongCredential(let left):
            left.map { "That does not open it; \($0) \($0 == 1 ? "attempt is" : "attempts are") left." }
                ?? "That does not open it."
        case .throttled(let seconds): "Too many wrong attempts. Try again in \(seconds) seconds."
        case .attemptsExhausted(let byHardware):
            byHardware
                ? "The hardware takes no more attempts, for ever. Use the recovery code."
                : "The limit of wrong attempts is reached. Use the recovery code."
        case .noSuchSlot(let what): "No slot here for \(what)."
        case .weakPIN(let weakness): "This PIN is too weak: \(weakness.explanation)."
        case .tampered(let reason): "This was changed from outside: \(reason). Do not trust it; restore a backup."
        case .rolledBack(let reason): "An older state was put back and is refused: \(reason)."
        case .authFailed(let part, let chunk):
            "The \(part.rawValue) was changed after it was written, or belongs elsewhere"
                + (chunk.map { " (chunk \($0))." } ?? ".")
        case .wrongPurpose(let expected, let found):
            "A sealed value of purpose \(found) stands where one of purpose \(expected) is expected."
        case .unknownEpoch(let epoch):
            "This was sealed in epoch \(epoch), whose key is not held, or is about to be forgotten by a rotation. If you "
                + "were just writing it, to a file or a stream, write it again."
        case .fileKeyMismatch: "The file belongs to another vault or name, or its header was changed."
        case .trailingData(let chunk): "The file goes on behind its end, chunk \(chunk)."
        case .locked: "It is locked. Unlock it first."
        case .stale(let expected, let found):
            "Another process changed the vault (generation \(expected) became \(found)). Try again."
        case .busy(let path): "Another process is using \(path). Try again when it has ended."
        case .noSecureTemp(let reason): "There is no memory-backed place for cleartext: \(reason)."
        case .configError(let reason): "This cannot be set so: \(reason)."
        case .hardwareUnavailable(let reason):
            "The hardware key cannot be used: \(reason)" + (reason.hasSuffix(".") ? "" : ".")
        case .hardwareLockout(let seconds):
            "The hardware refuses all attempts for now. Try again in \(seconds) seconds, without switching off."
        case .hardwareChanged(let registers):
            "The machine was started otherwise than when the vault was bound to it: register \(registers) of the TPM holds something "
                + "else. If you changed the firmware, its settings or its Secure Boot keys, open the vault with the recovery code and "
                + "bind it anew. If you did not, find out who did before you type anything here. No attempt was counted."
        case .hardwareDead(let reason): "The hardware key is gone: \(reason). Use the recovery code or the PIN."
        case .io(let path, let reason): "\(path): \(reason)."
        case .recoverable(let reason): "\(reason) Look at both before one of them is used, or restore a backup."
        case .internalFailure(let reason): "Something that cannot happen did: \(reason)."
        }
    }
}

extension MainKeyError.Part {
    /// What to do about one that is damaged, after a space; empty where that depends.
    fileprivate var advice: String {
        self == .wipeMark ? " Nothing was removed. To keep the vault, remove that file." : ""
    }
}
