import ArgumentParser
import Console
import SignerCore
import Substrate
import TextForms

extension Metadata {
    struct Verify: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify",
            abstract: "Verify a metadata proof: to its last leaf and node.",
            discussion: """
                Reads a proof alone, or the proof inside a payload. Prints the metadata hash that it amounts to, and \
                compares it with --hash or with the hash of --metadata if one is given. A proof with leaves or nodes \
                that have no place in the tree is refused: they would be forged.
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
            var result: CheckedProof
            do { result = try CheckedProof(in: MetadataFile.contents(of: input)) } catch let error as MetadataProofError
            {
                throw Failure.proofRefused(path: input, error)
            }
            do {
                if let hash {
                    guard let wanted = Hex.decode(hash).flatMap({ Hash256($0) }) else { throw Failure.notADigest }
                    try result.compare(with: wanted)
                }
                if let metadata {
                    let runtime = try RuntimeMetadata(MetadataFile.contents(of: metadata))
                    try result.compare(with: MerkleizedMetadata(runtime))
                }
            } catch let difference as CheckedProof.Difference {
                throw Failure.metadataHashDiffers(found: difference.found, wanted: difference.wanted)
            }
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
    }
}
