/// What metadata says of transactions.
public struct ExtrinsicDescription: Sendable {
    public let version: UInt8
    /// The type of a whole extrinsic: metadata 14 only.
    public let type: UInt32?
    /// Metadata 15 only.
    public let parts: Parts?
    public let extensions: [RuntimeMetadata.TransactionExtension]

    /// The types of an extrinsic's parts.
    public struct Parts: Hashable, Sendable {
        public let address: UInt32
        public let call: UInt32
        public let signature: UInt32
        public let extra: UInt32
    }
}

/// A runtime API.
public struct RuntimeAPIDescription: Sendable {
    public let name: String
    public let methods: [Method]
    public let docs: FullMetadata.DocsRange

    public struct Method: Sendable {
        public let name: String
        public let inputs: [Input]
        public let output: UInt32
        public let docs: FullMetadata.DocsRange
    }

    public struct Input: Hashable, Sendable {
        public let name: String
        public let type: UInt32
    }
}

extension BlobCursor {
    mutating func extrinsic14() throws(MetadataFault) -> ExtrinsicDescription {
        let type = try typeID()
        return ExtrinsicDescription(version: try byte(), type: type, parts: nil, extensions: try extensions())
    }

    mutating func extrinsic15() throws(MetadataFault) -> ExtrinsicDescription {
        let version = try byte()
        let parts = ExtrinsicDescription.Parts(
            address: try typeID(), call: try typeID(), signature: try typeID(), extra: try typeID())
        return ExtrinsicDescription(version: version, type: nil, parts: parts, extensions: try extensions())
    }

    mutating func api() throws(MetadataFault) -> RuntimeAPIDescription {
        RuntimeAPIDescription(
            name: try name(),
            methods: try list { cursor throws(MetadataFault) in
                RuntimeAPIDescription.Method(
                    name: try cursor.name(),
                    inputs: try cursor.list { cursor throws(MetadataFault) in
                        RuntimeAPIDescription.Input(name: try cursor.name(), type: try cursor.typeID())
                    },
                    output: try cursor.typeID(), docs: try cursor.docs())
            },
            docs: try docs())
    }
}
