import Identicons
import SignerCore
import TextForms

/// A part of a page.
package indirect enum Block: Hashable, Sendable {
    /// A heading above what follows.
    case heading(Text)
    /// Words of the program.
    case text(Text)
    /// What counts most, large: an amount, a number of calls.
    case headline(Text, caption: Text)
    /// A risk, a refusal, a note: icon, word, title and text.
    case card(Severity, title: Text, text: Text)
    /// Rows that belong together.
    case group(title: Text?, [Row])
    /// Text from outside, in quotes, on lines of its own that the program has broken and marked.
    case foreign(ForeignBlock)
    /// Lines with indents, each as wide as it is: decoded cards.
    case tree([TreeLine])
    /// What is folded away until somebody opens it.
    case fold(title: Text, [Block])
    /// Something to be filled in.
    case field(Field)
    /// Buttons beside each other.
    case buttons([Control])
    /// A code, or a moving one, that a wallet scans.
    case code(CodePicture)
    /// Secret words, drawn one by one from locked memory.
    case words(SecretWords)
    /// Secret words to choose from, drawn likewise.
    case guesses(SecretChoices)
    /// A camera's picture with how far it has come.
    case scanner(Scanner)
    /// An empty place, and what would be here.
    case empty(Icon, title: Text, text: Text)
}

/// A row of a group.
package struct Row: Hashable, Sendable {
    /// What stands at the beginning of a row.
    package enum Picture: Hashable, Sendable {
        case icon(Icon)
        /// The picture of a public key.
        case identicon(Identicon)
    }

    /// Which of its lines counts most.
    package enum Emphasis: Hashable, Sendable {
        /// What it is called: of things that can be gone to, whose value says more of them.
        case title
        /// What it says: of facts, whose title tells what the value is of.
        case value
    }

    /// A word with an icon, at the end of a row.
    package struct Mark: Hashable, Sendable {
        package var severity: Severity
        package var icon: Icon
        package var text: Text
    }

    /// Names the row among its neighbours, for tests and assistive technology.
    package var id: String
    package var picture: Picture?
    package var title: Text
    /// What it says, which is never cut.
    package var value: Text?
    /// What stands beside the value: whose an address is, and what it is not.
    package var detail: Text?
    package var marks: [Mark] = []
    /// What pressing it does; nil for rows that only say something.
    package var press: Message?
    /// Whether it is selected; nil where nothing is being selected.
    package var isSelected: Bool?
    /// What else can be done with it.
    package var choices: [Control] = []
    package var emphasis = Emphasis.value

    package init(
        id: String, picture: Picture? = nil, title: Text, value: Text? = nil, detail: Text? = nil, marks: [Mark] = [],
        press: Message? = nil, isSelected: Bool? = nil, choices: [Control] = [], emphasis: Emphasis = .value
    ) {
        (self.id, self.picture, self.title, self.value, self.detail) = (id, picture, title, value, detail)
        (self.marks, self.press, self.isSelected, self.choices) = (marks, press, isSelected, choices)
        self.emphasis = emphasis
    }
}

/// Text from outside as a page shows it.
package struct ForeignBlock: Hashable, Sendable {
    /// Lines that begin with the gutter and stand as they are, each as wide as it is.
    package var lines: [String]
    /// What is said where the text goes on behind them.
    package var rest: Text?
}

/// A line of decoded cards.
package struct TreeLine: Hashable, Sendable {
    /// Steps to the right.
    package var indent: Int
    package var text: Text
}

/// A camera, and what its pictures are for.
package struct Scanner: Hashable, Sendable {
    /// What is done with what was scanned.
    package enum Purpose: Hashable, Sendable { case payload, share }

    package var purpose: Purpose
    /// What to hold before the camera.
    package var advice: Text
}
