import BasicFoundation
import HardwareKeys
import MainKey
import SecretMemory
import Signer

/// What a person wants to change of what protects a vault, or how one is to be protected that is set up.
package struct ProtectionChange: Sendable {
    /// What is changed.
    package enum Kind: String, Sendable {
        /// The vault is set up.
        case setUp = "set-up"
        /// The PIN alone; the other ways to open it stay.
        case pin
        /// What protects the key.
        case protection
        /// The recovery code is made, or made anew.
        case recovery
        /// The time after which it locks.
        case autolock
        /// The key of the data.
        case rotate
        /// The same, and everything that opens the vault.
        case rekey
    }

    /// What is changed.
    package var kind: Kind
    /// What is to protect the key, where that is set.
    package var plan = ProtectionPlan.pin
    /// After how long it is to lock, where that is set.
    package var autolock = Vault.usualAutolock
    /// Whether the recovery code of before stays.
    package var keepsRecovery = true
    /// Whether there is a recovery code of before that opens it no more then.
    package var endsRecovery = false
    /// The PIN that is to open it; nil where none is chosen.
    package var newPIN: SecretBytes?
    /// The recovery code that is to open it; nil where none is made.
    package var code: RecoveryCode?

    package init(_ kind: Kind) { self.kind = kind }

    /// A vault under a PIN that locks after the usual time.
    ///
    /// - Parameter credential: the PIN or passphrase.
    package static func usual(under credential: SecretBytes) -> ProtectionChange {
        var change = ProtectionChange(.setUp)
        change.newPIN = credential
        return change
    }

    /// What opens a vault that is set up so.
    package func protections() throws -> [Protection] {
        [try plan.protection(pin: chosenPIN)] + (code.map { [.recovery($0)] } ?? [])
    }

    private func chosenPIN() throws -> SecretBytes {
        guard let newPIN else { throw CoreError.protectionMalformed(reason: "No PIN was chosen.") }
        return newPIN
    }

    private func madeCode() throws -> RecoveryCode {
        guard let code else { throw CoreError.notPending }
        return code
    }

    /// Makes the change, after the key has asked for what opens the vault now.
    func make(in vault: Vault) throws {
        guard let key = vault.key else { throw CoreError.notAvailable(what: "Another protection") }
        switch kind {
        case .setUp: throw CoreError.notPending
        case .pin: try key.changePIN(chosenPIN)
        case .protection where code != nil: try key.protect(by: plan, pin: chosenPIN, recoveredBy: madeCode)
        case .protection: try key.protect(by: plan, keepingRecovery: keepsRecovery, pin: chosenPIN)
        case .recovery: try key.renewRecovery(madeCode)
        case .autolock: try key.setAutolock(autolock)
        case .rotate: _ = try vault.rotate()
        case .rekey: try rekey(vault, key)
        }
    }

    /// Makes everything anew that opens the vault, and then the key of its data. That the second failed must not pass
    /// for a failure of both.
    private func rekey(_ vault: Vault, _ key: VaultKey) throws {
        let ways = try key.status().ways
        do {
            _ = try vault.rotate(
                renewal: KeyRenewal(newPIN: chosenPIN, code: madeCode) { _, commit in try commit() })
        } catch {
            guard let now = try? key.status().ways, now.map(\.id) != ways.map(\.id) else { throw error }
            throw CoreError.rotationUnfinished(reason: "\(error)")
        }
    }
}

extension ProtectionChange {
    /// A change as a page gives it.
    private struct Wish: Decodable {
        var change: [String]
        /// `pin`, `tpm-pin` or `none`.
        var protection: [String]?
        /// Minutes; 0 for each wait, -1 for never.
        var autolock: String?
        /// Registers of the TPM with commas between; empty for none.
        var registers: String?
        /// `recovery`, `no-recovery`, `hard-limit`.
        var with: [String]?
    }

    /// Reads what a page gives, and makes the recovery code that belongs to it.
    ///
    /// - Parameters:
    ///   - text: a JSON object (`signer-product` section 6.5).
    ///   - newPIN: what was typed; nil for nothing.
    ///   - protection: of the vault as it is; nil before there is one.
    /// - Throws: ``CoreError/protectionMalformed(reason:)``, ``CoreError/credentialTooWeak(reason:)``.
    init(reading text: String, newPIN: SecretBytes?, protection: ProtectionData?) throws {
        guard let wish = try? JSONDecoder().decode(Wish.self, from: Data(text.utf8)), let name = wish.change.first,
            let kind = Kind(rawValue: name), (kind == .setUp) == (protection == nil)
        else { throw CoreError.protectionMalformed(reason: "Nothing says what to change.") }
        self.init(kind)
        let options = Set(wish.with ?? [])
        let (setsPlan, isProtected) = (kind == .setUp || kind == .protection, protection?.takesPIN ?? true)
        if setsPlan { plan = try Self.plan(wish, options) }
        if kind == .setUp || kind == .autolock { autolock = try Self.autolock(wish.autolock) }
        keepsRecovery = !options.contains("no-recovery")
        if setsPlan ? plan.takesPIN : kind == .pin || kind == .rekey && isProtected {
            self.newPIN = try Self.checked(newPIN)
        }
        let makesCode =
            switch kind {
            case .setUp, .protection: options.contains("recovery") && plan != .none
            case .recovery: true
            case .rekey: protection?.hasRecovery ?? false
            case .pin, .autolock, .rotate: false
            }
        if makesCode { code = try RecoveryCode.generate() }
        // What nothing protects has none.
        let dropsRecovery = kind == .protection && (plan == .none || !keepsRecovery)
        endsRecovery = protection?.hasRecovery ?? false && (makesCode || dropsRecovery)
        if kind == .recovery, !isProtected {
            throw CoreError.protectionMalformed(reason: "What nothing protects needs no recovery code.")
        }
    }

    private static func plan(_ wish: Wish, _ options: Set<String>) throws -> ProtectionPlan {
        switch wish.protection?.first {
        case "none": return .none
        case "pin": return .pin
        case "tpm-pin":
            let text = wish.registers ?? ""
            guard let registers = text.isEmpty ? TPMRegisterSelection.none : TPMRegisterSelection(text) else {
                throw CoreError.protectionMalformed(
                    reason: "Registers are numbers from 0 to 15 with commas between, like 0,7.")
            }
            guard registers.isEmpty || options.contains("recovery") else {
                throw CoreError.protectionMalformed(
                    reason: "Registers need a recovery code: the next update of the firmware would lose the vault.")
            }
            return .hardware(
                HardwareBinding(options.contains("hard-limit") ? .hardLimit : .counter, registers: registers))
        default: throw CoreError.protectionMalformed(reason: "Nothing says what is to protect it.")
        }
    }

    private static func autolock(_ text: String?) throws -> AutolockTimeout {
        guard let text else { return Vault.usualAutolock }
        guard let timeout = Int(text).flatMap(AutolockTimeout.init(rawValue:)) else {
            throw CoreError.protectionMalformed(
                reason: "It locks after 1 to 10080 minutes, with each wait (0), or never (-1).")
        }
        return timeout
    }

    /// A new PIN; a weak one is refused before anything is made or shown.
    private static func checked(_ pin: SecretBytes?) throws -> SecretBytes {
        guard let pin, pin.count > 0 else { throw CoreError.protectionMalformed(reason: "No PIN was chosen.") }
        do throws(MainKeyError) { try PINPolicy.standard.check(pin) } catch {
            guard case .weakPIN(let weakness) = error else { throw SignerError.vaultKey(error) }
            throw CoreError.credentialTooWeak(reason: weakness.explanation)
        }
        return pin
    }
}
