import SCALE

/// A public key with its kind, as chains and databases encode it: index 0 ed25519, 1 sr25519, 2 secp256k1
/// (`substrate-crypto` section 11). Ethereum accounts travel as index 2.
public enum MultiSigner: Hashable, Sendable {
    /// 32 bytes.
    case ed25519([UInt8])
    /// 32 bytes, a canonical ristretto255 encoding.
    case sr25519([UInt8])
    /// 33 bytes, compressed.
    case ecdsa([UInt8])

    /// - Returns: nil unless `publicKey` has the length that `scheme` asks for. The bytes are not checked to be a
    ///   point.
    public init?(scheme: SignatureScheme, publicKey: [UInt8]) {
        guard publicKey.count == scheme.publicKeyByteCount else { return nil }
        switch scheme {
        case .ed25519: self = .ed25519(publicKey)
        case .sr25519: self = .sr25519(publicKey)
        case .ecdsa, .ethereum: self = .ecdsa(publicKey)
        }
    }

    /// The key's bytes.
    public var publicKey: [UInt8] {
        switch self {
        case .ed25519(let key), .sr25519(let key), .ecdsa(let key): key
        }
    }

    /// ``SignatureScheme/ecdsa`` also for keys that an Ethereum network uses.
    public var scheme: SignatureScheme {
        switch self {
        case .ed25519: .ed25519
        case .sr25519: .sr25519
        case .ecdsa: .ecdsa
        }
    }
}

extension MultiSigner: ScaleCodable {
    /// Reads the SCALE encoding.
    public init(from decoder: inout ScaleDecoder) throws(ScaleError) {
        let offset = decoder.position
        let index = try decoder.uint8()
        switch index {
        case 0: self = .ed25519(try decoder.array(32))
        case 1: self = .sr25519(try decoder.array(32))
        case 2: self = .ecdsa(try decoder.array(33))
        default: throw .invalidEnumIndex(offset: offset, found: index, type: "MultiSigner")
        }
    }

    /// Appends the SCALE encoding.
    public func encode(to encoder: inout ScaleEncoder) {
        encoder.integer(scheme.rawValue)
        encoder.raw(publicKey)
    }
}
