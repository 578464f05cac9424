/// Why hardware, or the files of its keys, did not do what was asked.
///
/// No case carries a secret: paths, tags, handles, numbers and reasons only. The texts say what to do about hardware,
/// and not what else leads to what it held, as a recovery code does to a vault: that the room above knows.
///
/// Source: `mainkey` section 17, `vigil` sections 5.2 to 5.4.
public enum HardwareKeyError: Error, Equatable, Sendable {
    /// The hardware cannot be used now, or is not the one that is needed.
    case unavailable(Obstacle)
    /// The policy asks for hardware, and there is none.
    case hardwareRequired(Obstacle)
    /// The authorisation is wrong; the hardware has counted the attempt.
    case wrongCredential
    /// The attempts that this PIN index allows are used up, for ever.
    case exhausted
    /// The hardware refuses all attempts of everybody for at most so many seconds.
    case lockout(seconds: Int)
    /// The sealed secret is bound to another value of the counter than it has now.
    case rolledBack
    /// Registers of the TPM hold something else than when the secret was sealed: the machine was started otherwise.
    case registersChanged(TPMRegisterSelection)
    /// The NV index that the sealed secret depends on is gone, and the secret with it.
    case dead(index: UInt32)
    /// The faces or fingers that the Secure Enclave knows have changed, which destroyed the key.
    case enclaveKeyInvalidated
    /// The hardware has no room for another NV index.
    case noNVSpace
    /// There is a key of this tag already.
    case keyExists(tag: String)
    /// There is no key of this tag.
    case keyNotFound(tag: String)
    /// A tag that cannot be a file's name.
    case invalidTag(String)
    /// The text names no TPM.
    case invalidAddress(String, reason: String)
    /// The bytes break a rule of their format.
    case malformed(Format, offset: Int, reason: String)
    /// A key file of another machine, user or tag, or one that was changed.
    case cannotUnseal(tag: String)
    /// A key of a weaker kind stands where a stronger one was pinned.
    case downgrade(tag: String, pinned: KeyKind, found: KeyKind)
    /// A directory or file breaks the rules for secrets, or the system refused it.
    case storageRefused(path: String, reason: String)
    /// A value outside what the operation takes.
    case invalidArgument(String)
    /// The hardware answered something that no rule foresees.
    case unexpectedResponse(command: String, code: UInt32)
    /// There is no locked memory for a secret.
    case noSecretMemory(reason: String)

    /// Why hardware cannot be used.
    public enum Obstacle: Equatable, Sendable {
        /// The library by which a TPM is reached cannot be opened, for a reason of the loader's.
        case noLibrary(reason: String)
        /// Nothing answers at the address.
        case notReachable(address: String)
        /// The parent key has another Name, or the enclave does not take its key: the secret belongs to another one, or
        /// this one was cleared.
        case otherHardware
        /// The TPM is in failure mode.
        case failureMode
        /// The owner hierarchy has an authorisation, which this program does not know.
        case ownerAuthorisationSet
        /// The storage key has an authorisation, which this program does not know.
        case storageKeyAuthorisationSet
        /// The person sent the system's question away.
        case cancelled
        /// The device does not do ECC on P-256.
        case noP256
        /// The key of this tag was made without hardware.
        case softwareKey
        /// No hardware was named, or none is supported on this system.
        case none
    }

    /// The format of bytes that break a rule.
    public enum Format: String, Sendable {
        case sealedBlob = "sealed blob"
        case tpmKeyFile = "TPM key file"
        case softwareKeyFile = "software key file"
        case sealedSecretFile = "sealed secret file"
        case enclaveBlob = "Secure Enclave blob"
        case enclaveKeyFile = "Secure Enclave key file"
        case quote = "quote of a TPM"
        case kindFile = "record of the key's kind"
    }
}

