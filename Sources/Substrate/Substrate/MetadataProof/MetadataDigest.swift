import SCALE

/// What a metadata hash says of a chain beside its types: how addresses and amounts are shown, and which version it is.
public struct MetadataExtraInfo: Hashable, Sendable {
    /// The version of the runtime.
    public var specVersion: UInt32
    /// The name of the runtime.
    public var specName: String
    /// The prefix of the chain's addresses.
    public var base58Prefix: UInt16
    /// The decimals of the chain's token.
    public var decimals: UInt8
    /// The unit of the chain's token.
    public var tokenSymbol: String

    /// Makes it of its parts.
    public init(specVersion: UInt32, specName: String, base58Prefix: UInt16, decimals: UInt8, tokenSymbol: String) {
        self.specVersion = specVersion
        self.specName = specName
        self.base58Prefix = base58Prefix
        self.decimals = decimals
        self.tokenSymbol = tokenSymbol
    }

    /// What metadata and the record of their network say together.
    ///
    /// - Parameter prefix: the runtime's constant, or the record's where the runtime states none.
    public init(_ metadata: RuntimeMetadata, _ network: NetworkSpecs) {
        self.init(
            specVersion: metadata.specVersion, specName: metadata.specName,
            base58Prefix: metadata.base58Prefix ?? network.base58Prefix, decimals: network.decimals,
            tokenSymbol: network.unit)
    }
}

extension MetadataExtraInfo: ScaleCodable {
    /// Reads the SCALE encoding.
    public init(from decoder: inout ScaleDecoder) throws(ScaleError) {
        specVersion = try decoder.uint32()
        specName = try decoder.string()
        base58Prefix = try decoder.uint16()
        decimals = try decoder.uint8()
        tokenSymbol = try decoder.string()
    }

    /// Appends the SCALE encoding.
    public func encode(to encoder: inout ScaleEncoder) {
        encoder.integer(specVersion)
        encoder.string(specName)
        encoder.integer(base58Prefix)
        encoder.integer(decimals)
        encoder.string(tokenSymbol)
    }
}

/// The parts of which a metadata hash is made (RFC-0078, `MetadataDigest::V1`).
public struct MetadataDigest: Hashable, Sendable {
    /// The root of the tree of types.
    package var typesTreeRoot: Hash256
    /// The hash of what metadata says of transactions.
    package var extrinsicMetadataHash: Hash256
    /// What the chain tells of itself.
    package var extraInfo: MetadataExtraInfo

    /// Makes it of its parts.
    package init(typesTreeRoot: Hash256, extrinsicMetadataHash: Hash256, extraInfo: MetadataExtraInfo) {
        self.typesTreeRoot = typesTreeRoot
        self.extrinsicMetadataHash = extrinsicMetadataHash
        self.extraInfo = extraInfo
    }

    /// The SCALE form, which begins with 01.
    public var encoded: [UInt8] {
        var encoder = ScaleEncoder()
        encoder.integer(UInt8(1))
        encoder.value(typesTreeRoot)
        encoder.value(extrinsicMetadataHash)
        encoder.value(extraInfo)
        return encoder.bytes
    }

    /// The metadata hash: what the extension `CheckMetadataHash` adds to the signed bytes.
    public var hash: Hash256 { Blake3.hash(encoded) }
}
