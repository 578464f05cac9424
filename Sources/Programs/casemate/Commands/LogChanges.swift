import ArgumentParser
import Console
import InstalledSigner
import Signer
import TextForms

extension Log {
    struct Comment: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "comment",
            abstract: "Write a note into the log.",
            discussion: "1 to 1,024 characters, line breaks among them. An empty note changes nothing.")

        @Argument(help: "The note.")
        var text: String

        @OptionGroup var output: OutputOptions
        @OptionGroup var vault: VaultFolderOptions
        @OptionGroup var unlock: UnlockOptions

        func run() throws {
            struct NotedJSON: Encodable {
                /// The number of the entry; nil where the note was empty.
                var order: Int?
            }
            let opened = try unlock.open(vault)
            try opened.addComment(text)
            let order = text.isEmpty ? nil : try opened.log().last?.order
            try output.show(
                NotedJSON(order: order), text: order.map { "Noted as entry \($0)." } ?? "Nothing to note.")
        }
    }

    struct Clear: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "clear",
            abstract: "Remove all entries of the log.",
            discussion: """
                The new log begins with the number of entries that were there and the digest of the old log, so that \
                what you noted of it ('casemate log verify') can still be compared. What was signed cannot be looked \
                up any more.
                """)

        @Flag(help: "Do not ask.")
        var yes = false

        @OptionGroup var output: OutputOptions
        @OptionGroup var vault: VaultFolderOptions
        @OptionGroup var unlock: UnlockOptions

        func run() throws {
            struct ClearedJSON: Encodable {
                var entries: Int
                var digest: String
            }
            let opened = try unlock.open(vault)
            let old = try opened.verifyLog()
            if !yes {
                try opened.whileWaiting {
                    try Question.confirm("Remove all \(old.count) entries of the log? They cannot be brought back.")
                }
            }
            try opened.clearLog()
            let digest = Hex.encode(old.digest)
            try output.show(
                ClearedJSON(entries: old.count, digest: digest),
                text: "Removed \(old.count) entries. Their digest was \(digest); the log has noted it.")
        }
    }
}
