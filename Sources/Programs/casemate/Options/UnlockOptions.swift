import ArgumentParser
import BasicFoundation
import Console
import InstalledSigner
import MainKey
import NetworkDetector
import SecretMemory
import Signer

/// What most commands take that open the vault: where it is, what opens it, and in which form they answer.
struct OpeningOptions: ParsableArguments {
    @OptionGroup var output: OutputOptions
    @OptionGroup var vault: VaultFolderOptions
    @OptionGroup var unlock: UnlockOptions

    func open(for access: Vault.Access = .write, guarding activity: GuardedActivity? = nil) throws -> Vault {
        try unlock.open(vault, for: access, guarding: activity)
    }
}

/// What opens the vault.
struct UnlockOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Read the PIN from this open descriptor instead of the terminal.",
            discussion: "Up to the first line break; for example  --pin-fd 3 3<file .", valueName: "n"),
        transform: InputDescriptor.init(argument:))
    var pinFd: InputDescriptor?

    @Flag(help: "Open the vault with its recovery code instead of the PIN; --pin-fd then gives the code.")
    var recoveryCode = false

    @OptionGroup var tpm: TPMOptions

    /// Opens the vault; says on standard error what that changed.
    ///
    /// - Parameter activity: what brings secrets into memory; refused on a connected machine before anything is asked
    ///   for. ``NetworkGate/check(_:in:)`` looks again right before it is done.
    func open(
        _ vault: VaultFolderOptions, for access: Vault.Access = .write, guarding activity: GuardedActivity? = nil
    ) throws -> Vault {
        if let activity, Vault.exists(in: vault.folder) { try NetworkGate.check(activity, in: vault.folder) }
        let opened = try InterruptedWipe.explaining(in: vault.folder) {
            try Vault.open(vault.folder, for: access, unlocking: unlocking())
        }
        if opened.hasFinishedWipe { InterruptedWipe.tellFinished() }
        if let migration = opened.migration { Self.tell(migration) }
        if opened.isOfFirstSchema, opened.key != nil, access == .read { Self.tellOfFirstSchema() }
        if let activity { try NetworkGate.check(activity, in: opened) }
        return opened
    }

    /// - Parameter cost: of a PIN that is chosen now; nil keeps the vault's.
    func unlocking(cost: Argon2Cost? = nil) throws -> Unlocking {
        let (pinFd, usesCode) = (pinFd, recoveryCode)
        return Unlocking(
            try tpm.opening(), cost: cost, vigil: InstalledValidator.current, validatorRequired: Self.tell(required:)
        ) { request in
            guard !usesCode || request.reason == .migration else {
                return .recoveryCode(try Self.read(pinFd, "Recovery code"))
            }
            return .pin(try Self.read(pinFd, Self.prompt(request.reason)))
        }
    }

    /// What opens the vault, from the descriptor or typed.
    ///
    /// - Parameter prompt: what a person is asked for, where that is a PIN.
    func credential(prompt: String) throws -> SecretBytes {
        try Self.read(pinFd, recoveryCode ? "Recovery code" : prompt)
    }

    private static func prompt(_ reason: CredentialRequest.Reason) -> String {
        switch reason {
        case .opening: "PIN"
        case .seeds: "PIN (a session does not open seeds)"
        case .lockedMeanwhile: "The vault has locked itself. PIN"
        case .protections: "PIN that is valid now"
        case .migration: "PIN or passphrase"
        }
    }

    private static func read(_ descriptor: InputDescriptor?, _ prompt: String) throws -> SecretBytes {
        try SecretInput.readFilled(descriptor: descriptor, prompt: prompt, option: "--pin-fd")
    }

    private static func tellOfFirstSchema() {
        let text = """
            casemate: The rows of this vault are checked by the rules of an earlier version, which do not notice every row that is missing. \
            The next command that changes something in it, such as casemate seed new or sign, sees to that.

            """
        StandardError.write(text)
    }

    private static func tell(_ migration: Vault.Migration) {
        var text =
            "casemate: The vault was made by an earlier version; now all that is private in it is sealed under your PIN.\n"
        if let weakness = migration.weakness {
            text += """
                casemate: A new PIN would not be allowed to be like yours: \(weakness.explanation). Change it with: casemate protect \
                --change-pin

                """
        }
        if let validator = migration.boundTo {
            text += """
                casemate: It is bound to the validator \(validator.validatorKeyID.prefix(16)), without which the PIN opens nothing. Make a \
                recovery code with: casemate protect --add-recovery

                """
        }
        StandardError.write(text)
    }

    @Sendable
    static func tell(required validator: Verdict.Account) {
        let text = """
            casemate: From now on this vault opens only with the word of the validator \(validator.validatorKeyID.prefix(16)), or by its \
            recovery code (casemate protect --add-recovery). casemate vigil unbind takes that back.

            """
        StandardError.write(text)
    }
}
