import SCALE
import Substrate

/// A transaction to sign: call and extensions, as they stand in the payload.
public struct TransactionPayload: Equatable, Sendable {
    /// Who is to sign.
    public let author: PayloadAuthor
    /// The payload as it came, from its first byte (0x53) on.
    public let bytes: [UInt8]
    /// The genesis of its network.
    public let genesisHash: Hash256
    /// Describes the transaction in place of stored metadata.
    public let proof: MetadataProof?
    /// Call with its length, and extensions: everything between author, or proof, and genesis.
    package let body: Range<Int>

    init(author: PayloadAuthor, bytes: [UInt8], body: Range<Int>) throws(PayloadError) {
        try self.init(author: author, bytes: bytes, proof: nil, body: body)
    }

    /// Reads a proof, and behind its last byte the body.
    init(provenBy author: PayloadAuthor, bytes: [UInt8], body: Range<Int>) throws(PayloadError) {
        var decoder = ScaleDecoder(bytes, in: body)
        let proof: MetadataProof
        do throws(MetadataProofError) { proof = try MetadataProof(from: &decoder) } catch {
            throw .malformedProof(error)
        }
        try self.init(author: author, bytes: bytes, proof: proof, body: proof.range.upperBound..<body.upperBound)
    }

    private init(
        author: PayloadAuthor, bytes: [UInt8], proof: MetadataProof?, body: Range<Int>
    ) throws(PayloadError) {
        let content = try Payload.withoutGenesis(bytes, body)
        self.author = author
        self.bytes = bytes
        self.proof = proof
        self.body = content.range
        genesisHash = content.genesisHash
    }

    /// Its network, for keys of the author's scheme.
    public var networkKey: NetworkKey { NetworkKey(scheme: author.scheme, genesisHash: genesisHash) }

    /// The payload with a metadata proof in it, in place of any it has.
    package func adding(proof: [UInt8]) -> [UInt8] {
        let isDynamic = if case .derived = author { true } else { false }
        let kind: PayloadKind = isDynamic ? .dynamicTransactionWithProof : .transactionWithProof
        let front = bytes[..<(self.proof?.range.lowerBound ?? body.lowerBound)]
        return Array(front[..<2]) + [kind.rawValue] + Array(front[Payload.headByteCount...]) + proof
            + Array(bytes[body.lowerBound...])
    }

    /// Where the call and the extensions stand in ``bytes``.
    ///
    /// - Returns: nil if the length in front of the call is malformed or beyond the end (`SeparateMethodExtensions`).
    public func parts() -> (call: Range<Int>, extensions: Range<Int>)? {
        var decoder = ScaleDecoder(bytes, in: body)
        guard let call = try? decoder.byteSequenceRange() else { return nil }
        return (call, call.upperBound..<body.upperBound)
    }
}
