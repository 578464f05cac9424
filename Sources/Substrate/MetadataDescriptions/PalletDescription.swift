import Substrate

/// A pallet with all that metadata says of it.
package struct PalletDescription: Sendable {
    package let name: String
    package let storage: Storage?
    package let callsType: UInt32?
    package let eventType: UInt32?
    package let constants: [Constant]
    package let errorType: UInt32?
    /// Empty before metadata 16.
    package let associatedTypes: [AssociatedType]
    /// Empty before metadata 16.
    package let viewFunctions: [ViewFunction]
    package let index: UInt8
    /// nil in metadata 14.
    package let docs: FullMetadata.DocsRange?
    package let deprecation: Deprecation
    /// Deprecations of single calls, events and errors.
    package let variantDeprecations: VariantDeprecations

    package struct VariantDeprecations: Hashable, Sendable {
        package let calls: [VariantDeprecation]
        package let events: [VariantDeprecation]
        package let errors: [VariantDeprecation]
    }

    package struct AssociatedType: Hashable, Sendable {
        package let name: String
        package let type: UInt32
        package let docs: FullMetadata.DocsRange
    }

    /// A function that reads state, called by its id.
    package struct ViewFunction: Sendable {
        /// 32 bytes: twox-128 of the pallet's name, twox-128 of the signature.
        package let id: Hash256
        package let method: RuntimeAPIDescription.Method
    }

    package struct Storage: Sendable {
        package let prefix: String
        package let entries: [StorageEntry]
    }

    package struct StorageEntry: Sendable {
        package let name: String
        package let modifier: StorageModifier
        package let key: StorageKey?
        package let value: UInt32
        /// Where the default value stands in the blob.
        package let defaultValue: Range<Int>
        package let docs: FullMetadata.DocsRange
        package let deprecation: Deprecation
    }

    package enum StorageModifier: UInt8, Sendable {
        case optional, `default`
    }

    package struct StorageKey: Sendable {
        package let hashers: [StorageHasher]
        package let type: UInt32
    }

    package enum StorageHasher: UInt8, Sendable {
        case blake2x128, blake2x256, blake2x128Concat, twox128, twox256, twox64Concat, identity
    }

    package struct Constant: Sendable {
        package let name: String
        package let type: UInt32
        /// Where the value stands in the blob.
        package let value: Range<Int>
        package let docs: FullMetadata.DocsRange
        package let deprecation: Deprecation
    }
}

extension BlobCursor {
    mutating func pallet(
        version: UInt8, notIn earlier: inout PalletSelectors
    ) throws(MetadataFault) -> PalletDescription {
        let name = try name()
        let storage = try storage(version: version)
        let calls = try describedEnum(version: version)
        let events = try describedEnum(version: version)
        let constants = try list { cursor throws(MetadataFault) in
            PalletDescription.Constant(
                name: try cursor.name(), type: try cursor.typeID(), value: try cursor.text(),
                docs: try cursor.docs(), deprecation: try cursor.deprecation(version: version))
        }
        let errors = try describedEnum(version: version)
        return PalletDescription(
            name: name, storage: storage, callsType: calls.type, eventType: events.type, constants: constants,
            errorType: errors.type, associatedTypes: version < 16 ? [] : try associatedTypes(),
            viewFunctions: version < 16 ? [] : try viewFunctions(version: version),
            index: try palletIndex(of: name, notIn: &earlier),
            docs: version == 14 ? nil : try docs(), deprecation: try deprecation(version: version),
            variantDeprecations: PalletDescription.VariantDeprecations(
                calls: calls.deprecations, events: events.deprecations, errors: errors.deprecations))
    }

    private mutating func describedEnum(
        version: UInt8
    ) throws(MetadataFault) -> (type: UInt32?, deprecations: [VariantDeprecation]) {
        guard let type = try optionalType() else { return (nil, []) }
        guard version >= 16 else { return (type, []) }
        let deprecations = try list { cursor throws(MetadataFault) in
            VariantDeprecation(
                variantIndex: try cursor.byte(), deprecation: try cursor.deprecation(version: version))
        }
        return (type, deprecations)
    }

    private mutating func associatedTypes() throws(MetadataFault) -> [PalletDescription.AssociatedType] {
        try list { cursor throws(MetadataFault) in
            PalletDescription.AssociatedType(
                name: try cursor.name(), type: try cursor.typeID(), docs: try cursor.docs())
        }
    }

    private mutating func viewFunctions(version: UInt8) throws(MetadataFault) -> [PalletDescription.ViewFunction] {
        try list { cursor throws(MetadataFault) in
            let start = cursor.position
            try cursor.skip(Hash256.byteCount)
            let id = Hash256(unchecked: Array(cursor.bytes(start..<cursor.position)))
            return PalletDescription.ViewFunction(id: id, method: try cursor.method(version: version))
        }
    }

    private mutating func storage(version: UInt8) throws(MetadataFault) -> PalletDescription.Storage? {
        guard try isPresent() else { return nil }
        return PalletDescription.Storage(
            prefix: try name(),
            entries: try list { cursor throws(MetadataFault) in try cursor.storageEntry(version: version) })
    }

    private mutating func storageEntry(version: UInt8) throws(MetadataFault) -> PalletDescription.StorageEntry {
        let name = try name()
        let modifier: PalletDescription.StorageModifier =
            try checkIndex(below: 2, kind: "storage modifier") == 0 ? .optional : .default
        let key = try storageIsMap() ? try storageKey() : nil
        return PalletDescription.StorageEntry(
            name: name, modifier: modifier, key: key, value: try typeID(), defaultValue: try text(), docs: try docs(),
            deprecation: try deprecation(version: version))
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
