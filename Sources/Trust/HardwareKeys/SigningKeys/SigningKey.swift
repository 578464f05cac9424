import BasicFoundation
import Cryptography

/// A P-256 key that signs with ECDSA and SHA-256, and whose private half nobody gets to see.
///
/// Source: `vigil` section 5.
public protocol SigningKey: Sendable {
    var kind: KeyKind { get }
    /// The public key in X9.63, uncompressed: 65 bytes, the first of which is 4.
    var publicKey: [UInt8] { get }
    /// Signs what was hashed.
    ///
    /// - Parameter digest: SHA-256, 32 bytes.
    /// - Returns: r, then s, 32 bytes each.
    /// - Throws: ``HardwareKeyError``: `unavailable` when the hardware does not answer, `invalidArgument` for another
    ///   number of bytes.
    func sign(digest: [UInt8]) throws(HardwareKeyError) -> [UInt8]
}

extension SigningKey {
    /// Signs the SHA-256 of a message.
    ///
    /// - Returns: r, then s, 32 bytes each.
    public func sign(_ message: some DataProtocol) throws(HardwareKeyError) -> [UInt8] {
        try sign(digest: SHA256Hash.of(message))
    }

    static func requireDigest(_ digest: [UInt8]) throws(HardwareKeyError) {
        guard digest.count == SHA256Hash.byteCount else {
            throw .invalidArgument("a digest of SHA-256 has \(SHA256Hash.byteCount) bytes, not \(digest.count)")
        }
    }
}

/// Hardware that makes signing keys. What it gives out for storing opens with the same hardware only.
public protocol SigningHardware: Sendable {
    var kind: KeyKind { get }
    /// Whether it answers now.
    var isUsable: Bool { get }
    /// Makes a key.
    ///
    /// - Returns: the content of its file.
    /// - Throws: ``HardwareKeyError/unavailable(_:)`` if there is no such hardware here: the one error after which a
    ///   software key may stand in.
    func makeKey(tag: String) throws(HardwareKeyError) -> SecretFile
    /// Takes a stored key into use.
    func openKey(tag: String, file: SecretFile) throws(HardwareKeyError) -> any SigningKey
}

extension SigningHardware {
    public var isUsable: Bool { true }
}
