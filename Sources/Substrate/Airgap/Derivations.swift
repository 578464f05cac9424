import SCALE
import Substrate
import TextForms

/// Derived keys that another signer exports (`signer-wire` section 1.8).
public struct DerivationsExport: Hashable, Sendable {
    /// The seeds, each with its keys.
    public var seeds: [Seed]
    /// What the exporting signer can do; nil in the first version of the record.
    public var features: [Feature]?

    package init(seeds: [Seed], features: [Feature]?) {
        self.seeds = seeds
        self.features = features
    }

    /// A seed with the keys derived from it.
    public struct Seed: Hashable, Sendable {
        /// The exporting signer's name for it.
        public var name: String
        /// The key of the seed itself.
        public var root: MultiSigner
        /// Keys that were derived from the seed, with or without passwords.
        public var keys: [Key]

        package init(name: String, root: MultiSigner, keys: [Key]) {
            self.name = name
            self.root = root
            self.keys = keys
        }
    }

    /// An address and the path that gives it.
    public struct Key: Hashable, Sendable {
        /// The public key that the address text stands for: an account, or the 33 bytes of a secp256k1 key.
        public var address: [UInt8]
        /// The path as it came, which may be no path at all.
        public var path: String?
        /// How the key signs, which the path does not tell.
        public var scheme: SignatureScheme
        /// The genesis of its network.
        public var genesisHash: Hash256

        package init(address: [UInt8], path: String?, scheme: SignatureScheme, genesisHash: Hash256) {
            self.address = address
            self.path = path
            self.scheme = scheme
            self.genesisHash = genesisHash
        }
    }

    /// What the exporting device can do.
    public enum Feature: UInt8, Sendable {
        /// Payloads of many transactions, and keys derived on request.
        case bulkOperations, dynamicDerivations
    }
}

/// A hot wallet's request for addresses (`signer-wire` section 1.9).
public struct DynamicDerivationsRequest: Hashable, Sendable {
    /// The key of the seed itself.
    public var root: MultiSigner
    /// The derivations in the order in which the answer lists them.
    public var derivations: [Derivation]

    package init(root: MultiSigner, derivations: [Derivation]) {
        self.root = root
        self.derivations = derivations
    }

    /// A key that is asked for.
    public struct Derivation: Hashable, Sendable {
        /// The path below the seed's root key, without a password.
        public var path: DerivationPath
        /// How the key signs, which the path does not tell.
        public var scheme: SignatureScheme
        /// The genesis of its network.
        public var genesisHash: Hash256

        package init(path: DerivationPath, scheme: SignatureScheme, genesisHash: Hash256) {
            self.path = path
            self.scheme = scheme
            self.genesisHash = genesisHash
        }
    }
}

/// The answer to a ``DynamicDerivationsRequest``.
public struct DynamicDerivationsAnswer: Hashable, Sendable {
    /// The key of the seed itself.
    public var root: MultiSigner
    /// Public keys in the order in which they were asked for.
    public var keys: [Key]

    package init(root: MultiSigner, keys: [Key]) {
        self.root = root
        self.keys = keys
    }

    /// The public key of one path that was asked for.
    public struct Key: Hashable, Sendable {
        /// The path as the question named it.
        public var path: DerivationPath
        /// How the key signs, which the path does not tell.
        public var scheme: SignatureScheme
        /// Ethereum keys travel as secp256k1 keys.
        public var publicKey: MultiSigner

        package init(path: DerivationPath, scheme: SignatureScheme, publicKey: MultiSigner) {
            self.path = path
            self.scheme = scheme
            self.publicKey = publicKey
        }
    }

    /// The answer with the leading bytes of its kind.
    public var payload: [UInt8] {
        [Payload.substrateByte, 0xff, PayloadKind.dynamicDerivations.rawValue] + scaleEncoded
    }
}

