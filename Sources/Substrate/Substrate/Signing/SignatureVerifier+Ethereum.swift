extension SignatureVerifier {
    /// The Ethereum address of the key that made a signature.
    ///
    /// - Parameters:
    ///   - signature: 65 bytes with the recovery id.
    ///   - message: what the scheme signs.
    /// - Returns: 20 bytes; nil where no key can have made it.
    public static func ethereumAddress(ofSigner signature: [UInt8], message: [UInt8]) -> [UInt8]? {
        let digest = SignatureScheme.ethereum.digest(of: message)
        return Secp256k1.recover(signature, digest: digest).flatMap { MultiSigner.ecdsa($0).ethereumAddress }
    }
}
