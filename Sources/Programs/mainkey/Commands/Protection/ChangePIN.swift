import ArgumentParser
import Console
import MainKey

struct ChangePIN: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change-pin",
        abstract: "Change the PIN. The other ways to open the vault stay.",
        discussion: """
            With --recovery the recovery code takes the place of a PIN that was forgotten or used up. If the old PIN \
            became known to somebody, use 'mainkey rekey' instead: an old copy of the vault still opens with it.
            """)

    @OptionGroup var output: OutputOptions
    @OptionGroup var credentials: CredentialOptions
    @OptionGroup var place: PlaceOptions

    func run() throws {
        let (vault, credential) = try credentials.unlock(place)
        let pin = try credentials.typing.newPIN()
        try WaysChange("The new PIN", of: vault).make { try vault.changePIN(to: pin, authenticatedBy: credential) }
        try output.show(StatusJSON(try vault.status()), text: "The PIN is changed.")
    }
}

extension WaysChange {
    convenience init(_ title: String, of vault: MainKeyVault) {
        self.init(title) { try vault.status().ways.map(\.id) }
    }
}