/// Bounds of records about keys (`signer-wire` section 13).
enum DerivationLimits {
    static let pathByteCount = 1024
    static let nameByteCount = 256
    /// Addresses that are asked for at once, as many as are numbered on at once.
    static let requestCount = 1024
    /// Junctions of all their paths together: each is a derivation of its own.
    static let requestJunctions = 8192
    /// The only version of the two records about dynamic derivations.
    static let versionOne: UInt8 = 0
}

extension ScaleDecoder {
    /// A path with neither password nor anything else that is no junction.
    mutating func derivationPath() throws(ScaleError) -> DerivationPath {
        let offset = position
        let text = try boundedText(DerivationLimits.pathByteCount)
        do throws(SURIError) { return try DerivationPath(parsing: text) } catch {
            throw .invalidText(offset: offset, kind: "derivation path")
        }
    }

    mutating func boundedText(_ limit: Int) throws(ScaleError) -> String {
        let offset = position
        let text = try string()
        guard text.utf8.count <= limit else {
            throw .lengthExceedsInput(offset: offset, claimed: text.utf8.count, available: limit)
        }
        return text
    }

    fileprivate mutating func versionOne(of type: String) throws(ScaleError) {
        let offset = position
        let version = try uint8()
        guard version == DerivationLimits.versionOne else {
            throw .invalidEnumIndex(offset: offset, found: version, type: type)
        }
    }
}

extension DynamicDerivationsRequest: ScaleCodable {
    /// Reads the SCALE encoding.
    public init(from decoder: inout ScaleDecoder) throws(ScaleError) {
        try decoder.versionOne(of: "request for derivations")
        root = try MultiSigner(from: &decoder)
        let offset = decoder.position
        derivations = try decoder.sequence(minimumItemSize: 2 + Hash256.byteCount) { (decoder) throws(ScaleError) in
            Derivation(
                path: try decoder.derivationPath(), scheme: try SignatureScheme(from: &decoder),
                genesisHash: try Hash256(from: &decoder))
        }
        let junctions = derivations.reduce(0) { $0 + $1.path.junctions.count }
        for (count, limit) in [
            (derivations.count, DerivationLimits.requestCount), (junctions, DerivationLimits.requestJunctions),
        ] where count > limit {
            throw .lengthExceedsInput(offset: offset, claimed: count, available: limit)
        }
    }

    /// Appends the SCALE encoding.
    public func encode(to encoder: inout ScaleEncoder) {
        encoder.integer(DerivationLimits.versionOne)
        encoder.value(root)
        encoder.sequence(derivations) { encoder, derivation in
            encoder.string("\(derivation.path)")
            encoder.value(derivation.scheme)
            encoder.value(derivation.genesisHash)
        }
    }
}

extension DynamicDerivationsAnswer: ScaleCodable {
    /// Reads the SCALE encoding.
    public init(from decoder: inout ScaleDecoder) throws(ScaleError) {
        try decoder.versionOne(of: "answer with derivations")
        root = try MultiSigner(from: &decoder)
        keys = try decoder.sequence(minimumItemSize: 35) { (decoder) throws(ScaleError) in
            Key(
                path: try decoder.derivationPath(), scheme: try SignatureScheme(from: &decoder),
                publicKey: try MultiSigner(from: &decoder))
        }
    }

    /// Appends the SCALE encoding.
    public func encode(to encoder: inout ScaleEncoder) {
        encoder.integer(DerivationLimits.versionOne)
        encoder.value(root)
        encoder.sequence(keys) { encoder, key in
            encoder.string("\(key.path)")
            encoder.value(key.scheme)
            encoder.value(key.publicKey)
        }
    }
}

