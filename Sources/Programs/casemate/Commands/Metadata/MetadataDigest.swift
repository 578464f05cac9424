import ArgumentParser
import Console
import SignerCore
import Substrate

extension Metadata {
    struct Digest: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "digest",
            abstract: "Compute the metadata hash that a chain checks (RFC-0078).",
            discussion: """
                The hash that the extension CheckMetadataHash adds to what is signed: it covers every type that a \
                transaction can hold, the extensions, the version, the address prefix and the token. Chains compute it \
                from metadata of version 15; version 16 describes the same types. Version 14 may number its types \
                otherwise and then gives another hash.
                """)

        @OptionGroup var file: MetadataFile
        @OptionGroup var info: ExtraInfoOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let metadata = try file.runtimeMetadata()
            let tree = try file.named { try MerkleizedMetadata(metadata) }
            let result = MetadataHash(metadata, tree, extraInfo: try info.extraInfo(metadata))
            let doubt = result.isDoubtful ? "\n" + Style.output.warning("  warning     " + MetadataHash.doubt) : ""
            try output.show(
                result,
                text: """
                    \(result.hash)
                      of          \(result.extraInfo.text)
                      types       \(result.leaves) leaves, root \(result.typesTreeRoot)
                      extrinsic   \(result.extrinsicMetadataHash)
                    """ + doubt)
        }
    }
}
