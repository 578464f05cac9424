import SecretMemory

/// A secp256k1 key with its chain code: a node of the tree of BIP-32, from which Ethereum wallets take their accounts.
///
///     let seed = try mnemonic.standardSeed(passphrase: nil)
///     let pair = try KeyPair.ethereumBIP44(seed: seed, path: .ethereum(account: 0))
///
/// Source: BIP-32, `substrate-crypto` section 9.4.
package struct BIP32Key: Sendable {
    /// Bytes that a seed may have.
    static let seedByteCounts = 16...64

    /// 32 bytes, big-endian.
    package let secret: SecretBytes
    /// 32 bytes.
    package let chainCode: SecretBytes

    /// The root of the tree.
    ///
    /// - Parameter seed: 16 to 64 bytes; that of a phrase has 64.
    package init(seed: SecretBytes) throws(KeyError) {
        guard Self.seedByteCounts.contains(seed.count) else { throw .invalidSecretKey }
        let digest = try KeyError.locked(HMAC.sha512(label: "Bitcoin seed", seed))
        secret = try KeyError.locked(digest.part(0..<32))
        chainCode = try KeyError.locked(digest.part(32..<64))
    }

    private init(secret: SecretBytes, chainCode: SecretBytes) {
        self.secret = secret
        self.chainCode = chainCode
    }

    /// - Throws: ``KeyError/invalidSecretKey`` at an index without a key, which one in 2¹²⁷ is: the person takes the
    ///   next one, as BIP-32 says. Taking it silently would give two paths one key.
    package func derive(_ path: BIP32Path) throws(KeyError) -> BIP32Key {
        var key = self
        for step in path.steps { key = try key.child(step) }
        return key
    }

    /// What BIP-32 takes a child's key and chain code from.
    private func digest(of step: BIP32Path.Step, publicKey: [UInt8]?) throws(SecretMemoryError) -> SecretBytes {
        let data = try SecretBytes(count: 37) { data in
            if let publicKey {
                data.copyBytes(from: publicKey)
            } else {
                secret.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: data[1...]).copyMemory(from: $0) }
            }
            data.storeBytes(of: step.number.bigEndian, toByteOffset: 33, as: UInt32.self)
        }
        return try HMAC.sha512(key: chainCode, data)
    }

    private func child(_ step: BIP32Path.Step) throws(KeyError) -> BIP32Key {
        let publicKey = step.isHardened ? nil : try Secp256k1.publicKey(secret: secret)
        let code = try KeyError.locked(digest(of: step, publicKey: publicKey))
        let tweak = try KeyError.locked(code.part(0..<32))
        return BIP32Key(
            secret: try Secp256k1.add(tweak, to: secret),
            chainCode: try KeyError.locked(code.part(32..<64)))
    }
}

extension KeyPair {
    /// The key that MetaMask, Talisman, polkadot-js and others make of a phrase for chains with Ethereum addresses.
    ///
    /// - Parameter seed: 64 bytes, from ``Mnemonic/standardSeed(passphrase:)``.
    public static func ethereumBIP44(seed: SecretBytes, path: BIP32Path) throws(KeyError) -> KeyPair {
        try KeyPair(scheme: .ethereum, miniSecret: BIP32Key(seed: seed).derive(path).secret)
    }
}
