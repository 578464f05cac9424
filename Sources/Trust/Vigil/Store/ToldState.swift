import HardwareKeys

/// What the files of a side's key and store say, for a person who has to know it while the hardware does not let them
/// be used. It proves nothing: an older store says as much.
package struct ToldState: Sendable {
    /// Where the key lives.
    package let kind: KeyKind
    package let publicKey: PublicKey
    /// What is stored; nil where it cannot be read, or this key has not signed it.
    package let stored: Attestation?

    /// - Returns: nil where no file tells the key.
    init?(tag: String, of owner: Role, product: String, in directory: StateDirectory, keys: HardwareSigningKeys) {
        guard let told = try? keys.publicHalf(tag: tag), let publicKey = PublicKey(x963: told.publicKey) else {
            return nil
        }
        kind = told.kind
        self.publicKey = publicKey
        let key = PublicHalf(kind: told.kind, publicKey: told.publicKey)
        stored = try? AttestationStore(in: directory, key: key, owner: owner, product: product).read()
    }
}

/// A key that nothing can be signed with.
private struct PublicHalf: SigningKey {
    let kind: KeyKind
    let publicKey: [UInt8]

    func sign(digest: [UInt8]) throws(HardwareKeyError) -> [UInt8] { throw .unavailable(.none) }
}
