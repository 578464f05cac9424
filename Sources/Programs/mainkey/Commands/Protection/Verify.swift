import ArgumentParser
import Console
import MainKey

struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Unlock once and check everything.",
        discussion: """
            The credential, the whole key file, the rollback anchor, that each item and token opens and is the one \
            that was written last, and that each encrypted file that the vault lists is (by its header; to read all of \
            one: mainkey check). A PIN counts as an attempt; nothing else changes on the disk.
            """)

    @OptionGroup var output: OutputOptions
    @OptionGroup var credentials: CredentialOptions
    @OptionGroup var place: PlaceOptions

    func run() throws {
        let vault = try credentials.unlocked(try place.look())
        let items = try vault.itemLabels()
        for label in items { _ = try vault.item(label) }
        let tokens = try vault.tokenNames()
        for name in tokens { _ = try vault.token(name) }
        let missing = try vault.checkItems()
        let files = try vault.checkListedFiles()
        try output.show(
            Verified(items: items.count, tokens: tokens.count, missing: missing, files: ListedFilesJSON(files)),
            text: "Everything is as it should be. Items: \(items.count), tokens: \(tokens.count), "
                + "files: \(files.compared)."
                + (missing == 0 ? "" : " Removed without the key: \(missing).") + Self.words(files))
    }

    private static func words(_ files: ListedFilesCheck) -> String {
        var words = ""
        if files.missing > 0 { words += " Listed files that are not there: \(files.missing)." }
        if files.elsewhere > 0 { words += " Not looked for, since they are listed under names: \(files.elsewhere)." }
        if files.unsettled > 0 {
            words +=
                " Interrupted while they were written, so that the one before would be taken too: "
                + "\(files.unsettled); write them again, or run mainkey files add."
        }
        return words
    }

    private struct Verified: Encodable {
        var verified = true
        var items: Int
        var tokens: Int
        /// How many of the items that the vault lists are missing: removing one takes no key.
        var missing: Int
        var files: ListedFilesJSON
    }
}

/// What a comparison of the listed files has found.
private struct ListedFilesJSON: Encodable {
    var compared: Int
    var missing: Int
    var elsewhere: Int
    var unsettled: Int

    init(_ check: ListedFilesCheck) {
        (compared, missing) = (check.compared, check.missing)
        (elsewhere, unsettled) = (check.elsewhere, check.unsettled)
    }
}
