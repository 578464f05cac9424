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

    /// SubjectPublicKeyInfo of a P-256 key before its point.
    private static let spkiHead: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48,
        0xce,
        0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ]

    /// - Returns: nil unless there are 65 bytes, the first of which is 4.
    public init?(x963: some Sequence<UInt8>) {
        let bytes = Array(x963)
        guard bytes.count == Self.count, bytes[0] == 4 else { return nil }
        self.x963 = bytes
    }

    /// Reads SubjectPublicKeyInfo (91 bytes of DER) or X9.63, as version 1 of the protocol sends either.
    package init?(spkiOrX963 bytes: [UInt8]) {
        self.init(x963: bytes.starts(with: Self.spkiHead) ? Array(bytes.dropFirst(Self.spkiHead.count)) : bytes)
    }

    /// Reads a PEM file's content: `-----BEGIN PUBLIC KEY-----`.
    public init?(pem text: String) {
        guard let der = Self.der(ofPEM: text), der.starts(with: Self.spkiHead),
            let key = P256PublicKey(x963: der.dropFirst(Self.spkiHead.count))
        else { return nil }
        self.init(x963: key.x963)
    }

    private static func der(ofPEM text: String) -> [UInt8]? {
        let lines = text.split { $0.isNewline || $0.isWhitespace && $0 != " " }
        guard lines.count >= 3, lines.first == "-----BEGIN PUBLIC KEY-----", lines.last == "-----END PUBLIC KEY-----"
        else { return nil }
        return Base64.decode(lines.dropFirst().dropLast().joined())
    }

    /// What names the key: the SHA-256 of its X9.63 form.
    public var id: Bytes32 { .hash(of: x963) }

    /// SubjectPublicKeyInfo, 91 bytes of DER.
    package var spki: [UInt8] { Self.spkiHead + x963 }

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
