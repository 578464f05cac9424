import ArgumentParser
import Console
import Substrate
import TextForms

extension Metadata {
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Say what metadata are of, and what transactions look like in them.",
            discussion: """
                Lists the pallets with the numbers of their calls, and the extensions in the order in which a transaction carries
                them. The hash is what people compare before they trust an update; the metadata hash, which chains check, is what
                'metadata digest' gives.
                """)

        @OptionGroup var file: MetadataFile
        @OptionGroup var output: OutputOptions

        struct PalletJSON: Encodable {
            var index: UInt8
            var name: String
            /// nil for a pallet without calls.
            var calls: Int?
        }

        struct Shown: Encodable {
            var name: String
            var version: UInt32
            var transactionVersion: UInt32
            var formatVersion: UInt8
            var prefix: UInt16?
            var hash: String
            var bytes: Int
            /// nil where types are text (format versions 12 and 13).
            var types: Int?
            var pallets: [PalletJSON]
            var extensions: [String]
            /// Whether extensions are missing that a transaction's safety rests on.
            var extensionsIncomplete: Bool

            init(_ metadata: ChainMetadata) {
                name = metadata.specName
                version = metadata.specVersion
                transactionVersion = metadata.version.transactionVersion
                formatVersion = metadata.formatVersion
                prefix = metadata.base58Prefix
                hash = metadata.blobHash.hex
                bytes = metadata.blob.count
                extensionsIncomplete = metadata.extensionsIncomplete
                switch metadata {
                case .registry(let metadata):
                    types = metadata.typeCount
                    pallets = metadata.pallets.map {
                        PalletJSON(index: $0.index, name: $0.name, calls: metadata.callCount(of: $0))
                    }
                    extensions = metadata.extensions.map(\.identifier)
                case .text(let metadata):
                    pallets = metadata.pallets.map { PalletJSON(index: $0.index, name: $0.name, calls: $0.callCount) }
                    extensions = metadata.extensions
                }
            }
        }

        func run() throws {
            let blob = try file.blob()
            let shown = Shown(try file.named { try ChainMetadata(blob) })
            try output.show(shown, text: text(shown))
        }

        private func text(_ shown: Shown) -> String {
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
