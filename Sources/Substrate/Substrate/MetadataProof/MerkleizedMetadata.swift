import SCALE

/// Runtime metadata as the Merkle tree of RFC-0078: what a chain's metadata hash is made of, and what proofs are cut
/// from.
///
///     let tree = try MerkleizedMetadata(metadata)
///     let hash = tree.digest(extraInfo).hash
///     let proof = try tree.proof(call: call, extensions: extensions, extraInfo: extraInfo)
///
/// Chains compute their hash from metadata 15. Metadata 16 describes the same types; metadata 14 may number them
/// otherwise, and then gives another hash. Source: `signer-wire` sections 10.3 and 10.4, `substrate-crypto` section 13.
public struct MerkleizedMetadata: Sendable {
    package let leafCount: Int
    /// The root of the tree of types.
    public let typesTreeRoot: Hash256
    /// The encoded `ExtrinsicMetadata`.
    package let extrinsicMetadata: [UInt8]
    package let extrinsicMetadataHash: Hash256

    let metadata: RuntimeMetadata
    let types: MerkleizedTypes
    let tree: MerkleTree
    let leaves: [LeafWriter.Leaf]
    private let leafBytes: [UInt8]

    /// The version of signed transactions.
    static let transactionVersion: UInt8 = 4

    /// Makes the tree of a chain's types.
    public init(_ metadata: RuntimeMetadata) throws(MerkleizationError) {
        guard let address = metadata.addressType, let call = metadata.outerCallType,
            let signature = metadata.signatureType
        else { throw .extrinsicTypesUnknown }
        let roots = [address, call, signature] + metadata.extensions.flatMap { [$0.type, $0.additionalSigned] }
        let types = try MerkleizedTypes(metadata, roots: roots)
        var writer = LeafWriter(metadata, types)
        try writer.write()
        let leafBytes = writer.bytes
        let leaves = writer.leaves
        tree = leafBytes.withUnsafeBytes { bytes in
            MerkleTree(leafHashes: leaves.map { Blake3.hash(UnsafeRawBufferPointer(rebasing: bytes[$0.range])) })
        }
        self.metadata = metadata
        self.types = types
        self.leaves = leaves
        self.leafBytes = leafBytes
        leafCount = leaves.count
        typesTreeRoot = tree.root
        extrinsicMetadata = try Self.extrinsicMetadata(
            metadata, types, address: address, call: call, signature: signature)
        extrinsicMetadataHash = Blake3.hash(extrinsicMetadata)
    }

    private static func extrinsicMetadata(
        _ metadata: RuntimeMetadata, _ types: MerkleizedTypes, address: UInt32, call: UInt32, signature: UInt32
    ) throws(MerkleizationError) -> [UInt8] {
        var encoder = ScaleEncoder()
        encoder.integer(transactionVersion)
        for part in [address, call, signature] { try types.reference(to: part).encode(to: &encoder) }
        encoder.compact(metadata.extensions.count)
        for item in metadata.extensions {
            encoder.string(item.identifier)
            try types.reference(to: item.type).encode(to: &encoder)
            try types.reference(to: item.additionalSigned).encode(to: &encoder)
        }
        return encoder.bytes
    }

    /// What the chain's metadata hash is made of, for what a chain says of itself beside its types.
    public func digest(_ extraInfo: MetadataExtraInfo) -> MetadataDigest {
        MetadataDigest(
            typesTreeRoot: typesTreeRoot, extrinsicMetadataHash: extrinsicMetadataHash, extraInfo: extraInfo)
    }

    /// The encoded leaf at `position`.
    package func leaf(_ position: Int) -> ArraySlice<UInt8> { leafBytes[leaves[position].range] }
}