extension HardwareKeyError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unavailable(let obstacle): "The hardware key cannot be used: \(obstacle)"
        case .hardwareRequired(let obstacle):
            "The policy allows hardware keys only, and there is none: \(obstacle)"
        case .wrongCredential: "The PIN or key is wrong; the hardware has counted the attempt."
        case .exhausted: "The hardware takes no more attempts, for ever."
        case .lockout(let seconds):
            "The TPM refuses all attempts after too many wrong ones. Wait up to \(seconds) seconds without switching off, "
                + "then try again."
        case .rolledBack:
            "This was sealed for another value of the TPM's counter: an older or unfinished state was put back."
        case .registersChanged(let registers):
            "The machine was started otherwise than when this was sealed: register \(registers) of the TPM holds something else. "
                + "Find out who changed that, and bind it anew."
        case .dead(let index):
            "The TPM's index 0x\(hexadecimal(index)) is gone, and what depends on it."
        case .enclaveKeyInvalidated:
            "The enrolled faces or fingers have changed, which destroyed the key."
        case .noNVSpace:
            "The TPM has no room for another index. List them with tpm2_getcap handles-nv-index and undefine what is not used."
        case .keyExists(let tag): "There is a key \"\(tag)\" already. Load it, or remove it first."
        case .keyNotFound(let tag): "There is no key \"\(tag)\". Generate it first."
        case .invalidTag(let tag):
            "\"\(tag)\" cannot be a tag: take 1 to 100 of the characters A-Z a-z 0-9 . _ - and no dot at the start."
        case .invalidAddress(let text, let reason): "\"\(text)\" names no TPM: \(reason)."
        case .malformed(let format, let offset, let reason):
            "The \(format.rawValue) is malformed at byte \(offset): \(reason). Restore it from a backup or make a new one."
        case .cannotUnseal(let tag):
            "The file of \"\(tag)\" does not open here: it is of another machine, user or tag, or it was changed. "
                + "Make a new key and provision it again."
        case .downgrade(let tag, let pinned, let found):
            "\"\(tag)\" was a \(pinned.rawValue) key and would now be a \(found.rawValue) key. Find out who changed that; "
                + "to accept it, remove the key together with its pinned kind."
        case .storageRefused(let path, let reason): "\(path): \(reason)."
        case .invalidArgument(let reason): "This cannot be done: \(reason)."
        case .unexpectedResponse(let command, let code) where TPMResponse.full.contains(code):
            "The TPM is full of what programs left in it that were killed (\(command), 0x\(hexadecimal(code))). End the programs that "
                + "use it, then: tpm2_flushcontext -t; tpm2_flushcontext -l. Or start the TPM anew. /dev/tpmrm0 does not fill up so."
        case .unexpectedResponse(let command, TPMResponse.silent):
            "The TPM took \(command) and said nothing, for as long as the slowest one may take. It is a program that is busy or "
                + "hangs: see whether it runs, start it anew if it does nothing, then try again."
        case .unexpectedResponse(let command, let code):
            "\(command) failed with the response 0x\(hexadecimal(code)). Look it up with tpm2_rc_decode."
        case .noSecretMemory(let reason): reason
        }
    }
}

extension HardwareKeyError.Obstacle: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noLibrary(let reason):
            "tpm2-tss, by which a TPM is reached, cannot be opened (\(reason)). Install libtss2-esys-3.0.2-0, libtss2-tctildr0 and "
                + "libtss2-tcti-device0 (as Debian 12 names them), and try again."
        case .notReachable(let address):
            "no TPM answers at \(address). Check that it exists and that this user may use it (group tss)."
        case .otherHardware:
            "the key belongs to another TPM or Secure Enclave, or this one was cleared."
        case .failureMode: "the TPM is in failure mode. Switch the machine off and on."
        case .ownerAuthorisationSet:
            "the TPM's owner authorisation is set. Clear it while this is done (tpm2_changeauth -c owner -p PASSWORD): "
                + "counters and PIN indices are made and removed in no other way. What needs neither, and was not made "
                + "before, is also served by the storage key 0x81000001, if the owner makes that."
        case .storageKeyAuthorisationSet:
            "the TPM's storage key 0x81000001 has an authorisation. Let the owner make it anew without one."
        case .cancelled: "the question was cancelled. Try again, and answer it."
        case .noP256: "the TPM does not support the curve NIST P-256."
        case .softwareKey: "the key of this tag is a software key. Remove it and generate a new one."
        case .none: "no TPM or Secure Enclave is configured or supported here."
        }
    }
}

/// A number in lower-case hexadecimal digits without a prefix, as the tools of the TPM print it.
private func hexadecimal(_ number: UInt32) -> String { String(number, radix: 16) }
