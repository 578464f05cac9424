import SCALE
import Signer
import Substrate

extension FuzzTarget {
    private static let victim: ForgedProof.Victim? = {
        guard let network = try? NetworkBundle.shipped().networks.first(where: { $0.specs.name == "statemint" }),
            let blob = network.metadata.first, let metadata = try? RuntimeMetadata(blob)
        else { return nil }
        return try? ForgedProof.Victim(metadata: metadata, network: network.specs)
    }()

    /// Proofs that are made up around the bytes of a true transaction: what a proof shows is what true metadata show,
    /// or it is refused. The first eight bytes are the wallet's choices; each three behind them change a byte of proof
    /// or transaction.
    static let forgedProof = FuzzTarget(
        name: "forged-proof",
        seeds: [
            [UInt8](repeating: 0, count: 8), [0, 0, 0, 0, 9, 0, 0, 0], [1, 0, 1, 3, 9, 1, 1, 0],
            [2, 1, 0, 5, 9, 0, 2, 1],
        ]
    ) { bytes in
        guard let victim, var forged = try? ForgedProof(ForgedProof.Script(bytes.prefix(8)), against: victim) else {
            return
        }
        forged.change(bytes.dropFirst(8))
        precondition(!isDeceived(victim, by: forged), "a forged proof was taken")
    }

    /// Also as if the hash that is signed were the one that the proof amounts to: no fuzzer finds a hash.
    private static func isDeceived(_ victim: ForgedProof.Victim, by forged: ForgedProof) -> Bool {
        guard let proof = try? MetadataProof(forged.proof) else { return false }
        let decoder = ProofTransactionDecoder(proof: proof, network: victim.network)
        func decode(_ signable: [UInt8]) -> ProofTransactionDecoder.Decoded {
            decoder.decode(
                signable, call: 0..<forged.callLength, extensions: forged.callLength..<signable.count,
                genesis: victim.network.genesisHash)
        }
        var signable = forged.signable
        var decoded = decode(signable)
        if case .metadataHashMismatch(let signed, let computed)? = decoded.error {
            while let place = signable.firstRange(of: signed.bytes) {
                signable.replaceSubrange(place, with: computed.bytes)
            }
            decoded = decode(signable)
        }
        return victim.isDeceived(by: decoded, signable: signable)
    }
}
