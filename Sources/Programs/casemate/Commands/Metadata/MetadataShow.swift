import ArgumentParser
import Console
import SignerCore
import Substrate
import TextForms

extension Metadata {
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Say what metadata are of, and what transactions look like in them.",
            discussion: """
                Lists the pallets with the numbers of their calls, and the extensions in the order in which a \
                transaction carries them. The hash is what people compare before they trust an update; the metadata \
                hash, which chains check, is what 'metadata digest' gives.
                """)

        @OptionGroup var file: MetadataFile
        @OptionGroup var output: OutputOptions

        func run() throws {
            let blob = try file.blob()
            let shown = MetadataSummary(try file.named { try ChainMetadata(blob) })
            try output.show(shown, text: text(shown))
        }

        private func text(_ shown: MetadataSummary) -> String {
            var lines = [
                "\(ScreenText.escape(shown.name))\(shown.version)",
                "  format version       \(shown.formatVersion)",
                "  transaction version  \(shown.transactionVersion)",
                "  address prefix       \(shown.prefix.map { "\($0)" } ?? "not stated")",
                "  size                 \(shown.bytes) bytes\(shown.types.map { ", \($0) types" } ?? "")",
                "  hash                 \(shown.hash)",
                "  extensions           \(shown.extensions.map { ScreenText.escape($0) }.joined(separator: ", "))",
            ]
            if shown.extensionsIncomplete {
                lines.append(
                    Style.output.warning(
                        "  warning              extensions are missing that a transaction's safety rests on"))
            }
            lines.append("")
            lines.append(
                Table.text(
                    ["INDEX", "PALLET", "CALLS"],
                    shown.pallets.map { ["\($0.index)", $0.name, $0.calls.map { "\($0)" } ?? "-"] }))
            return lines.joined(separator: "\n")
        }
    }
}
