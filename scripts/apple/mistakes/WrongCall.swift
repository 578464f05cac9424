// both: value of type 'SecureEnclave.P256.Signing.PrivateKey' has no member 'sign'
import CryptoKit

func sign(_ digest: SHA256.Digest, by key: SecureEnclave.P256.Signing.PrivateKey) throws {
    _ = try key.sign(digest)
}
