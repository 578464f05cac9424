import Cryptography
import HardwareKeys
import KnownAnswers
import SecretMemory
import Vigil

/// A private key that the known answers show.
struct KnownKey: SigningKey {
    let kind = KeyKind.software
    private let key: P256PrivateKey

    /// - Parameter key: names the row's field with the scalar.
    init(_ row: Row, _ key: String) throws { self.key = try row.privateKey(key) }

    var publicKey: [UInt8] { key.publicKey.x963 }

    func sign(digest: [UInt8]) throws(HardwareKeyError) -> [UInt8] {
        guard let signature = key.sign(digest: digest) else { throw .invalidArgument("no signature of \(digest)") }
        return signature.raw
    }
}

extension Row {
    func privateKey(_ key: String) throws -> P256PrivateKey {
        guard let privateKey = P256PrivateKey(scalar: try secret(key)) else { throw RowError.missing(key) }
        return privateKey
    }

    func digest(_ key: String) throws -> Bytes32 {
        guard let digest = Bytes32(try bytes(key)) else { throw RowError.missing(key) }
        return digest
    }

    func publicKey(_ key: String) throws -> PublicKey {
        guard let publicKey = PublicKey(x963: try bytes(key)) else { throw RowError.missing(key) }
        return publicKey
    }
}
