import ArgumentParser
import Console
import MainKey

struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Unlock once and check everything.",
        discussion: """
            The credential, the whole key file, the rollback anchor, and that each item and token opens and is the one that
            was written last. A PIN counts as an attempt; nothing else changes on the disk.
            """)

    @OptionGroup var place: PlaceOptions
    @OptionGroup var credentials: CredentialOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let vault = try credentials.unlocked(try place.look())
        let items = try vault.itemLabels()
        for label in items { _ = try vault.item(label) }
        let tokens = try vault.tokenNames()
        for name in tokens { _ = try vault.token(name) }
        let missing = try vault.checkItems()
        struct Verified: Encodable {
            var verified = true
            var items: Int
            var tokens: Int
            /// How many of the items that the vault lists are missing: removing one takes no key.
            var missing: Int
        }
        try output.show(
            Verified(items: items.count, tokens: tokens.count, missing: missing),
            text: "Everything is as it should be. Items: \(items.count), tokens: \(tokens.count)."
                + (missing == 0 ? "" : " Removed without the key: \(missing)."))
    }
}
