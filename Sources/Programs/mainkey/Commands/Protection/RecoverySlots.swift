import ArgumentParser
import Console
import MainKey
import VaultArguments

struct AddRecovery: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add-recovery",
        abstract: "Make a recovery code, which opens the vault when PIN or TPM are lost.")

    @OptionGroup var code: RecoveryCodeOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var credentials: CredentialOptions
    @OptionGroup var place: PlaceOptions

    func run() throws {
        let shown = try code.place()
        let vault = try place.open()
        try vault.status().checkRoom(forAdding: 1, cost: nil) { _ in true }
        let credential = try credentials.unlock(vault)
        let change = WaysChange("The recovery code that was shown", of: vault)
        try change.make {
            let code = try RecoveryCode.generate()
            try change.show(code.grouped(), at: shown)
            try vault.setProtections(
                keeping: Set(try vault.status().ways.map(\.id)), adding: [.recovery(code)],
                authenticatedBy: credential)
        }
        try output.show(StatusJSON(try vault.status()), text: "The recovery code opens the vault from now on.")
    }
}

struct RemoveSlot: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove-slot", abstract: "Remove a way to open the vault.")

    @Argument(help: "Its ID, as 'mainkey slots' lists it.")
    var id: String

    @Flag(help: "Allow the TPM to become the only way in.")
    var allowNoRecovery = false

    @OptionGroup var output: OutputOptions
    @OptionGroup var credentials: CredentialOptions
    @OptionGroup var place: PlaceOptions

    func run() throws {
        guard let number = UInt32(id, radix: 16) else {
            throw Failure.usage("'\(id)' is no ID of a slot: eight hex digits, as 'mainkey slots' lists them.")
        }
        let vault = try place.open()
        let ids = Set(try vault.status().ways.map(\.id))
        // Told before anything is asked for.
        guard ids.contains(number) else { throw MainKeyError.noSuchSlot(id) }
        let credential = try credentials.credential(for: vault)
        try vault.unlock(credential)
        var options = VaultOptions()
        options.allowsNoRecovery = allowNoRecovery
        try vault.setProtections(
            keeping: ids.subtracting([number]), adding: [], authenticatedBy: credential, options)
        try output.show(StatusJSON(try vault.status()), text: "It is removed.")
    }
}

struct SetAutolock: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set-autolock", abstract: "Set after how long without use programs lock the vault.")

    @Argument(help: "Minutes, 1 to 10080; or always, never.")
    var time: AutolockTimeout

    @OptionGroup var output: OutputOptions
    @OptionGroup var credentials: CredentialOptions
    @OptionGroup var place: PlaceOptions

    func run() throws {
        let vault = try credentials.unlocked(place)
        try vault.setAutolock(time)
        try output.show(StatusJSON(try vault.status()), text: "Set: \(time.words).")
    }
}
