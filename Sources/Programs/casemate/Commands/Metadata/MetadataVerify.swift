import Airgap
import ArgumentParser
import Console
import Foundation
import SCALE
import Substrate
import TextForms

extension Metadata {
    struct Verify: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify",
            abstract: "Verify a metadata proof: to its last leaf and node.",
            discussion: """
                Reads a proof alone, or the proof inside a payload. Prints the metadata hash that it amounts to, and compares it with
                --hash or with the hash of --metadata if one is given. A proof with leaves or nodes that have no place in the
                tree is refused: they would be forged.
                """)

        @Argument(
            help: "A file with a proof, or with a payload that holds one; as bytes or as hex.", completion: .file())
        var input: String

        @Option(help: ArgumentHelp("The metadata hash that the proof should amount to.", valueName: "hex"))
        var hash: String?

        @Option(
            help: ArgumentHelp("Metadata of the chain, to compare with their hash.", valueName: "file"),
            completion: .file())
        var metadata: String?

        @OptionGroup var output: OutputOptions

        func run() throws {
            let proof: MetadataProof
            let digest: MetadataDigest
            do {
                proof = try Self.proof(in: MetadataFile.contents(of: input))
                digest = try proof.digest()
            } catch let error as MetadataProofError {
                throw Failure.proofRefused(path: input, error)
            }
            if let hash {
                guard let wanted = Hex.decode(hash).flatMap({ Hash256($0) }) else { throw Failure.notADigest }
                try Self.compare(digest.hash, with: wanted)
            }
            if let metadata {
                let tree = try MerkleizedMetadata(RuntimeMetadata(MetadataFile.contents(of: metadata)))
                try Self.compare(digest.hash, with: tree.digest(proof.extraInfo).hash)
            }
            struct Result: Encodable {
                var hash: String
                var typesTreeRoot: String
                var bytes: Int
                var leaves: Int
                var nodes: Int
                var extensions: [String]
                var extraInfo: ExtraInfoJSON
                /// Whether there was a hash to compare with.
                var compared: Bool
            }
            let result = Result(
                hash: digest.hash.hex, typesTreeRoot: digest.typesTreeRoot.hex, bytes: proof.range.count,
                leaves: proof.leafCount, nodes: proof.nodeCount, extensions: proof.extensionIdentifiers,
                extraInfo: ExtraInfoJSON(proof.extraInfo), compared: hash != nil || metadata != nil)
            let verdict = result.compared ? "The proof is true of this chain." : "The proof hangs together."
            try output.show(
                result,
                text: """
                    \(Style.output.good(verdict))
                      metadata hash  \(result.hash)
                      of             \(result.extraInfo.text)
                      proof          \(result.bytes) bytes, \(result.leaves) leaves, \(result.nodes) nodes
                    """)
        }

        private static func compare(_ found: Hash256, with wanted: Hash256) throws {
            guard found == wanted else { throw Failure.metadataHashDiffers(found: found.hex, wanted: wanted.hex) }
        }

        /// A payload begins with 53 hex, which no proof does: it would announce a billion leaves.
        private static func proof(in bytes: [UInt8]) throws -> MetadataProof {
            let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            let bytes = Hex.decode(text) ?? bytes
            if case .transaction(let transaction)? = try? Payload(bytes), let proof = transaction.proof { return proof }
            return try MetadataProof(bytes)
        }
    }
}
