import Navigator
import SecretMemory
import Signer

/// What has to hold between two actions.
///
/// Source: `signer-product` section 13.
struct Invariants {
    let state: CoreState

    /// What does not hold, in words.
    func breaches(secrets: [SecretBytes]) throws -> [String] {
        let isShown = state.position.screen == .transaction
        var found = try state.vault?.breaches(whileWaiting: isShown, secrets: secrets) ?? []
        let (screen, modal) = (state.position.screen, state.position.modal)
        let held: [(what: String, isHeld: Bool, mayBe: Bool)] = [
            ("a new phrase", state.newPhrase != nil, modal == .newSeedBackup),
            ("words of a phrase", state.draft != nil, screen == .recoverSeedPhrase || screen == .keyPreview),
            ("shares", state.shares != nil, screen == .splitRecover),
            ("a split seed", state.split != nil, screen == .splitExport && modal != nil),
            ("a password", state.heldPath != nil, modal == .passwordConfirm),
            ("passwords", state.transaction?.passwords.isEmpty == false, modal == .enterPassword),
            (
                "a change of what protects the vault", state.heldProtection != nil,
                modal == .recoveryCode || modal == .confirmProtection
            ),
            ("keys of other wallets", state.preview != nil, screen == .keyPreview),
            ("an exported secret", state.exported != nil, modal == .exportSecret),
            ("what was scanned", state.transaction != nil, isShown),
        ]
        found += held.filter { $0.isHeld && !$0.mayBe }.map { "\($0.what) is held at \(state.position)" }
        if state.position.alert == .error, state.failure == nil { found.append("an alert says nothing") }
        if let failure = state.failure, failure.code == "Internal" { found.append("an error without a code") }
        return found
    }
}
