import Substrate
import TextForms

/// Files of metadata and proofs that are looked at.
package struct MetadataFilesData: Sendable, Encodable {
    /// What the metadata are of; nil where none are open.
    package var metadata: MetadataSummary?
    /// Their metadata hash; nil where it cannot be made.
    package var hash: MetadataHash?
    /// Why it cannot be made.
    package var hashProblem: CoreFailure?
    /// A proof that was verified; nil where none is open.
    package var proof: CheckedProof?

    init(_ files: MetadataFiles) {
        metadata = files.opened.map { MetadataSummary($0.metadata) }
        hash = files.opened?.hash
        hashProblem = files.opened?.problem.map { CoreFailure($0) }
        proof = files.proof
    }
}

/// A file that was made of metadata.
package struct MadeFileData: Sendable {
    /// What it is.
    package enum Kind: Sendable {
        /// A proof.
        case proof(MadeProof)
        /// Metadata without documentation texts: bytes before, and the hash in hex.
        case lean(before: Int, hash: String)
    }

    /// What it is.
    package var kind: Kind
    /// What it holds.
    package var content: [UInt8]
    /// The payload that goes with it, as a signer scans it; nil where there is none.
    package var payload: [UInt8]?

    /// The payload as codes.
    package var code: CodeData? { payload.map { CodeData(moving: $0) } }
}

extension MadeFileData: Encodable {
    private enum Key: String, CodingKey { case kind, proof, before, hash, content, payload }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch kind {
        case .proof(let proof):
            try container.encode("proof", forKey: .kind)
            try container.encode(proof, forKey: .proof)
        case .lean(let before, let hash):
            try container.encode("lean", forKey: .kind)
            try container.encode(before, forKey: .before)
            try container.encode(hash, forKey: .hash)
            try container.encode(Hex.encode(content), forKey: .content)
        }
        try container.encodeIfPresent(payload.map { Hex.encode($0) }, forKey: .payload)
    }
}
