/// What differs between two metadata in what transactions are made of: calls, extensions and all types that they hold.
///
///     for change in MetadataChanges(from: stored, to: offered).pallets { print(change.name, change.kind) }
///
/// Where nothing differs, both give the same cards for the same transaction, but for what documentation says.
public struct MetadataChanges: Hashable, Sendable {
    /// What became of a pallet.
    public enum Kind: Hashable, Sendable {
        /// It is new.
        case added
        /// It is gone.
        case removed
        /// Its number or some of its calls are others; these are the names of the calls.
        case changed(calls: [String])
    }

    /// A pallet that differs.
    public struct Pallet: Hashable, Sendable {
        /// The pallet's name.
        public var name: String
        /// What became of it.
        public var kind: Kind
    }

    /// The pallets that differ in names, numbers and arguments of their calls, by name.
    public let pallets: [Pallet]
    /// Identifiers of the transaction extensions that are others, or stand elsewhere.
    package let extensions: [String]
    /// Types with the same name that are others inside, as `sp_runtime::multiaddress::MultiAddress`.
    package let types: [String]

    /// Whether nothing differs.
    package var isEmpty: Bool { pallets.isEmpty && extensions.isEmpty && types.isEmpty }

    /// Compares all that transactions are read by.
    public init(from old: FullMetadata, to new: FullMetadata) {
        let comparison = TransactionComparison(from: old, to: new)
        (pallets, extensions, types) = (comparison.pallets, comparison.extensions, comparison.types)
    }
}
