/// Why runtime metadata cannot be made into a tree, or a transaction's part of it cannot be found.
public enum MerkleizationError: Error, Hashable, Sendable {
    /// Metadata 14 that does not tell the types of address, call and signature.
    case extrinsicTypesUnknown
    /// The metadata refers to a type that it does not hold.
    case typeNotResolved(type: UInt32)
    /// A compact holds several numbers, or something that is no unsigned number.
    case compactNotSimple(type: UInt32)
    /// There is more to be computed than any runtime's metadata ask for.
    case tooLarge
    /// The metadata stores bits in a type that cannot hold them.
    case notBitStoreType(type: UInt32)
    /// The metadata orders bits by a type that is no order.
    case notBitOrderType(type: UInt32)
    /// The transaction's bytes end, or go on, where the metadata say otherwise.
    case transactionDoesNotFit(offset: Int)
    /// There are more than ``MerkleizedMetadata/itemLimit`` values, or types inside each other beyond
    /// ``DecodingLimits/typeDepth``.
    case transactionTooLarge(offset: Int)
}

extension MerkleizationError: CustomStringConvertible {
    /// What happened, in plain words.
    public var description: String {
        switch self {
        case .extrinsicTypesUnknown:
            "the metadata do not tell the types of address, call and signature: take version 15 or 16"
        case .typeNotResolved(let type): "the metadata refer to type \(type), which they do not hold"
        case .compactNotSimple(let type): "type \(type) of the metadata is compact and not one unsigned number"
        case .tooLarge: "the metadata have more types inside each other than those of any runtime: do not trust them"
        case .notBitStoreType(let type): "type \(type) of the metadata cannot store bits"
        case .notBitOrderType(let type): "type \(type) of the metadata is not an order of bits"
        case .transactionDoesNotFit(let offset): "at byte \(offset): the transaction is not made by these metadata"
        case .transactionTooLarge(let offset): "at byte \(offset): the transaction holds too many values"
        }
    }
}
