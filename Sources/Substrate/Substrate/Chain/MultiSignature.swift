import SCALE

/// A signature with its kind: index 0 ed25519 [64], 1 sr25519 [64], 2 secp256k1 [65] (`substrate-crypto` section 11).
public enum MultiSignature: Hashable, Sendable {
    /// 64 bytes.
    case ed25519([UInt8])
    /// 64 bytes.
    case sr25519([UInt8])
    /// 65 bytes.
    case ecdsa([UInt8])

    /// - Returns: nil unless `signature` has the length that `scheme` asks for.
    public init?(scheme: SignatureScheme, signature: [UInt8]) {
        guard signature.count == scheme.signatureByteCount else { return nil }
        switch scheme {
        case .ed25519: self = .ed25519(signature)
        case .sr25519: self = .sr25519(signature)
        case .ecdsa, .ethereum: self = .ecdsa(signature)
        }
    }

    /// The signature without its index.
    public var signature: [UInt8] {
        switch self {
        case .ed25519(let bytes), .sr25519(let bytes), .ecdsa(let bytes): bytes
        }
    }

    private var index: UInt8 {
        switch self {
        case .ed25519: 0
        case .sr25519: 1
        case .ecdsa: 2
        }
    }
}

extension MultiSignature: ScaleCodable {
    /// Reads the SCALE encoding.
    public init(from decoder: inout ScaleDecoder) throws(ScaleError) {
        let offset = decoder.position
        let index = try decoder.uint8()
        switch index {
        case 0: self = .ed25519(try decoder.array(64))
        case 1: self = .sr25519(try decoder.array(64))
        case 2: self = .ecdsa(try decoder.array(65))
        default: throw .invalidEnumIndex(offset: offset, found: index, type: "MultiSignature")
        }
    }

    /// Appends the SCALE encoding.
    public func encode(to encoder: inout ScaleEncoder) {
        encoder.integer(index)
        encoder.raw(signature)
    }
}
