import SecretMemory
import SplitBackup

/// The shares of a split backup, as they come.
package struct SplitRecoverData: Sendable, Encodable {
    /// What the split was named; nil before the first share.
    package var title: String?
    /// How many shares it takes.
    package var required: Int?
    /// How many there are.
    package var have: Int
    /// The numbers of those that are there.
    package var numbers: [UInt32]

    init(_ shares: ShareSet?) {
        title = shares?.title
        required = shares?.required
        have = shares?.count ?? 0
        numbers = shares?.numbers ?? []
    }
}

/// How a seed is to be split.
package struct SplitExportData: Sendable, Encodable {
    /// The seed's name.
    package var seed: String
    /// Shares at the most.
    package var most: Int
    /// How many shares are proposed.
    package var proposedTotal: Int
    /// How many of them are needed.
    package var proposedRequired: Int

    init(seed: String) {
        self.seed = seed
        most = SplitPlan.mostShards
        proposedTotal = SplitPlan.proposed.total
        proposedRequired = SplitPlan.proposed.required
    }
}

/// One share, as a code.
package struct SplitShardData: Sendable, Encodable {
    /// What the split was named.
    package var title: String
    /// Which one it is, from 1.
    package var number: Int
    /// How many there are.
    package var total: Int
    /// How many are needed.
    package var required: Int
    /// How many were not shown yet.
    package var notShown: Int
    /// The text of the share, for a code.
    package var share: ShownShare
}

/// A share on a screen: a part of a secret, and treated as one where it is written.
package struct ShownShare: Sendable, Encodable {
    /// The share that is on the screen.
    package let share: BackupShare
    /// Its text, for the code.
    package let text: ShownSecret

    init(_ share: BackupShare) throws {
        self.share = share
        var text = share.utf8
        self.text = ShownSecret(try SecretBytes(movingFrom: &text))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let collector = ShownSecret.collector.flatMap({ encoder.userInfo[$0] as? ShownSecrets }) {
            collector.add(text.bytes, at: encoder.codingPath)
        }
        let isRevealed = ShownSecret.reveal.map { encoder.userInfo[$0] as? Bool == true } ?? false
        try container.encode(isRevealed ? share.text : "(hidden)")
    }
}

/// The passphrase of a split backup: shown behind its shares, or asked for before a recovery.
package struct SplitPassphraseData: Sendable, Encodable {
    /// The words to be written down; nil where they are asked for.
    package var passphrase: ShownSecret?
    /// A name for the seed that is recovered.
    package var name: String?
    /// How many wrong ones are still taken.
    package var attemptsLeft: Int?
}

/// The key sets that are exported.
package struct KeySetExportData: Sendable, Encodable {
    /// The names of their seeds.
    package var names: [String]
    /// What the codes say.
    package var code: CodeData
}
