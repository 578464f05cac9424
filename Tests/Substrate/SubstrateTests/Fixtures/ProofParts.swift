import SCALE

@testable import Substrate

/// A metadata proof in pieces, to be put together again with something wrong in it.
struct ProofParts {
    var leaves: [[UInt8]]
    var indices: [UInt32]
    var nodes: [[UInt8]]
    var extrinsic: [UInt8]
    var extraInfo: MetadataExtraInfo

    init(_ bytes: [UInt8]) throws {
        let proof = try MetadataProof(bytes)
        leaves = proof.leaves.map { Array(bytes[$0.range]) }
        indices = proof.leafIndices
        nodes = stride(from: proof.nodes.lowerBound, to: proof.nodes.upperBound, by: Hash256.byteCount).map {
            Array(bytes[$0..<$0 + Hash256.byteCount])
        }
        extrinsic = Array(bytes[proof.extrinsic.range])
        extraInfo = proof.extraInfo
    }

    /// A proof that describes `leaves` and nothing of transactions.
    init(leaves: [[UInt8]], indices: [UInt32], nodes: [[UInt8]] = []) {
        self.leaves = leaves
        self.indices = indices
        self.nodes = nodes
        extrinsic = [4, 0x15, 0x15, 0x15, 0]
        extraInfo = ProofChain.extraInfo
    }

    var bytes: [UInt8] {
        var encoder = ScaleEncoder()
        encoder.sequence(leaves) { $0.raw($1) }
        encoder.sequence(indices) { $0.integer($1) }
        encoder.sequence(nodes) { $0.raw($1) }
        encoder.raw(extrinsic)
        encoder.value(extraInfo)
        return encoder.bytes
    }

    func digest() throws(MetadataProofError) -> MetadataDigest {
        try MetadataProof(bytes).digest()
    }
}
