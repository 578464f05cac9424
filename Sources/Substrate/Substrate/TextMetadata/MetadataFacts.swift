/// What metadata of every format version says of its runtime (`signer-wire` section 4.5).
public protocol MetadataFacts: Sendable {
    /// The blob, beginning with `meta`.
    var blob: [UInt8] { get }
    var formatVersion: UInt8 { get }
    var version: RuntimeVersion { get }
    /// The address prefix that the runtime states, if it states one.
    var base58Prefix: UInt16? { get }
}

extension MetadataFacts {
    /// The name of the runtime.
    public var specName: String { version.specName }
    /// Grows with each runtime upgrade.
    public var specVersion: UInt32 { version.specVersion }

    /// blake2_256 of the blob: its name for people. Computed at each call.
    package var blobHash: Hash256 { Blake2b.hash256(blob) }

    /// Throws ``MetadataError/base58PrefixSpecsMismatch(metadata:specs:)`` if the runtime states another prefix.
    package func checkPrefix(of specs: NetworkSpecs) throws(MetadataError) {
        guard let base58Prefix, base58Prefix != specs.base58Prefix else { return }
        throw .base58PrefixSpecsMismatch(metadata: base58Prefix, specs: specs.base58Prefix)
    }
}
