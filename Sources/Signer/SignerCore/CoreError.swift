/// Why the core itself refuses something. ``code`` is stable; the text says what happened and what to do.
///
/// Source: `signer-product` section 9.
package enum CoreError: Error, Equatable, Sendable {
    // The core
    /// Another action is under way: nothing was done.
    case busy
    /// The page on which something was done is not the one that is shown any more.
    case otherPage
    /// An action did not come to its end: nothing is trusted until the program is started again.
    case poisoned
    /// There is no vault yet.
    case notSetUp
    /// The vault is locked.
    case locked
    /// The core has no such part here.
    case notAvailable(what: String)
    // Credentials and confirmations
    /// The credential does not open the vault.
    case wrongCredential(waitSeconds: Int)
    /// The credential is too easy to guess.
    case credentialTooWeak(reason: String)
    /// The host has not shown that a person allowed it.
    case notAuthenticated
    /// What was typed to confirm is not what was asked for.
    case confirmationMismatch
    /// What is to protect the vault is not said, or cannot be had so.
    case protectionMalformed(reason: String)
    /// The recovery code was not repeated as it was shown.
    case recoveryCodeMismatch
    /// What opens the vault is new, and its data do not all have their new key yet.
    case rotationUnfinished(reason: String)
    /// A danger is not confirmed.
    case riskNotAcknowledged
    /// The machine is not cut off.
    case detectorNotSafe
    /// There is nothing to acknowledge.
    case ackNotPossible
    // Keys
    /// No name of a seed was given.
    case noSeedChosen
    /// Keys are to be made and there is no seed.
    case noKnownSeeds
    /// The path has no password that could be repeated.
    case passwordMissing
    /// No password was typed for a key that has one.
    case passwordEmpty
    /// The password was not repeated as it was typed.
    case passwordConfirmMismatch
    /// The number of further keys is none, or too large.
    case incrementCount
    /// No network is left.
    case noNetworks
    /// There is no such network.
    case networkUnknown(key: String)
    /// There is no such key.
    case keyUnknown(key: String)
    /// There is no such version of metadata.
    case metadataUnknown(version: String)
    /// There is no such entry of the log.
    case entryUnknown(order: String)
    // Signing
    /// What is to be a contact has no name or no address.
    case contactMalformed
    /// What is to be let pass is none of what can be.
    case networkPolicyMalformed
    /// No phrase was given.
    case noSeedPhrase
    /// What is to be a new phrase has no name, or no number of words.
    case phraseMalformed
    /// What is to be looked at in other wallets is not said as it has to be.
    case previewMalformed(reason: String)
    /// Not as many phrases were given as there are items.
    case seedsNumMismatch(given: Int, needed: Int)
    /// What was scanned is no hexadecimal text.
    case notHex
    /// What was scanned is nothing of that kind.
    case notPending
    // Shares
    /// Not every share was shown.
    case sharesNotShown(left: Int)
    /// What was typed is not a number of shares and of those that are needed.
    case splitNumbers

    /// The name by which programs tell the cases apart.
    package var code: String {
        switch self {
        case .busy, .otherPage: "Busy"
        case .poisoned: "MutexPoisoned"
        case .notSetUp: "DbNotInitialized"
        case .locked: "Locked"
        case .notAvailable: "NotAvailable"
        case .wrongCredential: "WrongCredential"
        case .credentialTooWeak: "CredentialTooWeak"
        case .notAuthenticated: "NotAuthenticated"
        case .confirmationMismatch: "ConfirmationMismatch"
        case .protectionMalformed: "ProtectionMalformed"
        case .recoveryCodeMismatch: "RecoveryCodeMismatch"
        case .rotationUnfinished: "RotationUnfinished"
        case .riskNotAcknowledged: "RiskNotAcknowledged"
        case .detectorNotSafe: "DetectorNotSafe"
        case .ackNotPossible: "AckNotPossible"
        case .noSeedChosen: "SeedNotFound"
        case .noKnownSeeds: "NoKnownSeeds"
        case .passwordMissing, .passwordEmpty: "LostPwd"
        case .passwordConfirmMismatch: "PasswordConfirmMismatch"
        case .incrementCount: "IncrementCount"
        case .noNetworks: "NoNetworksAvailable"
        case .networkUnknown: "NetworkSpecsNotFound"
        case .keyUnknown: "KeyNotFound"
        case .metadataUnknown: "MetaValuesNotFound"
        case .entryUnknown: "HistoryEntryNotFound"
        case .contactMalformed, .networkPolicyMalformed: "Codec"
        case .noSeedPhrase: "NoSeedPhrase"
        case .phraseMalformed, .previewMalformed: "Codec"
        case .seedsNumMismatch: "SeedsNumMismatch"
        case .notHex: "NotHex"
        case .notPending: "NothingPending"
        case .sharesNotShown: "SharesNotShown"
        case .splitNumbers: "SplitLimits"
        }
    }
}