extension DerivationsExport: ScaleDecodable {
    /// Reads the SCALE encoding.
    public init(from decoder: inout ScaleDecoder) throws(ScaleError) {
        let offset = decoder.position
        switch try decoder.uint8() {
        case 0:
            seeds = try decoder.sequence(minimumItemSize: 35) { (decoder) throws(ScaleError) in
                try Seed(from: &decoder)
            }
            features = nil
        case 1:
            seeds = [try Seed(from: &decoder)]
            features = try decoder.sequence { (decoder) throws(ScaleError) in
                let offset = decoder.position
                let index = try decoder.uint8()
                guard let feature = Feature(rawValue: index) else {
                    throw .invalidEnumIndex(offset: offset, found: index, type: "feature")
                }
                return feature
            }
        case let version: throw .invalidEnumIndex(offset: offset, found: version, type: "export of derivations")
        }
    }
}

extension DerivationsExport: ScaleEncodable {
    /// Appends the SCALE encoding: with features the form for one seed, without them the one for many.
    public func encode(to encoder: inout ScaleEncoder) {
        guard let features, let seed = seeds.first, seeds.count == 1 else {
            encoder.integer(0 as UInt8)
            return encoder.sequence(seeds) { $0.value($1) }
        }
        encoder.integer(1 as UInt8)
        encoder.value(seed)
        encoder.sequence(features) { $0.integer($1.rawValue) }
    }

    /// The export with the leading bytes of its kind.
    public var payload: [UInt8] { [Payload.substrateByte, 0xff, PayloadKind.derivations.rawValue] + scaleEncoded }
}

extension DerivationsExport.Seed: ScaleEncodable {
    /// Appends the SCALE encoding.
    public func encode(to encoder: inout ScaleEncoder) {
        encoder.string(name)
        encoder.value(root)
        encoder.sequence(keys) { $0.value($1) }
    }
}

extension DerivationsExport.Key: ScaleEncodable {
    /// Appends the SCALE encoding; accounts are written with the prefix that belongs to no network.
    public func encode(to encoder: inout ScaleEncoder) {
        switch scheme {
        case .ed25519, .sr25519:
            encoder.string((try? SS58.encode(address, prefix: SS58.genericPrefix)) ?? Hex.encode(address))
        case .ecdsa, .ethereum: encoder.string("0x" + Hex.encode(address))
        }
        encoder.option(path) { $0.string($1) }
        encoder.value(scheme)
        encoder.value(genesisHash)
    }
}

extension DerivationsExport.Seed: ScaleDecodable {
    /// Reads the SCALE encoding.
    public init(from decoder: inout ScaleDecoder) throws(ScaleError) {
        name = try decoder.boundedText(DerivationLimits.nameByteCount)
        root = try MultiSigner(from: &decoder)
        keys = try decoder.sequence(minimumItemSize: 3 + Hash256.byteCount) { (decoder) throws(ScaleError) in
            try DerivationsExport.Key(from: &decoder)
        }
    }
}

extension DerivationsExport.Key: ScaleDecodable {
    /// Reads the SCALE encoding.
    public init(from decoder: inout ScaleDecoder) throws(ScaleError) {
        let offset = decoder.position
        let text = try decoder.boundedText(DerivationLimits.nameByteCount)
        path = try decoder.option { (decoder) throws(ScaleError) in
            try decoder.boundedText(DerivationLimits.pathByteCount)
        }
        scheme = try SignatureScheme(from: &decoder)
        genesisHash = try Hash256(from: &decoder)
        guard let address = Self.publicKey(text, scheme) else { throw .invalidText(offset: offset, kind: "address") }
        self.address = address
    }

    /// SS58 of a key of 32 bytes, or hex of one of 33.
    private static func publicKey(_ text: String, _ scheme: SignatureScheme) -> [UInt8]? {
        switch scheme {
        case .ed25519, .sr25519:
            guard let decoded = try? SS58.decode(text), decoded.payload.count == 32 else { return nil }
            return decoded.payload
        case .ecdsa, .ethereum:
            guard let bytes = Hex.decode(text), bytes.count == 33 else { return nil }
            return bytes
        }
    }
}
