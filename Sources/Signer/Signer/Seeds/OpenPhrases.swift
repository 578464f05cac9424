import Substrate

/// Phrases that one action needs, each opened once, and the keys that it derives of them without passwords.
final class OpenPhrases {
    private struct Root: Hashable {
        var seed: String
        var scheme: SignatureScheme
    }

    private let seeds: any SeedVault
    private var opened: [String: Mnemonic] = [:]
    /// A phrase is stretched once for each scheme, however many keys are asked for.
    private var roots: [Root: KeyPair] = [:]

    init(_ seeds: any SeedVault) {
        self.seeds = seeds
    }

    func phrase(named name: String) throws -> Mnemonic {
        if let known = opened[name] { return known }
        let phrase = try seeds.mnemonic(named: name)
        opened[name] = phrase
        return phrase
    }

    /// The key at a path of a seed.
    func key(ofSeed name: String, at path: DerivationPath, scheme: SignatureScheme) throws -> KeyPair {
        let root = try root(ofSeed: name, scheme: scheme)
        do throws(KeyError) { return try root.derive(path) } catch { throw SignerError.key(error) }
    }

    private func root(ofSeed name: String, scheme: SignatureScheme) throws -> KeyPair {
        let place = Root(seed: name, scheme: scheme)
        if let known = roots[place] { return known }
        let root = try Vault.derive(try phrase(named: name), path: .root, password: nil, scheme: scheme)
        roots[place] = root
        return root
    }
}
