/// A public key: the canonical encoding of a ristretto255 element, 32 bytes.
public struct Sr25519PublicKey: Sendable {
    /// The size of a key.
    public static let byteCount = 32

    /// The key's encoding.
    public let bytes: [UInt8]
    /// Decoded when the key came in as bytes from outside; nil for a key that was made here from its secret.
    let decoded: RistrettoPoint?

    /// The element itself. Bytes that were made here always decode.
    var point: RistrettoPoint { decoded ?? RistrettoPoint(bytes) ?? .identity }

    /// - Parameter bytes: 32 bytes.
    /// - Throws: ``Sr25519Error/invalidLength(expected:found:)``, ``Sr25519Error/invalidPublicKey``.
    public init(_ bytes: [UInt8]) throws(Sr25519Error) {
        guard let point = RistrettoPoint(words: try Self.words(bytes)) else { throw .invalidPublicKey }
        self.bytes = bytes
        self.decoded = point
    }

    /// The bytes of a key, not decoded yet.
    static func words(_ bytes: [UInt8]) throws(Sr25519Error) -> SIMD4<UInt64> {
        guard bytes.count == byteCount else { throw .invalidLength(expected: byteCount, found: bytes.count) }
        return bytes.withUnsafeBytes { SIMD4(littleEndian: $0) }
    }

    init(point: RistrettoPoint) {
        bytes = point.encoded
        decoded = point
    }

    /// Takes bytes that libsodium has just made from a secret scalar, without decoding them.
    init(madeHere bytes: [UInt8]) {
        self.bytes = bytes
        decoded = nil
    }

    /// Whether this is the identity element (32 zero bytes). Chains accept it, and any message verifies under it: code
    /// that bases trust on a key must refuse it.
    public var isIdentity: Bool { bytes.allSatisfy { $0 == 0 } }

    /// The key of a soft junction, from public data alone (`substrate-crypto` section 6.7).
    ///
    /// - Parameter chainCode: 32 bytes, the junction's id.
    public func deriveSoft(chainCode: [UInt8]) -> Sr25519PublicKey {
        let scalar = SoftDerivation(publicKey: bytes, chainCode: chainCode).scalar
        return Sr25519PublicKey(point: point + RistrettoPoint.multiplyBase(scalar))
    }
}

extension Sr25519PublicKey: Hashable {
    /// Whether both are the same.
    public static func == (left: Self, right: Self) -> Bool { left.bytes == right.bytes }
    /// Hashes what equality compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}
