import Crypto
import SecretMemory

/// A key in this process' memory, stored encrypted for this installation and user.
///
/// Source: `vigil` section 5.3.
package struct SoftwareSigningKey: SigningKey {
    package let kind = KeyKind.software
    package let publicKey: [UInt8]
    private let scalar: SecretBytes

    /// A new key: the scalar is drawn again in the rare case that it is not below the curve's order.
    static func random() throws(HardwareKeyError) -> SoftwareSigningKey {
        while true {
            let scalar = try SecretBytes.guarded { () throws(SecretMemoryError) in try SecretBytes.drawn(count: 32) }
            if let key = SoftwareSigningKey(scalar: scalar) { return key }
        }
    }

    /// - Parameter scalar: 32 bytes. Nil if they are not from 1 to the order of the curve less 1.
    package init?(scalar: SecretBytes) {
        guard let key = Self.key(scalar) else { return nil }
        publicKey = Array(key.publicKey.x963Representation)
        self.scalar = scalar
    }

    package func sign(digest: SHA256.Digest) throws(HardwareKeyError) -> [UInt8] {
        guard let signature = try? Self.key(scalar)?.signature(for: digest) else {
            throw .noSecretMemory(reason: "The cryptographic library could not sign, for lack of memory or randomness.")
        }
        return Array(signature.rawRepresentation)
    }

    /// The library's own form of the key, which lives for one use.
    private static func key(_ scalar: SecretBytes) -> P256.Signing.PrivateKey? {
        scalar.withUnsafeBytes { try? P256.Signing.PrivateKey(rawRepresentation: $0) }
    }

    /// The content of the file that stores the key.
    func file(tag: KeyTag, machine: MachineIdentity) throws(HardwareKeyError) -> [UInt8] {
        try SoftwareKeyFile.seal(scalar, tag: tag, machine: machine)
    }
}
