import BasicFoundation
import Navigator
import SecretMemory
import SeedDraft
import Signer
import Substrate

/// Seeds: names, new ones, recovered ones, removal.
extension ActionExecution {
    func hasNoSeeds() -> Bool {
        // Of a vault that is not open nobody knows.
        guard state.vault != nil || !host.isOnboarded else { return false }
        // A vault that cannot be read has none to show; the screen tells why.
        let hasNone = (try? state.vault?.seedNames().isEmpty) ?? true
        if hasNone, state.position.screen == .transaction { failure = CoreError.noKnownSeeds }
        return hasNone
    }

    func nameIsFree() -> Bool {
        succeeds { _ = try vault().checkedSeedName(data) }
    }

    func seedIsKnown() -> Bool {
        succeeds {
            guard try vault().seedSummaries().contains(where: { $0.name == data }) else {
                throw SignerError.seedNotFound(name: data)
            }
        }
    }

    /// The keys of a seed, in the first network.
    func chooseSeed(_ name: String) throws {
        state.seed = name
        state.network = try vault().networks().first?.key
        state.specialty = .none
    }

    func generatePhrase() throws {
        state.newName = try vault().checkedSeedName(data)
        state.newPhrase = try Mnemonic.generate(from: host.random)
    }

    /// A new phrase as a page asks for it.
    private struct PhraseWish: Decodable {
        var name: String
        /// How many words it is to have.
        var words: String?
        /// `dice` or `coins`, where they were thrown; the throws are the secret.
        var thrown: [String]?
    }

    /// Makes a phrase of as many words as the data say, from what was thrown as well.
    func makesPhrase() -> Bool {
        succeeds {
            guard let wish = try? JSONDecoder().decode(PhraseWish.self, from: Data(data.utf8)) else {
                throw CoreError.phraseMalformed
            }
            let name = try vault().checkedSeedName(wish.name)
            guard let count = Int(wish.words ?? "24") else { throw CoreError.phraseMalformed }
            var source = host.random
            var note: String?
            if let thrown = wish.thrown?.first {
                guard let kind = ThrownRandom.Kind(rawValue: thrown) else { throw CoreError.phraseMalformed }
                let throwing = try ThrownRandom(secret ?? SecretBytes(count: 0) { _ in }, of: kind)
                source = MixedRandom([source, throwing])
                note = throwing.told(as: kind)
            }
            state.newPhrase = try Mnemonic.generate(wordCount: count, from: source)
            (state.newName, state.newPhraseNote) = (name, note)
        }
    }

    /// Stores the seed whose words were shown, or that was recovered.
    func createSeed() throws {
        guard let name = state.newName else { throw CoreError.noSeedChosen }
        let mnemonic = state.position.screen == .newSeed ? try shownPhrase() : try recoveredPhrase()
        try vault().storeSeed(mnemonic, named: name, withRoots: data == "true")
        try chooseSeed(name)
    }

    /// The words that were shown; those given, if any, are the same.
    private func shownPhrase() throws -> Mnemonic {
        guard let shown = state.newPhrase else { throw CoreError.noSeedPhrase }
        if let secret {
            guard secret.count > 0 else { throw CoreError.noSeedPhrase }
            guard try Mnemonic(phrase: secret).entropy == shown.entropy else {
                throw SignerError.seedPhraseMismatch(seed: state.newName ?? "")
            }
        }
        return shown
    }

    /// The words given, or those that were typed one by one.
    private func recoveredPhrase() throws -> Mnemonic {
        if let secret {
            guard secret.count > 0 else { throw SignerError.emptySeed }
            return try Mnemonic(phrase: secret)
        }
        guard let draft = state.draft, draft.wordCount > 0 else { throw SignerError.emptySeed }
        guard let mnemonic = try draft.phrase() else {
            guard Mnemonic.wordCounts.contains(draft.wordCount) else {
                throw MnemonicError.badWordCount(draft.wordCount)
            }
            throw MnemonicError.badChecksum
        }
        return mnemonic
    }

    func beginDraft() throws {
        state.newName = try vault().checkedSeedName(data)
        state.draft = try SeedDraft()
    }

    func editDraft(_ edit: (inout SeedDraft, SecretBytes) throws -> Void) throws {
        guard var draft = state.draft else { return }
        try edit(&draft, secretOrData())
        state.draft = draft
    }

    func renamesSeed() -> Bool {
        succeeds {
            guard let seed = state.seed else { throw CoreError.noSeedChosen }
            try vault().renameSeed(named: seed, to: data)
        }
    }

    func removeSeed() throws {
        guard let seed = state.seed else { throw CoreError.noSeedChosen }
        try vault().removeSeed(named: seed)
    }

    /// Compares phrases that a host gave with those that the vault has: one for each seed, in their order, a line each.
    ///
    /// - Parameter seeds: names.
    func checkPhrases(of seeds: [String]) throws {
        guard let secret else { return }
        let phrases = try secret.lines()
        guard phrases.count == seeds.count else {
            throw CoreError.seedsNumMismatch(given: phrases.count, needed: seeds.count)
        }
        for (seed, phrase) in zip(seeds, phrases) {
            guard phrase.count > 0 else { throw CoreError.noSeedPhrase }
            guard try vault().hasPhrase(phrase, ofSeed: seed) else { throw SignerError.seedPhraseMismatch(seed: seed) }
        }
    }
}

extension SecretBytes {
    /// The parts between line ends.
    fileprivate func lines() throws -> [SecretBytes] {
        let ends = withUnsafeBytes { bytes in bytes.indices.filter { bytes[$0] == 0x0a } } + [count]
        var start = 0
        return try ends.map { end in
            defer { start = end + 1 }
            return try part(start..<end)
        }
    }
}
