/// A pallet with all that metadata says of it.
public struct PalletDescription: Sendable {
    public let name: String
    public let storage: Storage?
    public let callsType: UInt32?
    public let eventType: UInt32?
    public let constants: [Constant]
    public let errorType: UInt32?
    public let index: UInt8
    /// nil in metadata 14.
    public let docs: FullMetadata.DocsRange?

    public struct Storage: Sendable {
        public let prefix: String
        public let entries: [StorageEntry]
    }

    public struct StorageEntry: Sendable {
        public let name: String
        public let modifier: StorageModifier
        public let key: StorageKey?
        public let value: UInt32
        /// Where the default value stands in the blob.
        public let defaultValue: Range<Int>
        public let docs: FullMetadata.DocsRange
    }

    public enum StorageModifier: UInt8, Sendable {
        case optional, `default`
    }

    public struct StorageKey: Sendable {
        public let hashers: [StorageHasher]
        public let type: UInt32
    }

    public enum StorageHasher: UInt8, Sendable {
        case blake2x128, blake2x256, blake2x128Concat, twox128, twox256, twox64Concat, identity
    }

    public struct Constant: Sendable {
        public let name: String
        public let type: UInt32
        /// Where the value stands in the blob.
        public let value: Range<Int>
        public let docs: FullMetadata.DocsRange
    }
}

extension BlobCursor {
    mutating func pallet(version: UInt8) throws(MetadataFault) -> PalletDescription {
        PalletDescription(
            name: try name(), storage: try storage(), callsType: try optionalType(), eventType: try optionalType(),
            constants: try list { cursor throws(MetadataFault) in
                PalletDescription.Constant(
                    name: try cursor.name(), type: try cursor.typeID(), value: try cursor.text(),
                    docs: try cursor.docs())
            },
            errorType: try optionalType(), index: try byte(), docs: version == 14 ? nil : try docs())
    }

    private mutating func storage() throws(MetadataFault) -> PalletDescription.Storage? {
        guard try isPresent() else { return nil }
        return PalletDescription.Storage(
            prefix: try name(), entries: try list { cursor throws(MetadataFault) in try cursor.storageEntry() })
    }

    private mutating func storageEntry() throws(MetadataFault) -> PalletDescription.StorageEntry {
        let name = try name()
        let modifier: PalletDescription.StorageModifier =
            try checkIndex(below: 2, kind: "storage modifier") == 0 ? .optional : .default
        let key = try storageIsMap() ? try storageKey() : nil
        return PalletDescription.StorageEntry(
            name: name, modifier: modifier, key: key, value: try typeID(), defaultValue: try text(), docs: try docs())
    }

    private mutating func storageKey() throws(MetadataFault) -> PalletDescription.StorageKey {
        let hashers = try list { cursor throws(MetadataFault) in
            let tag = try cursor.byte()
            guard let hasher = PalletDescription.StorageHasher(rawValue: tag) else {
                throw MetadataFault.unknownIndex(offset: cursor.position - 1, kind: "storage hasher", found: tag)
            }
            return hasher
        }
        return PalletDescription.StorageKey(hashers: hashers, type: try typeID())
    }
}
