import SCALE

/// A metadata proof (RFC-0078): descriptions of the types that one transaction needs, with the nodes that tie them to
/// the metadata hash of the runtime.
///
///     var decoder = ScaleDecoder(payload, in: behindTheAuthor)
///     let proof = try MetadataProof(from: &decoder)
///     let digest = try proof.digest()
///
/// What a proof says is true of the chain only if its digest equals the hash that is signed: the chain refuses any
/// other.
/// Source: `signer-wire` section 10, `substrate-crypto` section 13.
public struct MetadataProof: Sendable {
    /// What the proof was read from; it stands at ``range``.
    let bytes: [UInt8]
    package let range: Range<Int>
    let leaves: [ProofLeaf]
    /// Place of each leaf among the tree's nodes, which are numbered from the root, 0, level by level.
    package let leafIndices: [UInt32]
    /// Where the hashes of 32 bytes stand.
    let nodes: Range<Int>
    let extrinsic: ProofExtrinsic
    /// What the chain tells of itself.
    public let extraInfo: MetadataExtraInfo

    /// Reads a proof, which need not end where the input ends. Says nothing yet of its truth.
    ///
    /// Looks at no more than ``MetadataProofLimits/byteCount`` bytes, so a longer proof ends too early.
    package init(from outer: inout ScaleDecoder) throws(MetadataProofError) {
        bytes = outer.bytes
        let start = outer.position
        let window = start..<start + min(outer.remaining, MetadataProofLimits.byteCount)
        var decoder = ScaleDecoder(outer.bytes, in: window)
        leaves = try decoder.proofList(of: "leaves", limit: MetadataProofLimits.leaves) {
            (decoder) throws(MetadataProofError) in try ProofLeaf(from: &decoder)
        }
        let indexCount = try decoder.proofCount(
            of: "leaf indices", limit: MetadataProofLimits.leaves, minimumItemSize: 4)
        var indices: [UInt32] = []
        indices.reserveCapacity(indexCount)
        for _ in 0..<indexCount {
            indices.append(try decoder.forProof { (decoder) throws(ScaleError) in try decoder.uint32() })
        }
        leafIndices = indices
        let nodeCount = try decoder.proofCount(
            of: "nodes", limit: MetadataProofLimits.nodes(leaves: leaves.count), minimumItemSize: Hash256.byteCount)
        nodes = try decoder.forProof { (decoder) throws(ScaleError) in
            try decoder.range(nodeCount * Hash256.byteCount)
        }
        extrinsic = try ProofExtrinsic(from: &decoder)
        extraInfo = try decoder.forProof { (decoder) throws(ScaleError) in try MetadataExtraInfo(from: &decoder) }
        range = start..<decoder.position
        try outer.forProof { [range] (outer) throws(ScaleError) in try outer.skip(range.count) }
    }

    /// Reads bytes that are a proof and nothing else.
    public init(_ bytes: [UInt8]) throws(MetadataProofError) {
        var decoder = ScaleDecoder(bytes)
        try self.init(from: &decoder)
        try decoder.forProof { (decoder) throws(ScaleError) in try decoder.finish() }
    }

    package var leafCount: Int { leaves.count }
    package var nodeCount: Int { nodes.count / Hash256.byteCount }
    /// The bytes of each leaf.
    package var leafBytes: [ArraySlice<UInt8>] { leaves.map { bytes[$0.range] } }
    /// The hash of each node.
    package var nodeHashes: [[UInt8]] {
        stride(from: nodes.lowerBound, to: nodes.upperBound, by: Hash256.byteCount).map {
            Array(bytes[$0..<$0 + Hash256.byteCount])
        }
    }
    /// The identifiers of the extensions in the order in which their data follow a call.
    package var extensionIdentifiers: [String] { extrinsic.extensions.map(\.identifier) }

    /// What the proof amounts to: the metadata hash of every chain for which it is true.
    ///
    /// - Throws: ``MetadataProofError`` unless every leaf and every node has its place in the tree.
    public func digest() throws(MetadataProofError) -> MetadataDigest {
        MetadataDigest(
            typesTreeRoot: try typesTreeRoot(),
            extrinsicMetadataHash: bytes.withUnsafeBytes {
                Blake3.hash(UnsafeRawBufferPointer(rebasing: $0[extrinsic.range]))
            },
            extraInfo: extraInfo)
    }

    /// The texts of a leaf's path.
    func path(of leaf: ProofLeaf) -> [String] {
        bytes.withUnsafeBufferPointer { buffer in
            var cursor = BlobCursor(buffer, at: leaf.path.lowerBound)
            return cursor.strings()
        }
    }
}

extension MetadataProof: Equatable {
    /// Whether both are the same.
    public static func == (left: Self, right: Self) -> Bool {
        left.bytes[left.range] == right.bytes[right.range]
    }
}

/// What a proof says of transactions (`ExtrinsicMetadata`).
struct ProofExtrinsic: Sendable {
    /// The encoded form: what its hash is made of.
    let range: Range<Int>
    let version: UInt8
    let address: TypeReference
    let call: TypeReference
    let signature: TypeReference
    let extensions: [Extension]

    struct Extension: Sendable {
        let identifier: String
        let includedInExtrinsic: TypeReference
        let includedInSignedData: TypeReference
    }

    init(from decoder: inout ScaleDecoder) throws(MetadataProofError) {
        let start = decoder.position
        version = try decoder.forProof { (decoder) throws(ScaleError) in try decoder.uint8() }
        address = try TypeReference(from: &decoder)
        call = try TypeReference(from: &decoder)
        signature = try TypeReference(from: &decoder)
        extensions = try decoder.proofList(of: "extensions", limit: MetadataProofLimits.extensions) {
            (decoder) throws(MetadataProofError) in
            let identifier = try decoder.proofText()
            return Extension(
                identifier: String(decoding: decoder.bytes[identifier], as: UTF8.self),
                includedInExtrinsic: try TypeReference(from: &decoder),
                includedInSignedData: try TypeReference(from: &decoder))
        }
        range = start..<decoder.position
    }
}
