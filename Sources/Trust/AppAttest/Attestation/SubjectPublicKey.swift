import TextForms

/// P-256 keys in the form of X.509.
enum SubjectPublicKey {
    /// SEQUENCE { SEQUENCE { id-ecPublicKey, prime256v1 }, BIT STRING with 65 bytes to follow }.
    private static let derPrefix: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48,
        0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ]

    static func pem(point: [UInt8]) -> String {
        var rest = Base64.encode(derPrefix + point)[...]
        var lines: [Substring] = ["-----BEGIN PUBLIC KEY-----"]
        while !rest.isEmpty {
            lines.append(rest.prefix(64))
            rest = rest.dropFirst(64)
        }
        return lines.joined(separator: "\n") + "\n-----END PUBLIC KEY-----\n"
    }
}
