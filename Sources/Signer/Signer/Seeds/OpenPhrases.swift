import SecretMemory
import Substrate

/// Phrases that one action needs, each opened once: opening takes as long as guessing a PIN should take.
final class OpenPhrases {
    private let seeds: any SeedVault
    private let credential: SecretBytes
    private var opened: [String: Mnemonic] = [:]

    init(seeds: any SeedVault, credential: SecretBytes) {
        self.seeds = seeds
        self.credential = credential
    }

    func phrase(named name: String) throws -> Mnemonic {
        if let known = opened[name] { return known }
        let phrase = try seeds.mnemonic(named: name, credential: credential)
        opened[name] = phrase
        return phrase
    }
}
