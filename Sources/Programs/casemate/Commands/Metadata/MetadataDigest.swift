import ArgumentParser
import Console
import Substrate

extension Metadata {
    struct Digest: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "digest",
            abstract: "Compute the metadata hash that a chain checks (RFC-0078).",
            discussion: """
                The hash that the extension CheckMetadataHash adds to what is signed: it covers every type that a transaction can
                hold, the extensions, the version, the address prefix and the token. Chains compute it from metadata of version
                15; version 16 describes the same types. Version 14 may number its types otherwise and then gives another hash.
                """)

        @OptionGroup var file: MetadataFile
        @OptionGroup var info: ExtraInfoOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let metadata = try file.runtimeMetadata()
            let tree = try file.named { try MerkleizedMetadata(metadata) }
            let extraInfo = try info.extraInfo(metadata)
            let digest = tree.digest(extraInfo)
            struct Result: Encodable {
                var hash: String
                var typesTreeRoot: String
                var extrinsicMetadataHash: String
                var leaves: Int
                var formatVersion: UInt8
                var extraInfo: ExtraInfoJSON
            }
            let result = Result(
                hash: digest.hash.hex, typesTreeRoot: digest.typesTreeRoot.hex,
                extrinsicMetadataHash: digest.extrinsicMetadataHash.hex, leaves: tree.leafCount,
                formatVersion: metadata.formatVersion, extraInfo: ExtraInfoJSON(extraInfo))
            let doubt = metadata.formatVersion == 14 ? "\n" + Style.output.warning(Self.doubt) : ""
            try output.show(
                result,
                text: """
                    \(result.hash)
                      of          \(result.extraInfo.text)
                      types       \(result.leaves) leaves, root \(result.typesTreeRoot)
                      extrinsic   \(result.extrinsicMetadataHash)
                    """ + doubt)
        }

        private static let doubt =
            "  warning     these are metadata 14; the chain's own hash comes from 15 and may be another"
    }
}
