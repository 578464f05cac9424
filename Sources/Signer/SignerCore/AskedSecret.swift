import Navigator
import SecretMemory
import Substrate

/// What an action takes that is secret, by where a person does it. Programs that are driven from outside ask for it by
/// a way of its own, and refuse it among other data.
///
/// Source: `signer-product` section 6.5.
package enum AskedSecret: String, Sendable {
    /// What is going to open the vault.
    case newCredential
    /// What opens the vault.
    case credential
    /// What opens the vault, to show that the person may do something that cannot be undone.
    case authentication
    /// The password of a key.
    case password
    /// Words of a recovery phrase.
    case words
    /// The passphrase of a split backup.
    case passphrase
    /// A recovery code that was shown, typed back.
    case recoveryCode

    /// - Returns: nil where the action takes nothing secret.
    package init?(of action: UserAction, at position: Position) {
        guard position.alert == nil else { return nil }
        switch (action, position.screen, position.modal) {
        case (.goForward, .airgapCheck, nil): self = .newCredential
        case (.goForward, .unlock, _): self = .credential
        case (.exportSecret, .keyDetails, _), (.goForward, .networkPolicy, _),
            (.goForward, .protection, .confirmProtection):
            self = .authentication
        case (.goForward, _, .recoveryCode): self = .recoveryCode
        case (.goForward, _, .enterPassword): self = .password
        case (.textEntry, .recoverSeedPhrase, _), (.pushWord, .recoverSeedPhrase, _): self = .words
        case (.goForward, .splitRecover, .splitPassphrase): self = .passphrase
        default: return nil
        }
    }

    /// Whether the data of an action hold a secret, which belongs in the action's own place for it.
    package static func isIn(_ data: String, of action: UserAction, at position: Position) -> Bool {
        switch AskedSecret(of: action, at: position) {
        case .newCredential, .credential, .password, .words, .recoveryCode: !data.isEmpty
        // The data are the name of the seed.
        case .passphrase, .authentication: false
        // A password stands behind three slashes of a path; nothing behind them says that it comes as the secret.
        case nil: position.screen == .deriveKey && DerivationText.split(data).password.map { !$0.isEmpty } ?? false
        }
    }
}
