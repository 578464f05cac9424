import ArgumentParser
import Console
import InstalledSigner
import Signer
import Substrate
import TextForms

struct Log: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "What happened in this vault.",
        subcommands: [Show.self, Verify.self, Comment.self, Clear.self])

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "List the log, newest first, or show one entry in full.",
            discussion: """
                With the number of an entry, what was signed is read again with the metadata that the vault has now. \
                Where the network or that version is gone, the entry says which; the rest of it is shown all the same.
                """)

        @Argument(help: "The number of an entry; without it, the entries are listed.")
        var order: String?

        @Option(help: "How many entries.")
        var count = 20

        @OptionGroup var output: OutputOptions
        @OptionGroup var vault: VaultFolderOptions
        @OptionGroup var unlock: UnlockOptions

        func run() throws {
            let opened = try unlock.open(vault, for: .read)
            if let order {
                let details = LogDetailsText(details: try opened.logDetails(order: order))
                return try output.show(details.json, text: details.paragraphs.text)
            }
            struct EventJSON: Encodable {
                var event: String
                var detail: String
                var danger: Bool
            }
            struct EntryJSON: Encodable {
                var order: Int
                var timestamp: String
                var events: [EventJSON]
            }
            let log = try opened.log()
            let entries = log.reversed().prefix(max(0, count)).map { logged in
                EntryJSON(
                    order: logged.order, timestamp: logged.entry.timestamp,
                    events: logged.entry.events.map {
                        EventJSON(event: $0.name, detail: $0.essence, danger: $0.isDangerous)
                    })
            }
            let lines = entries.flatMap { entry in
                entry.events.map { event -> Paragraph in
                    let time = entry.timestamp.prefix { $0 != "." }
                    return Paragraph([
                        .words("\(entry.order)  \(time)  "), .words(event.event, event.danger ? .danger : nil),
                        .words("  "), PieceText.title(event.detail),
                    ])
                }
            }
            let left = log.count - entries.count
            let older = left > 0 ? "\n\(left) older: casemate log show --count \(log.count)" : ""
            try output.show(entries, text: lines.text + older)
        }
    }

    struct Verify: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify",
            abstract: "Check that the log is the one that was written.",
            discussion: """
                Prints the digest of the whole log. Note it; --contains DIGEST proves later that the log has only \
                grown since, or since it was cleared with that digest. Exits with 15 if the log was changed or never \
                had it.
                """)

        @Option(help: "A digest noted before, 64 hex digits.")
        var contains: String?

        @OptionGroup var output: OutputOptions
        @OptionGroup var vault: VaultFolderOptions
        @OptionGroup var unlock: UnlockOptions

        func run() throws {
            let earlier = try contains.map(Vault.notedDigest)
            let opened = try unlock.open(vault, for: .read)
            let verdict = try earlier.map(opened.verifyLog(grownSince:)) ?? opened.verifyLog()
            let since =
                verdict.containsAt.map { "\nIt had the given digest at entry \($0) and has only grown since." }
                ?? verdict.clearedAt.map {
                    "\nIt had the given digest when it was cleared, with \($0) entries, and has only grown since."
                }
            struct VerdictJSON: Encodable {
                var entries: Int
                var digest: String
                var checksum: String
                var containsAt: Int?
                var clearedAt: Int?
            }
            try output.show(
                VerdictJSON(
                    entries: verdict.count, digest: Hex.encode(verdict.digest), checksum: verdict.checksum,
                    containsAt: verdict.containsAt, clearedAt: verdict.clearedAt),
                text: """
                    The log is whole: \(verdict.count) entries.
                    digest    \(Hex.encode(verdict.digest))
                    checksum  \(verdict.checksum)
                    """ + (since ?? ""))
        }
    }
}
