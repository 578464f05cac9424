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
                compares it with --hash or with the hash of --metadata if one is given. That hash says decimals and \
                unit of the token too, which no metadata state: they are those of the options, or of the vault's \
                network with the name; where nothing says them, only the types are compared. A proof with leaves or \
                nodes that have no place in the tree is refused: they would be forged.
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

        @OptionGroup var info: ExtraInfoOptions
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
                    try result.compare(
                        with: runtime, MerkleizedMetadata(runtime), knowing: info.knownExtraInfo(runtime))
                }
            } catch let difference as CheckedProof.Difference {
                throw Failure.metadataHashDiffers(found: difference.found, wanted: difference.wanted)
            }
            try output.show(
                result,
                text: """
                    \(verdict(on: result))
                      metadata hash  \(result.hash)
                      of             \(result.extraInfo.text)
                      proof          \(result.bytes) bytes, \(result.leaves) leaves, \(result.nodes) nodes
                    """)
        }

        private func verdict(on proof: CheckedProof) -> String {
            if proof.comparedGiven { return Style.output.good("The proof is true of the hash that you gave.") }
            if proof.compared { return Style.output.good("The proof is true of these metadata.") }
            if proof.comparedTypes {
                return "The proof's types are those of the metadata. Its decimals and unit are its own word: say them "
                    + "with --decimals and --unit, or compare with --hash."
            }
            return Style.output.good("The proof hangs together.")
        }
    }
}
