import Crypto

/// A private key of a test: worthless by intent.
public enum TestKey: Sendable {
    case p256(P256.Signing.PrivateKey)
    case p384(P384.Signing.PrivateKey)

    /// A hash to sign with, by the identifier of the algorithm.
    package enum Hash: String, Sendable, CaseIterable {
        case sha256 = "1.2.840.10045.4.3.2"
        case sha384 = "1.2.840.10045.4.3.3"
        case sha512 = "1.2.840.10045.4.3.4"
    }

    /// A new key of P-256, as the keys of devices are.
    public static func makeP256() -> TestKey { .p256(P256.Signing.PrivateKey()) }

    /// A new key of P-384, as those of authorities are.
    package static func makeP384() -> TestKey { .p384(P384.Signing.PrivateKey()) }

    /// Reads a private key.
    ///
    /// - Parameter pem: PKCS #8 or SEC 1.
    /// - Throws: if it is not a key of P-256 or P-384.
    public init(pem: String) throws {
        if let key = try? P256.Signing.PrivateKey(pemRepresentation: pem) {
            self = .p256(key)
        } else {
            self = .p384(try P384.Signing.PrivateKey(pemRepresentation: pem))
        }
    }

    /// The key as PEM of PKCS #8.
    public var pem: String {
        switch self {
        case .p256(let key): key.pemRepresentation
        case .p384(let key): key.pemRepresentation
        }
    }

    /// The X9.62 point.
    public var point: [UInt8] {
        switch self {
        case .p256(let key): Array(key.publicKey.x963Representation)
        case .p384(let key): Array(key.publicKey.x963Representation)
        }
    }

    /// The SubjectPublicKeyInfo in DER.
    package var publicKeyInfo: [UInt8] {
        let curve =
            switch self {
            case .p256: "1.2.840.10045.3.1.7"
            case .p384: "1.3.132.0.34"
            }
        return MintedDER.sequence(
            MintedDER.sequence(MintedDER.objectIdentifier("1.2.840.10045.2.1"), MintedDER.objectIdentifier(curve)),
            MintedDER.bits(point))
    }

    /// The ECDSA signature over the hash of a message, DER.
    package func signature(over message: [UInt8], _ hash: Hash) throws -> [UInt8] {
        switch hash {
        case .sha256: try signature(digest: SHA256.hash(data: message))
        case .sha384: try signature(digest: SHA384.hash(data: message))
        case .sha512: try signature(digest: SHA512.hash(data: message))
        }
    }

    /// The ECDSA signature over a digest, DER.
    package func signature(digest: some Digest) throws -> [UInt8] {
        switch self {
        case .p256(let key): Array(try key.signature(for: digest).derRepresentation)
        case .p384(let key): Array(try key.signature(for: digest).derRepresentation)
        }
    }
}
