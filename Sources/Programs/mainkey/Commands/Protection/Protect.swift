import ArgumentParser
import Console
import MainKey

struct Protect: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "protect",
        abstract: "Protect the vault in another way. Recovery codes stay.",
        discussion: """
            All other ways to open it are replaced, all at once: the old and the new ones never both open it. Before \
            --none takes a protection away, it asks for a yes on a terminal.
            """)

    @OptionGroup(title: "Protection") var protection: ProtectionOptions

    @Flag(help: "With --none: do not ask.")
    var yes = false

    @OptionGroup var output: OutputOptions
    @OptionGroup var credentials: CredentialOptions
    @OptionGroup var place: PlaceOptions

    func validate() throws {
        guard !yes || protection.unprotected else { throw ValidationError("--yes goes with --none.") }
    }

    func run() throws {
        let vault = try place.open()
        try vault.status().checkRoom(forAdding: protection.way.isTyped ? 1 : 0, cost: protection.cost.argon2) {
            $0.kind == Way.recovery.rawValue
        }
        let credential = try credentials.unlock(vault)
        let old = try vault.status()
        let kept = old.ways.filter { $0.kind == Way.recovery.rawValue }
        // A script has decided; a person may not know what it means.
        if protection.unprotected, !yes, Terminal() != nil, !old.ways.contains(where: { $0.kind == Way.none.rawValue })
        {
            try Question.confirm("Take the protection away? Whoever reads this user's files reads the data then.")
        }
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
