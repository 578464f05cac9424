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
    /// What it is, for those who cannot see it; nothing of the words.
    package var label: Text

    package init(_ source: Source, label: Text, isNumbered: Bool = true, hidesAfter: Int? = nil) {
        (self.source, self.label, self.isNumbered, self.hidesAfter) = (source, label, isNumbered, hidesAfter)
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

// Two of them are the same only where they are the same memory: nothing compares secrets for a page.

extension SecretWords: Hashable {
    package static func == (left: SecretWords, right: SecretWords) -> Bool {
        left.identities == right.identities && left.label == right.label && left.isNumbered == right.isNumbered
            && left.hidesAfter == right.hidesAfter
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(label) }

    private var identities: [ObjectIdentifier] {
        switch source {
        case .shown(let words): words.map { ObjectIdentifier($0.bytes) }
        case .phrase(let phrase): [ObjectIdentifier(phrase.bytes)]
        case .onDemand: []
        }
    }
}

extension SecretChoices: Hashable {
    package static func == (left: SecretChoices, right: SecretChoices) -> Bool {
        left.words.map { ObjectIdentifier($0.bytes) } == right.words.map { ObjectIdentifier($0.bytes) }
            && left.label == right.label && left.chosen == right.chosen
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(label) }
}
