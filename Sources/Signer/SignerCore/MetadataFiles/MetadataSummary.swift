import Substrate

/// What metadata are of, and what transactions look like in them.
package struct MetadataSummary: Sendable, Encodable {
    /// A pallet by its index, with how much it declares.
    package struct Pallet: Sendable, Encodable {
        /// The number by which calls name it.
        package var index: UInt8
        /// What stands before its calls, as `Balances`.
        package var name: String
        /// How many calls it has; nil for a pallet without calls.
        package var calls: Int?
    }

    /// The name of the runtime.
    package var name: String
    /// The version of that runtime, which upgrades of the chain raise.
    package var version: UInt32
    /// The version of its transactions.
    package var transactionVersion: UInt32
    /// The version of the metadata's own form.
    package var formatVersion: UInt8
    /// The prefix of addresses; nil where the metadata do not state it.
    package var prefix: UInt16?
    /// BLAKE2b-256 of the blob in hex.
    package var hash: String
    /// Bytes of the blob.
    package var bytes: Int
    /// How many types there are; nil where types are text (format versions 12 and 13).
    package var types: Int?
    /// Pallets in the order of the metadata.
    package var pallets: [Pallet]
    /// The extensions in the order in which a transaction carries them.
    package var extensions: [String]
    /// Whether extensions are missing that a transaction's safety rests on.
    package var extensionsIncomplete: Bool

    /// Says it of metadata.
    package init(_ metadata: ChainMetadata) {
        name = metadata.specName
        version = metadata.specVersion
        transactionVersion = metadata.version.transactionVersion
        formatVersion = metadata.formatVersion
        prefix = metadata.base58Prefix
        hash = metadata.blobHash.hex
        bytes = metadata.blob.count
        extensionsIncomplete = metadata.extensionsIncomplete
        switch metadata {
        case .registry(let metadata):
            types = metadata.typeCount
            pallets = metadata.pallets.map {
                Pallet(index: $0.index, name: $0.name, calls: metadata.callCount(of: $0))
            }
            extensions = metadata.extensions.map(\.identifier)
        case .text(let metadata):
            pallets = metadata.pallets.map { Pallet(index: $0.index, name: $0.name, calls: $0.callCount) }
            extensions = metadata.extensions
        }
    }
}
