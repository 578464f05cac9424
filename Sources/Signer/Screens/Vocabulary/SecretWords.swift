import SecretMemory
import SignerCore

/// Secret words on a page. They are drawn from locked memory and never become text.
package struct SecretWords: Sendable {
    /// Where the words come from.
    package enum Source: Sendable, Equatable {
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

// A page that is made anew says the same as before, in other memory. Secrets are compared in a time that depends on
// their lengths alone, and no hash is made of them.

extension SecretWords: Hashable {
    package func hash(into hasher: inout Hasher) { hasher.combine(label) }
}

extension SecretChoices: Hashable {
    package func hash(into hasher: inout Hasher) { hasher.combine(label) }
}
