import Airgap
import ArgumentParser
import Console
import Files
import SignerCore
import Substrate
import TextForms

extension Metadata {
    struct Prove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "prove",
            abstract: "Cut the proof for one transaction out of metadata (RFC-0078).",
            discussion: """
                The proof describes the types that the transaction uses, and nothing else, so that a signer without \
                metadata can show it. Takes the transaction as a payload (--hex, --file, --qr or standard input), or \
                as --call with --extensions. --out writes the proof alone; --payload-out writes the payload with the \
                proof inside, ready for a signer.
                """)

        @OptionGroup var metadata: MetadataFile
        @OptionGroup var info: ExtraInfoOptions
        @OptionGroup var payload: PayloadOptions

        @Option(help: ArgumentHelp("The call as hex, without its length, in place of a payload.", valueName: "hex"))
        var call: String?

        @Option(
            help: ArgumentHelp(
                "With --call: what extensions add to the transaction, then what they add to the signed bytes.",
                valueName: "hex"))
        var extensions: String?

        @Flag(help: "Describe every form of address and signature as well, as some wallets do.")
        var allSigners = false

        @Option(help: ArgumentHelp("Where the proof goes.", valueName: "file"), completion: .file())
        var out: String?

        @Option(help: ArgumentHelp("Where the payload with the proof goes.", valueName: "file"), completion: .file())
        var payloadOut: String?

        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard (call == nil) == (extensions == nil) else {
                throw ValidationError("--call and --extensions belong together.")
            }
            guard call == nil || payloadOut == nil else {
                throw ValidationError("--payload-out needs a payload in place of --call.")
            }
            guard out != nil || payloadOut != nil || output.json else {
                throw ValidationError("Say where the proof goes: --out or --payload-out, or print it with --json.")
            }
        }

        func run() throws {
            let runtime = try metadata.runtimeMetadata()
            let extraInfo = try info.extraInfo(runtime)
            let tree = try metadata.named { try MerkleizedMetadata(runtime) }
            let transaction = try transaction()
            let proof = try metadata.named {
                try tree.proof(
                    call: transaction.call, extensions: transaction.extensions, extraInfo: extraInfo,
                    includingAllSigners: allSigners)
            }
            if let out { try PreparedFile.replace(FilePath(out), with: proof) }
            if let payloadOut, let payload = transaction.payload {
                try PreparedFile.replace(FilePath(payloadOut), with: payload.adding(proof: proof))
            }
            let result = try MadeProof(proof)
            let files = [out, payloadOut].compactMap { $0 }.joined(separator: " and ")
            try output.show(
                result,
                text: """
                    Proof of \(result.bytes) bytes, \(result.leaves) leaves and \(result.nodes) nodes, written to \(files)
                      metadata hash  \(result.hash)
                    """)
        }

        private func transaction() throws -> (call: [UInt8], extensions: [UInt8], payload: TransactionPayload?) {
            if let call, let extensions {
                guard let call = Hex.decode(call), let extensions = Hex.decode(extensions) else { throw Failure.notHex }
                return (call, extensions, nil)
            }
            guard case .transaction(let transaction) = try Payload(payload.read()) else {
                throw Failure.notATransaction
            }
            guard let parts = transaction.parts() else { throw DecodingError.separateMethodExtensions }
            return (
                Array(transaction.bytes[parts.call]), Array(transaction.bytes[parts.extensions]), transaction
            )
        }
    }
}
