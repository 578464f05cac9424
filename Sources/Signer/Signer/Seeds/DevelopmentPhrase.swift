import Substrate

/// The phrase that every Substrate tool knows (`bottom drive obey lake …`): for trying out, never for what is worth
/// something.
package enum DevelopmentPhrase {
    /// The sr25519 key at its root.
    private static let root: [UInt8] = [
        0x46, 0xeb, 0xdd, 0xef, 0x8c, 0xd9, 0xbb, 0x16, 0x7d, 0xc3, 0x08, 0x78, 0xd7, 0x11, 0x3b, 0x7e, 0x16, 0x8e,
        0x6f, 0x06, 0x46, 0xbe, 0xff, 0xd7, 0x7d, 0x69, 0xd3, 0x9b, 0xad, 0x76, 0xb4, 0x7a,
    ]

    /// The notice for the seed that it is.
    package static func notice(seed: String) -> String {
        "The seed \(seed) is the public development phrase: everybody knows its keys. Keep nothing of value with it."
    }

    /// Whether a phrase is this one, by the key at its root.
    package static func isThis(_ mnemonic: Mnemonic) -> Bool {
        let pair = try? KeyPair.derive(from: mnemonic, path: .root, password: nil, scheme: .sr25519)
        return pair?.publicKey == root
    }

    /// The seed among those of `keys` that is this phrase.
    package static func seed(among keys: [StoredKey]) -> String? {
        keys.first { $0.details.isRoot && $0.signer == .sr25519(root) }?.details.seedName
    }
}
