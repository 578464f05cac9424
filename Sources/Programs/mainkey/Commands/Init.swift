import ArgumentParser
import BasicFoundation
import Console
import MainKey
import VaultArguments

struct Init: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Make a vault.",
        discussion: """
            Asks for the PIN twice and says what the protection does not protect against. A recovery code (--recovery) \
            is shown once, on the terminal or on the descriptor of --recovery-fd.
            """)

    @OptionGroup(title: "Protection") var protection: ProtectionOptions

    @Flag(help: "Make a recovery code too, which opens the vault when PIN or TPM are lost.")
    var recovery = false

    @OptionGroup var code: RecoveryCodeOptions

    @Option(help: ArgumentHelp("Lock after so many minutes without use: 1 to 10080, always, never.", valueName: "time"))
    var autolock = AutolockTimeout.never

    @Option(help: ArgumentHelp("Wrong attempts in a row, 1 to 100.", valueName: "n"))
    var maxAttempts = 10

    @Flag(help: "Wipe the vault when they are used up.")
    var wipeOnLimit = false

    @Flag(help: "Refuse the vault if its TPM protection is ever missing.")
    var requireHardware = false

    @Flag(
        help: ArgumentHelp(
            "Move the TPM's counter with every change of the vault and its items: any older copy is refused.",
            discussion: """
                A change then takes the TPM: a recovery code alone changes nothing but the protections. Without this, \
                a single item, token or listed file that is put back is noticed, and the whole vault only from before \
                a change of its protections. An encrypted file that the vault does not list (encrypt --listed), or a \
                value of a database that its application does not count, is never noticed.
                """))
    var strictAnchor = false

    @OptionGroup var output: OutputOptions
    @OptionGroup var typing: TypingOptions
    @OptionGroup var place: PlaceOptions

    func validate() throws {
        guard code.recoveryFd == nil || recovery else { throw ValidationError("--recovery-fd goes with --recovery.") }
    }

    func run() throws {
        // Asked before the PIN is: a folder that is taken needs none.
        guard !FileManager.default.fileExists(atPath: place.path + "/keyring.mk") else {
            throw MainKeyError.configError(reason: "there is a vault in \(place.path) already")
        }
        try MainKeyVault.check(
            protection.cost.argon2, ofWays: (protection.way.isTyped ? 1 : 0) + (recovery ? 1 : 0))
        let shown = recovery ? try code.place() : nil
        let vault = try make([try protection.protection(typing, place)], shown)
        vault.remember()
        let status = try vault.status()
        try output.show(
            StatusJSON(status),
            text: """
                The vault is in \(place.path), opened by: \(status.ways.map(\.kind).joined(separator: ", ")).

                \(protection.caveat(hasRecovery: recovery))
                """
                    + (recovery
                        ? ""
                        : "\n\nThere is no recovery code; whoever forgets the PIN or loses the machine loses the "
                            + "data. To make one: mainkey add-recovery"))
    }

    /// Makes the vault once its recovery code, if it has one, was seen.
    private func make(_ protections: [Protection], _ output: RecoveryOutput?) throws -> MainKeyVault {
        let opening = try place.openOptions()
        guard let output else { return try MainKeyVault.create(at: place.path, protections, options, opening: opening) }
        let change = WaysChange("The recovery code that was shown") {
            do { return try place.look().status().ways.map(\.id) } catch MainKeyError.notFound { return [] }
        }
        return try change.make {
            let code = try RecoveryCode.generate()
            try MainKeyVault.check(protections + [.recovery(code)], options)
            try change.show(code.grouped(), at: output)
            return try MainKeyVault.create(at: place.path, protections + [.recovery(code)], options, opening: opening)
        }
    }

    private var options: VaultOptions {
        var options = VaultOptions()
        options.attemptLimit = maxAttempts
        options.autolock = autolock
        options.wipesOnLimit = wipeOnLimit
        options.requiresHardware = requireHardware
        options.hasStrictAnchor = strictAnchor
        options.allowsNoRecovery = protection.allowNoRecovery
        options.cost = protection.cost.argon2
        return options
    }
}
