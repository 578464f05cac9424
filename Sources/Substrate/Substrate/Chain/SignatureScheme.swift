import SCALE

/// The four ways an account signs, numbered as in signer payloads and database keys (`signer-wire` sections 1.1, 7.1).
public enum SignatureScheme: UInt8, CaseIterable, Sendable {
    /// Ed25519 (RFC 8032).
    case ed25519 = 0
    /// Schnorr signatures over ristretto255, as schnorrkel makes them.
    case sr25519 = 1
    /// secp256k1 over a BLAKE2b digest.
    case ecdsa = 2
    /// secp256k1 over a Keccak digest; the account is a 20-byte address.
    case ethereum = 3

    /// The name used in text forms: `ed25519`, `sr25519`, `ecdsa`, `ethereum`.
    public var name: String {
        switch self {
        case .ed25519: "ed25519"
        case .sr25519: "sr25519"
        case .ecdsa: "ecdsa"
        case .ethereum: "ethereum"
        }
    }

    /// The scheme of that name; nil for none.
    package init?(name: String) {
        guard let scheme = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = scheme
    }

    /// Bytes of a public key: 32, or 33 compressed for secp256k1.
    package var publicKeyByteCount: Int {
        switch self {
        case .ed25519, .sr25519: 32
        case .ecdsa, .ethereum: 33
        }
    }

    /// Bytes of a signature: 64, or 65 with the recovery id.
    package var signatureByteCount: Int {
        switch self {
        case .ed25519, .sr25519: 64
        case .ecdsa, .ethereum: 65
        }
    }
}

extension SignatureScheme: ScaleCodable {
    /// Reads the SCALE encoding.
    public init(from decoder: inout ScaleDecoder) throws(ScaleError) {
        let offset = decoder.position
        let index = try decoder.uint8()
        guard let scheme = Self(rawValue: index) else {
            throw .invalidEnumIndex(offset: offset, found: index, type: "SignatureScheme")
        }
        self = scheme
    }

    /// Appends the SCALE encoding.
    public func encode(to encoder: inout ScaleEncoder) {
        encoder.integer(rawValue)
    }
}
