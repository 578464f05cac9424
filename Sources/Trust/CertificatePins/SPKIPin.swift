import CSodium

/// The name of one public key: SHA-256 of its DER SubjectPublicKeyInfo.
///
/// It names the key, not the certificate, so that a renewed certificate over the same key keeps its pin. As text:
/// `sha256/` and 44 characters of standard base64.
///
///     let pin = try SPKIPin("sha256/wu1aTGV8BkMkjctC5tND7oH/U1eoCIy2S3OE/8UbWhQ=")
///     let same = try SPKIPin(certificate: derOrPEM)
///
/// Source: `mainkey` section 26; RFC 7469 section 2.4 for the hash.
public struct SPKIPin: Hashable, Sendable {
    /// The SHA-256 digest, 32 bytes.
    public let digest: [UInt8]

    private static let prefix = "sha256/"
    private static let digestByteCount = 32

    /// libsodium's number of standard base64 with padding, which its header gives as a macro.
    private static let standardBase64: CInt = 1

    /// Reads the text form: nothing else is taken, no other hash, no other alphabet, no white space.
    ///
    /// - Throws: ``PinError/configError(reason:)``.
    public init(_ text: String) throws(PinError) {
        guard text.hasPrefix(Self.prefix) else {
            throw .configError(reason: "a pin begins with sha256/, and this one does not: \(text.prefix(80))")
        }
        let encoded = Array(text.utf8.dropFirst(Self.prefix.utf8.count)).map(CChar.init(bitPattern:))
        var digest = [UInt8](repeating: 0, count: Self.digestByteCount)
        var byteCount = 0
        let outcome = sodium_base642bin(
            &digest, digest.count, encoded, encoded.count, nil, &byteCount, nil, Self.standardBase64)
        guard outcome == 0, byteCount == Self.digestByteCount else {
            throw .configError(
                reason: "after sha256/ a pin has 32 bytes in standard base64, 44 characters, and this one has not: "
                    + "\(text.prefix(80))")
        }
        self.digest = digest
    }

    /// The pin of a certificate's key.
    ///
    /// - Parameter certificate: one certificate, DER or PEM.
    /// - Throws: ``PinError/malformed(reason:)`` or ``PinError/limitExceeded(reason:)``.
    public init(certificate: [UInt8]) throws(PinError) {
        self.init(subjectPublicKeyInfo: try SubjectPublicKeyInfo(certificate: certificate))
    }

    /// The pin of a key.
    public init(subjectPublicKeyInfo: SubjectPublicKeyInfo) {
        var digest = [UInt8](repeating: 0, count: Self.digestByteCount)
        subjectPublicKeyInfo.derBytes.withUnsafeBufferPointer { bytes in
            // Only a null output or an impossible length could make it fail.
            _ = crypto_hash_sha256(&digest, bytes.baseAddress, UInt64(bytes.count))
        }
        self.digest = digest
    }
}

extension SPKIPin: CustomStringConvertible {
    /// `sha256/` and the digest in Base64 with padding.
    public var description: String {
        var encoded = [CChar](repeating: 0, count: sodium_base64_encoded_len(digest.count, Self.standardBase64))
        sodium_bin2base64(&encoded, encoded.count, digest, digest.count, Self.standardBase64)
        return Self.prefix + String(decoding: encoded.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
