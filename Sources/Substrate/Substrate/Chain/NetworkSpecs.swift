import SCALE

/// What the signer knows of a network: how its addresses look, how its token is counted, how it is named.
///
/// A record is identified by genesis and scheme together (``key``). Source: `signer-wire` section 7.1.
public struct NetworkSpecs: Hashable, Sendable {
    /// SS58 prefix of its addresses. May exceed what SS58 can express (a chain with Ethereum addresses).
    public var base58Prefix: UInt16
    /// `#rrggbb` text, for screens.
    public var color: String
    /// Decimal places of the native token.
    public var decimals: UInt8
    /// The signature scheme of its keys.
    public var scheme: SignatureScheme
    /// The hash of its first block.
    public var genesisHash: Hash256
    /// The name of its logo.
    public var logo: String
    /// The runtime's `specName`.
    public var name: String
    /// The derivation proposed for a new key, `//name`.
    public var pathID: String
    /// A second colour, as CSS text.
    public var secondaryColor: String
    /// What people see.
    public var title: String
    /// Symbol of the native token.
    public var unit: String

    /// Makes it of its parts.
    public init(
        base58Prefix: UInt16, color: String, decimals: UInt8, scheme: SignatureScheme, genesisHash: Hash256,
        logo: String, name: String, pathID: String, secondaryColor: String, title: String, unit: String
    ) {
        self.base58Prefix = base58Prefix
        self.color = color
        self.decimals = decimals
        self.scheme = scheme
        self.genesisHash = genesisHash
        self.logo = logo
        self.name = name
        self.pathID = pathID
        self.secondaryColor = secondaryColor
        self.title = title
        self.unit = unit
    }

    /// What tells it from other networks.
    public var key: NetworkKey { NetworkKey(scheme: scheme, genesisHash: genesisHash) }
}

extension NetworkSpecs: ScaleCodable {
    /// Reads the SCALE encoding.
    public init(from decoder: inout ScaleDecoder) throws(ScaleError) {
        base58Prefix = try decoder.uint16()
        color = try decoder.string()
        decimals = try decoder.uint8()
        scheme = try SignatureScheme(from: &decoder)
        genesisHash = try Hash256(from: &decoder)
        logo = try decoder.string()
        name = try decoder.string()
        pathID = try decoder.string()
        secondaryColor = try decoder.string()
        title = try decoder.string()
        unit = try decoder.string()
    }

    /// Appends the SCALE encoding.
    public func encode(to encoder: inout ScaleEncoder) {
        encoder.integer(base58Prefix)
        encoder.string(color)
        encoder.integer(decimals)
        encoder.value(scheme)
        encoder.value(genesisHash)
        for text in [logo, name, pathID, secondaryColor, title, unit] { encoder.string(text) }
    }
}

/// Scheme and genesis: what identifies a network record. 33 bytes: scheme code, genesis hash.
public struct NetworkKey: Hashable, Sendable {
    /// The signature scheme of its keys.
    public var scheme: SignatureScheme
    /// The hash of its first block.
    public var genesisHash: Hash256

    /// Makes it of its parts.
    public init(scheme: SignatureScheme, genesisHash: Hash256) {
        self.scheme = scheme
        self.genesisHash = genesisHash
    }
}

extension NetworkKey: ScaleCodable {
    /// Reads the SCALE encoding.
    public init(from decoder: inout ScaleDecoder) throws(ScaleError) {
        scheme = try SignatureScheme(from: &decoder)
        genesisHash = try Hash256(from: &decoder)
    }

    /// Appends the SCALE encoding.
    public func encode(to encoder: inout ScaleEncoder) {
        encoder.value(scheme)
        encoder.value(genesisHash)
    }
}

/// What metadata are called: the runtime's name and version. They are stored under its encoding.
public struct MetadataName: Hashable, Sendable {
    /// The name of the runtime.
    public var name: String
    /// The version of the runtime.
    public var version: UInt32

    /// Makes it of its parts.
    public init(name: String, version: UInt32) {
        self.name = name
        self.version = version
    }

    /// What the encodings of all versions of a name begin with.
    package static func prefix(name: String) -> [UInt8] {
        var encoder = ScaleEncoder()
        encoder.string(name)
        return encoder.bytes
    }
}

extension MetadataName: ScaleCodable {
    /// Reads the SCALE encoding.
    public init(from decoder: inout ScaleDecoder) throws(ScaleError) {
        name = try decoder.string()
        version = try decoder.uint32()
    }

    /// Appends the SCALE encoding.
    public func encode(to encoder: inout ScaleEncoder) {
        encoder.string(name)
        encoder.integer(version)
    }
}
