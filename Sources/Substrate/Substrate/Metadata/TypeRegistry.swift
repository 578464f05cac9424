/// Types by id, as a place in the bytes that describe them and what their paths mark them as.
///
/// The bytes are those of runtime metadata, which describe every type, or made from the leaves of a metadata proof,
/// which describe the types and variants that one transaction needs.
struct TypeRegistry: Sendable {
    let blob: [UInt8]
    var types: TypeIndex
    /// The proof's ids of the types, by position, in a registry made from a proof; else nil.
    var proofIDs: [UInt32]?

    var isProof: Bool { proofIDs != nil }

    /// The id from which on, in a registry made from a proof, ids stand for types without a leaf.
    static let firstUndescribed: UInt32 = 1 << 29

    /// The error for a type, or a variant of it, that is not described.
    func missing(_ type: UInt32) -> DecodingError {
        guard let proofIDs else { return .typeNotResolved(type: type) }
        let isDescribed = Int(type) < proofIDs.count
        return .typeNotInProof(type: isDescribed ? proofIDs[Int(type)] : type &- Self.firstUndescribed)
    }
}
