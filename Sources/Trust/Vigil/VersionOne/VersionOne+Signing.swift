import HardwareKeys

extension VersionOne.Validation {
    /// Makes and signs a request.
    package init(hash: Bytes32, nonce: Bytes32, by key: any SigningKey) throws(HardwareKeyError) {
        self.init(
            hash: hash, nonce: nonce, publicKey: try PublicKey(of: key),
            signature: try key.signDER(Self.signedBytes(hash: hash, nonce: nonce)))
    }

    package var signedBytes: [UInt8] { Self.signedBytes(hash: hash, nonce: nonce) }

    private static func signedBytes(hash: Bytes32, nonce: Bytes32) -> [UInt8] { hash.bytes + nonce.bytes }
}

extension VersionOne.Verdict {
    /// Makes and signs a verdict. The nonce is the request's, which alone makes an old verdict useless.
    package init(
        isValid: Bool, validatorHash: Bytes32, to request: VersionOne.Validation, by key: any SigningKey
    ) throws(HardwareKeyError) {
        self.init(
            isValid: isValid, validatorHash: validatorHash, nonce: request.nonce, publicKey: try PublicKey(of: key),
            signature: try key.signDER(Self.signedBytes(isValid: isValid, hash: validatorHash, nonce: request.nonce)))
    }

    package var signedBytes: [UInt8] { Self.signedBytes(isValid: isValid, hash: validatorHash, nonce: nonce) }

    private static func signedBytes(isValid: Bool, hash: Bytes32, nonce: Bytes32) -> [UInt8] {
        [isValid ? 1 : 0] + hash.bytes + nonce.bytes
    }
}

extension PublicKey {
    /// - Throws: ``HardwareKeyError/invalidArgument(_:)`` if the key is not on P-256.
    init(of key: any SigningKey) throws(HardwareKeyError) {
        guard let own = PublicKey(x963: key.publicKey) else {
            throw .invalidArgument("the key's public half is no P-256 point")
        }
        self = own
    }
}
