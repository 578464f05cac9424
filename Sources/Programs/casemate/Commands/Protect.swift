import ArgumentParser
import Console
import InstalledSigner
import MainKey
import SecretMemory
import Signer
import VaultArguments

struct Protect: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "protect",
        abstract: "Change what protects the vault: PIN, TPM, recovery code, autolock.",
        discussion: """
            Asks for the PIN that is valid now, and for the new one; before --none takes a protection away, for a yes. \
            Old and new never both open the vault, and no data are written anew. It ends the session. A vault of an \
            earlier version is sealed first.

              casemate protect --change-pin
              casemate protect --tpm-pin --hard-limit
              casemate protect --add-recovery

            An old copy of the folder still opens with the old PIN. If that became known to somebody: casemate rotate \
            --rekey
            """)

    @Flag(help: "Protect the key by this from now on.")
    var protection: ProtectionKind?

    @OptionGroup var details: ProtectionOptions

    @Flag(help: "Set another PIN.")
    var changePin = false

    @Flag(help: "Make a recovery code; an older one opens nothing any more.")
    var addRecovery = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            Lock after so many minutes of waiting: 1 to 10080, always (with each wait; a program that stays open, as \
            the window, after a minute), never.
            """, valueName: "time"))
    var autolock: AutolockTimeout?

    @Flag(help: "With --none: do not ask.")
    var yes = false

    @OptionGroup var newPIN: NewPINOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var vault: VaultFolderOptions
    @OptionGroup var unlock: UnlockOptions

    func validate() throws {
        try details.check(with: protection)
        guard !yes || protection == ProtectionKind.none else { throw ValidationError("--yes goes with --none.") }
        let wishes = [protection != nil, changePin, addRecovery, autolock != nil].filter { $0 }.count
        guard wishes < 2 else { throw ValidationError("Change one thing at a time.") }
        guard newPIN.cost.argon2 == nil || changePin || addRecovery || protection.map({ $0 != .none }) ?? false else {
            throw ValidationError("--cost goes with a new PIN or a new recovery code.")
        }
    }

    func run() throws {
        try NetworkGate.checkProtectionChange(in: vault.folder)
        let (key, isMigrated) = try key()
        if let protection {
            try protect(key, by: protection)
        } else if changePin {
            try WaysChange("The new PIN", of: key).make {
                try key.changePIN(NetworkGate.forProtectionChange(in: vault.folder, newPIN.newPIN))
            }
        } else if addRecovery {
            try renewRecovery(of: key)
        } else if let autolock {
            try key.setAutolock(autolock)
        } else if !isMigrated {
            throw ValidationError(
                "Say what to change: --pin, --tpm-pin, --none, --change-pin, --add-recovery or --autolock.")
        }
        struct Protected: Encodable {
            var protections: [String]
            /// Minutes; 0 with each wait, -1 never.
            var autolock: Int
        }
        let status = try key.status()
        let kinds = status.ways.map(\.kind)
        let limits = protection.map { "\n" + details.limits($0) } ?? ""
        try output.show(
            Protected(protections: kinds, autolock: status.autolock.rawValue),
            text: autolock == nil
                ? "The vault is opened by: \(kinds.joined(separator: ", ")).\(limits)"
                : "The vault locks itself \(status.autolock.inWords).")
    }

    /// The vault's key; a vault of an earlier version is sealed first.
    private func key() throws -> (VaultKey, isMigrated: Bool) {
        do {
            return (try VaultKey(of: vault.folder, unlock.unlocking(cost: newPIN.cost.argon2)), false)
        } catch let error as SignerError {
            guard case .firstKind = error, let key = try unlock.open(vault).key else { throw error }
            return (key, true)
        }
    }

    private func protect(_ key: VaultKey, by kind: ProtectionKind) throws {
        let ways = try key.status().ways.map(\.kind)
        let hasRecovery = ways.contains("recovery")
        if kind == .none, !ways.contains("none"), !yes {
            try Question.confirm("Take the protection away? \(details.plan(kind).limits)")
        }
        let makesRecovery = details.recovery ?? (kind == .tpmPin && !hasRecovery)
        let place = makesRecovery ? try details.place() : nil
        let plan = details.plan(kind)
        let change = WaysChange(place == nil ? "The new protection" : "The new protection and its code", of: key)
        try change.make {
            guard let place else {
                return try key.protect(by: plan, keepingRecovery: details.recovery != false, pin: checkedPIN)
            }
            try key.protect(by: plan, pin: checkedPIN) { try shown(change, at: place) }
        }
    }

    /// Reads a new PIN; a weak one is refused before a recovery code is shown.
    private func checkedPIN() throws -> SecretBytes {
        let pin = try NetworkGate.forProtectionChange(in: vault.folder, newPIN.newPIN)()
        try PINPolicy.standard.check(pin)
        return pin
    }

    private func renewRecovery(of key: VaultKey) throws {
        let place = try details.place()
        let change = WaysChange("The new recovery code", of: key)
        try change.make { try key.renewRecovery { try shown(change, at: place) } }
    }

    /// A new recovery code, after it was shown.
    private func shown(_ change: WaysChange, at place: RecoveryOutput) throws -> RecoveryCode {
        let code = try RecoveryCode.generate()
        try change.show(code.grouped(), at: place)
        try NetworkGate.checkProtectionChange(in: vault.folder)
        return code
    }
}

extension WaysChange {
    convenience init(_ title: String, next: String = "", of key: VaultKey) {
        self.init(title, next: next) { try key.status().ways.map(\.id) }
    }
}
