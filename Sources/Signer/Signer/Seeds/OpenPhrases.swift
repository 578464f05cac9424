import Substrate

/// Phrases that one action needs, each opened once.
final class OpenPhrases {
    private let seeds: any SeedVault
    private var opened: [String: Mnemonic] = [:]

    init(_ seeds: any SeedVault) {
        self.seeds = seeds
    }

    func phrase(named name: String) throws -> Mnemonic {
        if let known = opened[name] { return known }
        let phrase = try seeds.mnemonic(named: name)
        opened[name] = phrase
        return phrase
    }
}
