import Substrate

/// What metadata says of transactions.
package struct ExtrinsicDescription: Sendable {
    /// Transaction versions that the runtime takes; one before metadata 16.
    package let versions: [UInt8]
    /// The type of a whole extrinsic: metadata 14 only.
    package let type: UInt32?
    /// The types of the parts; nil before metadata 15.
    package let parts: Parts?
    /// The extensions of signed transactions, in their order.
    package let extensions: [RuntimeMetadata.TransactionExtension]
    /// The extensions among ``allExtensions`` that each extension version has: metadata 16 only.
    package let extensionSets: [ExtensionSet]
    /// Every extension that any version has; up to metadata 15 the same as ``extensions``.
    package let allExtensions: [RuntimeMetadata.TransactionExtension]

    /// The types of an extrinsic's parts.
    package struct Parts: Hashable, Sendable {
        package let address: UInt32
        package let call: UInt32
        package let signature: UInt32
        /// Metadata 15 only.
        package let extra: UInt32?
    }
}

/// A runtime API with its methods, as metadata V15 and later list them.
package struct RuntimeAPIDescription: Sendable {
    package let name: String
    package let methods: [Method]
    package let docs: FullMetadata.DocsRange
    /// nil before metadata 16.
    package let version: UInt32?
    package let deprecation: Deprecation

    package struct Method: Sendable {
        package let name: String
        package let inputs: [Input]
        package let output: UInt32
        package let docs: FullMetadata.DocsRange
        package let deprecation: Deprecation
    }

    package struct Input: Hashable, Sendable {
        package let name: String
        package let type: UInt32
    }
}

extension BlobCursor {
    mutating func extrinsic(version: UInt8) throws(MetadataFault) -> ExtrinsicDescription {
        switch version {
        case 14: try extrinsic14()
        case 15: try extrinsic15()
        default: try extrinsic16()
        }
    }

    private mutating func extrinsic14() throws(MetadataFault) -> ExtrinsicDescription {
        let type = try typeID()
        return described(versions: [try byte()], type: type, parts: nil, extensions: try extensions())
    }

    private mutating func extrinsic15() throws(MetadataFault) -> ExtrinsicDescription {
        let version = try byte()
        let parts = ExtrinsicDescription.Parts(
            address: try typeID(), call: try typeID(), signature: try typeID(), extra: try typeID())
        return described(versions: [version], type: nil, parts: parts, extensions: try extensions())
    }

    private mutating func extrinsic16() throws(MetadataFault) -> ExtrinsicDescription {
        let versions = Array(bytes(try text()))
        let parts = ExtrinsicDescription.Parts(
            address: try typeID(), call: try typeID(), signature: try typeID(), extra: nil)
        let sets = try extensionSets()
        let offset = position
        let all = try extensions()
        return ExtrinsicDescription(
            versions: versions, type: nil, parts: parts,
            extensions: try Self.pick(all, by: sets, offset: offset), extensionSets: sets, allExtensions: all)
    }

    private func described(
        versions: [UInt8], type: UInt32?, parts: ExtrinsicDescription.Parts?,
        extensions: [RuntimeMetadata.TransactionExtension]
    ) -> ExtrinsicDescription {
        ExtrinsicDescription(
            versions: versions, type: type, parts: parts, extensions: extensions, extensionSets: [],
            allExtensions: extensions)
    }

    mutating func api(version: UInt8) throws(MetadataFault) -> RuntimeAPIDescription {
        RuntimeAPIDescription(
            name: try name(),
            methods: try list { cursor throws(MetadataFault) in try cursor.method(version: version) },
            docs: try docs(), version: version < 16 ? nil : try typeID(),
            deprecation: try deprecation(version: version))
    }

    mutating func method(version: UInt8) throws(MetadataFault) -> RuntimeAPIDescription.Method {
        RuntimeAPIDescription.Method(
            name: try name(),
            inputs: try list { cursor throws(MetadataFault) in
                RuntimeAPIDescription.Input(name: try cursor.name(), type: try cursor.typeID())
            },
            output: try typeID(), docs: try docs(), deprecation: try deprecation(version: version))
    }
}
