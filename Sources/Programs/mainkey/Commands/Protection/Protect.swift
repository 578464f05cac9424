import ArgumentParser
import Console
import MainKey

struct Protect: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Protect the vault in another way. Recovery codes stay.",
        discussion: "All other ways to open it are replaced, all at once: the old and the new ones never both open it.")

    @OptionGroup var place: PlaceOptions
    @OptionGroup var credentials: CredentialOptions
    @OptionGroup(title: "Protection") var protection: ProtectionOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let (vault, credential) = try credentials.unlock(place)
        let old = try vault.status()
        let kept = old.ways.filter { $0.kind == Way.recovery.rawValue }
        var options = VaultOptions()
        options.allowsNoRecovery = protection.allowNoRecovery
        options.cost = protection.cost.argon2
        let added = try protection.protection(credentials.typing, place)
        try WaysChange("The new protection", of: vault).make {
            try vault.setProtections(
                keeping: Set(kept.map(\.id)), adding: [added], authenticatedBy: credential, options)
        }
        let new = try vault.status()
        try output.show(StatusJSON(new), text: text(from: old, to: new))
    }

    private func text(from old: VaultStatus, to new: VaultStatus) -> String {
        func words(_ status: VaultStatus) -> String { status.ways.map(\.kind).joined(separator: ", ") }
        return """
            Before: \(words(old)). Now: \(words(new)).

            \(protection.caveat(hasRecovery: new.ways.contains { $0.kind == Way.recovery.rawValue }))
            """
    }
}
