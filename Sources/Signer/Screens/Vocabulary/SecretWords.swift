import SecretMemory
import SignerCore

/// Secret words on a page. They are drawn from locked memory and never become text.
package struct SecretWords: Sendable {
    /// Where the words come from.
    package enum Source: Sendable {
        /// They are on the page.
        case shown([ShownSecret])
        /// One secret with single blanks between its words.
        case phrase(ShownSecret)
        /// They are handed out when somebody wants to see them: ``Core/backupPhrase()``.
        case onDemand
    }

    package var source: Source
    /// Whether the words are numbered, from 1.
    package var isNumbered: Bool
    /// After how many seconds they are hidden again; nil for as long as the page is there.
    package var hidesAfter: Int?
    /// The toggle that hides them while it is on; nil for none.
    package var hiddenBy: Field.ID?
    /// What it is, for those who cannot see it; nothing of the words.
    package var label: Text

    package init(
        _ source: Source, label: Text, isNumbered: Bool = true, hidesAfter: Int? = nil, hiddenBy: Field.ID? = nil
    ) {
        (self.source, self.label, self.isNumbered) = (source, label, isNumbered)
        (self.hidesAfter, self.hiddenBy) = (hidesAfter, hiddenBy)
    }
}

/// Secret words of which one is chosen.
package struct SecretChoices: Sendable {
    package var words: [ShownSecret]
    /// What it is, for those who cannot see it.
    package var label: Text
    /// What choosing one does; the word goes along as the secret.
    package var chosen: CoreCall

    package init(_ words: [ShownSecret], label: Text, chosen: CoreCall) {
        (self.words, self.label, self.chosen) = (words, label, chosen)
    }
}

extension ShownSecret {
    /// Which memory it is.
    var identity: ObjectIdentifier { ObjectIdentifier(bytes) }
}

// Two of them are the same only where they are the same memory: nothing compares secrets for a page.

extension SecretWords: Hashable {
    package static func == (left: SecretWords, right: SecretWords) -> Bool {
        left.identities == right.identities && left.label == right.label && left.isNumbered == right.isNumbered
            && left.hidesAfter == right.hidesAfter && left.hiddenBy == right.hiddenBy
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(label) }

    private var identities: [ObjectIdentifier] {
        switch source {
        case .shown(let words): words.map(\.identity)
        case .phrase(let phrase): [phrase.identity]
        case .onDemand: []
        }
    }
}

extension SecretChoices: Hashable {
    package static func == (left: SecretChoices, right: SecretChoices) -> Bool {
        left.words.map(\.identity) == right.words.map(\.identity)
            && left.label == right.label && left.chosen == right.chosen
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(label) }
}