extension CoreError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .otherPage: "Another page has come since. Nothing was done."
        case .busy: "The vault is busy with another action; this one was not done. Try again."
        case .poisoned: "An earlier action did not come to its end. Nothing more is done: start the program again."
        case .notSetUp: "There is no vault here yet. Set it up first."
        case .locked: "The vault is locked. Unlock it first."
        case .notAvailable(let what): "\(what) is not available here."
        case .wrongCredential(let seconds):
            seconds > 0
                ? "That does not open the vault. Try again in \(seconds) seconds."
                : "That does not open the vault. Try again."
        case .credentialTooWeak(let reason): "That is too easy to guess: \(reason). Take something longer."
        case .notAuthenticated: "Nobody has shown that this is allowed. Enter what opens the vault, and try again."
        case .confirmationMismatch: "That is not the text that was asked for. Nothing was done; type it as it is shown."
        case .protectionMalformed(let reason): "Nothing was changed. \(reason)"
        case .recoveryCodeMismatch:
            "That is not the recovery code that was shown. Nothing was changed; look at what you have written down."
        case .rotationUnfinished(let reason):
            """
            The vault is opened by the new PIN and recovery code, and by the old ones no more. Its data do not all \
            have their new key yet: \(reason) When that is mended, have them sealed anew.
            """
        case .riskNotAcknowledged: "That is not the text that confirms the danger. Nothing was signed; read it again."
        case .detectorNotSafe:
            "This machine is, or was, connected to a network, or nobody can tell. Cut it off, acknowledge, and try again."
        case .ackNotPossible: "There is nothing to acknowledge in this state of the network detector."
        case .noSeedChosen: "No seed is chosen. Choose one first."
        case .noKnownSeeds: "There is no seed below which the keys could be made. Make or recover one first."
        case .passwordMissing: "The path has no password to confirm. A password stands behind three slashes."
        case .passwordEmpty: "No password was typed. Nothing was tried, and no attempt is lost; type it."
        case .passwordConfirmMismatch:
            "The password was not repeated as it was typed, so no key was made. Begin again with the path."
        case .incrementCount: "That is not a number of keys. Give one from 1 to 255."
        case .noNetworks: "There is no network in this vault. Add one first, by scanning its codes."
        case .networkUnknown(let key): "There is no network \(key) in this vault."
        case .keyUnknown(let key): "There is no key \(key) in this vault."
        case .metadataUnknown(let version): "There are no metadata of version \(version) of this network."
        case .entryUnknown(let order): "There is no entry \(order) in the log."
        case .contactMalformed: "A contact has a name and an address. Nothing was kept; fill in both."
        case .networkPolicyMalformed:
            "That is nothing that can be let pass, like {\"allowed\":[\"ignore-radios\"]}. Nothing was changed."
        case .phraseMalformed: "A new phrase has a name and 12, 15, 18, 21 or 24 words. Nothing was made; fill in both."
        case .previewMalformed(let reason): "Nothing can be shown. \(reason)"
        case .noSeedPhrase: "The recovery phrase is empty. Nothing was done."
        case .seedsNumMismatch(let given, let needed):
            "There are \(given) recovery phrases for \(needed) transactions. Give one for each, in their order."
        case .notHex: "What was scanned is not hexadecimal text. Scan it again."
        case .notPending: "Nothing of that kind is waiting. Scan it again."
        case .sharesNotShown(let left):
            "\(left == 1 ? "One share was" : "\(left) shares were") not shown yet. Write every share down before you go on."
        case .splitNumbers: "That is not how many shares are made and how many of them are needed, like 3,2."
        }
    }
}
