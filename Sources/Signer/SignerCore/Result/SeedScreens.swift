import SecretMemory
import SeedDraft
import Signer
import TextForms

/// The seeds to choose from.
package struct SeedSelectorData: Sendable, Encodable {
    /// A seed on its card.
    package struct Card: Sendable, Encodable {
        /// What the person called it.
        package var name: String
        /// The sr25519 key at its root in hex, from which its picture is drawn; nil where there is none.
        package var root: String?
        /// Keys below the root.
        package var keyCount: Int
        /// Whether its phrase is here.
        package var isStored: Bool
        /// Whether it is the public development phrase: notice DevelopmentPhrase.
        package var isPublic: Bool
    }

    /// The seeds by name.
    package var seeds: [Card]

    init(of vault: Vault?) throws {
        let keys = try vault?.keys() ?? []
        let development = DevelopmentPhrase.seed(among: keys)
        seeds =
            try vault?.seedSummaries().map { seed in
                let own = keys.filter { $0.details.seedName == seed.name }
                let root = own.first(where: \.details.isSeedRoot)
                return Card(
                    name: seed.name, root: root.map { Hex.encode($0.signer.publicKey) },
                    keyCount: own.count { !$0.details.isRoot }, isStored: seed.isStored,
                    isPublic: seed.name == development)
            } ?? []
    }
}

/// The name of a seed that is made or recovered.
package struct NewSeedData: Sendable, Encodable {
    /// Whether the keyboard is shown at once.
    package var keyboard: Bool
    /// The name as far as it is known.
    package var name: String?
}

/// The words of a new seed, to be written down.
package struct NewSeedBackupData: Sendable, Encodable {
    /// What the seed will be called when it is made.
    package var name: String
    /// The words, single blanks between.
    package var phrase: ShownSecret
    /// How many words there are.
    package var wordCount: Int
    /// What is to be said of throws that they were made of as well.
    package var thrown: String?
}

/// The words of a seed that is recovered, as far as they were typed.
package struct RecoverSeedPhraseData: Sendable, Encodable {
    /// What the seed will be called when its words are entered.
    package var name: String
    /// What is typed of the next word.
    package var input: ShownSecret
    /// Words that begin with it.
    package var guesses: [ShownSecret]
    /// Words that were entered before it, in order.
    package var words: [ShownSecret]
    /// Whether the words are a phrase.
    package var isReady: Bool
    /// What a person should know of the phrase.
    package var notices: [NoticeData]

    init(name: String, draft: SeedDraft) throws {
        self.name = name
        input = ShownSecret(draft.input)
        guesses = try draft.guesses().map { ShownSecret($0) }
        words = (0..<draft.wordCount).map { ShownSecret(draft.word(at: $0)) }
        let phrase = try draft.phrase()
        isReady = phrase != nil
        notices = phrase.map { DevelopmentPhrase.isThis($0) } ?? false ? [.developmentPhrase(seed: name)] : []
    }
}

/// The backup of a seed: whose it is, and which keys it gives. The words are handed out by ``Core/backupPhrase()``.
package struct BackupData: Sendable, Encodable {
    /// The keys of a network.
    package struct Network: Sendable, Encodable {
        /// What lists call the network.
        package var title: String
        /// Paths, each with a mark where a password belongs to it.
        package var keys: [Key]
    }

    /// What it takes to make a key again from the phrase.
    package struct Key: Sendable, Encodable {
        /// The path without its password.
        package var path: String
        /// Whether a password belongs to it.
        package var hasPassword: Bool
    }

    /// The seed's name.
    package var seed: String
    /// The keys by network, in the order of lists.
    package var networks: [Network]

    init(seed: String, vault: Vault) throws {
        self.seed = seed
        let keys = try vault.keys().filter { $0.details.seedName == seed }
        networks = try vault.networks().map { network in
            Network(
                title: network.title,
                keys: keys.filter { $0.details.networks.contains(network.key) }.map {
                    Key(path: $0.details.path, hasPassword: $0.details.hasPassword)
                })
        }
    }
}

/// What can be done with a seed.
package struct SeedMenuData: Sendable, Encodable {
    /// The seed's name.
    package var seed: String
}
