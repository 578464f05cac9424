import SignerCore

/// Something that a person fills in.
package struct Field: Hashable, Sendable {
    /// Names a field of a page.
    package struct ID: Hashable, Sendable, ExpressibleByStringLiteral {
        package var name: String
        package init(stringLiteral name: String) { self.name = name }
    }

    package enum Kind: Hashable, Sendable {
        /// Words that are no secret.
        case text(String)
        /// A number within bounds.
        case number(Int, in: ClosedRange<Int>)
        /// Yes or no.
        case toggle(Bool)
        /// The path of a new key, which is looked at while it is typed (``Core/derivationCheck(_:)``).
        case path(String)
        /// A secret, typed into locked memory.
        case secret(Secret)
    }

    /// What is typed into locked memory.
    package enum Secret: Hashable, Sendable {
        case newCredential, credential, password, passphrase
        /// A word that the person has written down, to be compared with one that was shown.
        case writtenWord
        /// A word of a recovery phrase. The field begins with a blank and what is typed of the word so far; each key
        /// that is pressed is told by the message, which takes all that stands in the field then.
        case word(typed: SecretWords, changed: Message)
    }

    package var id: ID
    package var label: Text
    /// What to write and what not.
    package var hint: Text?
    package var kind: Kind
    /// What Enter does; nil for the one control that takes along what stands in the field (``enter(among:)``).
    package var enter: Message?

    package init(_ id: ID, label: Text, kind: Kind, hint: Text? = nil, enter: Message? = nil) {
        (self.id, self.label, self.kind, self.hint, self.enter) = (id, label, kind, hint, enter)
    }
}

/// What is said of a field while it is filled in.
package struct FieldVerdict: Hashable, Sendable {
    package var severity: Severity
    package var text: Text

    package init(severity: Severity, text: Text) { (self.severity, self.text) = (severity, text) }
}
