import Crypto
import HardwareKeys
import KnownAnswers
import SecretMemory
import Vigil

/// A private key that the known answers show.
struct KnownKey: SigningKey {
    let kind = KeyKind.software
    private let key: P256.Signing.PrivateKey

    init(_ scalar: [UInt8]) throws {
        key = try P256.Signing.PrivateKey(rawRepresentation: scalar)
    }

    var publicKey: [UInt8] { Array(key.publicKey.x963Representation) }

    func sign(digest: SHA256.Digest) throws(HardwareKeyError) -> [UInt8] {
        do { return Array(try key.signature(for: digest).rawRepresentation) } catch {
            throw .invalidArgument("\(error)")
        }
    }
}

extension Row {
    func digest(_ key: String) throws -> Bytes32 {
        guard let digest = Bytes32(try bytes(key)) else { throw RowError.missing(key) }
        return digest
    }

    func publicKey(_ key: String) throws -> PublicKey {
        guard let publicKey = PublicKey(x963: try bytes(key)) else { throw RowError.missing(key) }
        return publicKey
    }
}
