import BasicFoundation
import Cryptography
import TextForms

/// The public half of a P-256 key, in the form in which it is pinned and sent.
///
/// Nothing says yet that the point is on the curve: pins are compared before any arithmetic, and ``verifies(_:of:)`` is
/// false for a point that is not.
///
/// Source: `vigil` sections 2.2 and 5.
public struct PublicKey: Hashable, Sendable {
    /// Bytes of a key in X9.63.
    public static let count = 65

    /// X9.63 uncompressed: 65 bytes, the first of which is 4.
    public let x963: [UInt8]

    /// - Returns: nil unless there are 65 bytes, the first of which is 4.
    public init?(x963: some Sequence<UInt8>) {
        let bytes = Array(x963)
        guard bytes.count == Self.count, bytes[0] == 4 else { return nil }
        self.x963 = bytes
    }

    /// Reads SubjectPublicKeyInfo (91 bytes of DER) or X9.63, as version 1 of the protocol sends either.
    package init?(spkiOrX963 bytes: [UInt8]) {
        self.init(
            x963: bytes.starts(with: PublicKeyPEM.beginning)
                ? Array(bytes.dropFirst(PublicKeyPEM.beginning.count)) : bytes)
    }

    /// Reads a PEM file's content: `-----BEGIN PUBLIC KEY-----`, the whole of the file.
    ///
    /// - Returns: nil for anything else, for another curve, a compressed point, and what is no point of the curve.
    public init?(pem text: String) {
        guard let key = PublicKeyPEM.decode(text).flatMap({ P256PublicKey(x963: $0) }) else { return nil }
        self.init(x963: key.x963)
    }

    /// What names the key: the SHA-256 of its X9.63 form.
    public var id: Bytes32 { .hash(of: x963) }

    /// SubjectPublicKeyInfo, 91 bytes of DER.
    package var spki: [UInt8] { PublicKeyPEM.beginning + x963 }

    /// Whether a signature is by this key: ECDSA over the SHA-256 of `message`, r ‖ s, 64 bytes. A high s counts as
    /// well.
    public func verifies(_ signature: [UInt8], of message: some DataProtocol) -> Bool {
        guard let signature = P256Signature(raw: signature) else { return false }
        return verifies(signature, message)
    }

    /// The same for a signature in DER.
    public func verifies(der signature: [UInt8], of message: some DataProtocol) -> Bool {
        guard let signature = P256Signature(der: signature) else { return false }
        return verifies(signature, message)
    }

    private func verifies(_ signature: P256Signature, _ message: some DataProtocol) -> Bool {
        P256PublicKey(x963: x963)?.isValid(signature, ofDigest: SHA256Hash.of(message)) ?? false
    }
}
