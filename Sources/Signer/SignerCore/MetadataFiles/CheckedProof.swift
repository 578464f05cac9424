import Airgap
import Substrate
import TextForms

/// A metadata proof that was verified to its last leaf and node.
package struct CheckedProof: Sendable, Encodable {
    /// The metadata hash that it amounts to, in hex.
    package var hash: String
    /// The root of the tree of types in hex.
    package var typesTreeRoot: String
    /// Bytes of the proof.
    package var bytes: Int
    /// Leaves in it.
    package var leaves: Int
    /// Nodes in it.
    package var nodes: Int
    /// The extensions that it describes.
    package var extensions: [String]
    /// What it says beside the types.
    package var extraInfo: MetadataHash.Token
    /// Whether it amounts to the metadata hash that it should.
    package var compared = false
    /// Whether that hash was given as such, and not computed of metadata.
    package var comparedGiven = false
    /// Whether its types are those of metadata, and nothing but the proof says decimals and unit.
    package var comparedTypes = false
    /// The metadata hash in hex that it should amount to and does not; nil where none is known.
    package var differs: String?

    /// What it says beside the types, as it goes into a hash.
    private let info: MetadataExtraInfo

    private enum CodingKeys: String, CodingKey {
        case hash, typesTreeRoot, bytes, leaves, nodes, extensions, extraInfo, compared, comparedGiven, comparedTypes
        case differs
    }

    /// Verifies a proof alone, or the one inside a payload, as bytes or as hex.
    ///
    /// - Throws: ``MetadataProofError``.
    package init(in content: [UInt8]) throws {
        let proof = try Self.proof(in: content)
        let digest = try proof.digest()
        hash = digest.hash.hex
        typesTreeRoot = digest.typesTreeRoot.hex
        (bytes, leaves, nodes) = (proof.range.count, proof.leafCount, proof.nodeCount)
        extensions = proof.extensionIdentifiers
        info = proof.extraInfo
        extraInfo = MetadataHash.Token(proof.extraInfo)
    }

    /// A payload begins with 53 hex, which no proof does: it would announce a billion leaves.
    private static func proof(in content: [UInt8]) throws -> MetadataProof {
        let bytes = PayloadText.bytes(ofContent: content) ?? content
        if case .transaction(let transaction)? = try? Payload(bytes), let proof = transaction.proof { return proof }
        return try MetadataProof(bytes)
    }

    /// Compares it with the metadata hash that a chain is said to have.
    ///
    /// - Throws: ``Difference``.
    package mutating func compare(with wanted: Hash256) throws(Difference) {
        try check(wanted)
        comparedGiven = true
    }

    /// One that it does not amount to takes back what was found before: somebody has reason to ask for another.
    private mutating func check(_ wanted: Hash256) throws(Difference) {
        guard wanted.hex == hash else {
            (compared, comparedGiven, comparedTypes, differs) = (false, false, false, wanted.hex)
            throw Difference(found: hash, wanted: wanted.hex)
        }
        (compared, differs) = (true, nil)
    }

    /// Compares it with metadata. A proof's own word of its token would agree with itself.
    ///
    /// - Parameters:
    ///   - tree: of the metadata.
    ///   - known: what goes into the hash beside the types; nil where nobody but the proof says decimals and unit.
    /// - Throws: ``Difference``.
    package mutating func compare(
        with metadata: RuntimeMetadata, _ tree: MerkleizedMetadata, knowing known: MetadataExtraInfo?
    ) throws(Difference) {
        if let known { return try check(tree.digest(known).hash) }
        let stated = MetadataExtraInfo(
            specVersion: metadata.specVersion, specName: metadata.specName,
            base58Prefix: metadata.base58Prefix ?? info.base58Prefix, decimals: info.decimals,
            tokenSymbol: info.tokenSymbol)
        let wanted = tree.digest(stated).hash.hex
        guard wanted == hash else { throw Difference(found: hash, wanted: wanted) }
        comparedTypes = true
    }

    /// The proof is of another chain, or of another version of it.
    package struct Difference: Error, Equatable {
        /// What it amounts to, in hex.
        package var found: String
        /// What it should amount to, in hex.
        package var wanted: String
    }
}

/// A proof that was cut out of metadata for one transaction.
package struct MadeProof: Sendable, Encodable {
    /// The metadata hash that it amounts to, in hex.
    package var hash: String
    /// Bytes of the proof.
    package var bytes: Int
    /// Leaves in it.
    package var leaves: Int
    /// Nodes in it.
    package var nodes: Int
    /// The proof itself in hex.
    package var proof: String

    /// Says it of an encoded proof.
    package init(_ proof: [UInt8]) throws {
        let read = try MetadataProof(proof)
        hash = try read.digest().hash.hex
        (bytes, leaves, nodes) = (proof.count, read.leafCount, read.nodeCount)
        self.proof = Hex.encode(proof)
    }
}
