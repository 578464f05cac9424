import Cryptography
import SecretMemory

/// A key in this process' memory, stored encrypted for this installation and user.
///
/// Source: `vigil` section 5.3.
package struct SoftwareSigningKey: SigningKey {
    package let kind = KeyKind.software
    package var publicKey: [UInt8] { key.publicKey.x963 }
    private let key: P256PrivateKey

    /// Makes a key of the system's random numbers.
    static func random() throws(HardwareKeyError) -> SoftwareSigningKey {
        SoftwareSigningKey(
            key: try SecretBytes.guarded { () throws(SecretMemoryError) in try P256PrivateKey.random() })
    }

    private init(key: P256PrivateKey) { self.key = key }

    /// - Parameter scalar: 32 bytes. Nil if they are not from 1 to the order of the curve less 1.
    package init?(scalar: SecretBytes) {
        guard let key = P256PrivateKey(scalar: scalar) else { return nil }
        self.key = key
    }

    package func sign(digest: [UInt8]) throws(HardwareKeyError) -> [UInt8] {
        try Self.requireDigest(digest)
        guard let signature = key.sign(digest: digest) else {
            throw .noSecretMemory(reason: "The cryptographic library could not sign, for lack of memory or randomness.")
        }
        return signature.raw
    }

    /// The content of the file that stores the key.
    func file(tag: KeyTag, machine: MachineIdentity) throws(HardwareKeyError) -> [UInt8] {
        try SoftwareKeyFile.seal(key.scalar, tag: tag, machine: machine)
    }
}
