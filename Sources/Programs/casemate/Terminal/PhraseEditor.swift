import Console
import SecretMemory
import SeedDraft
import Substrate

/// A recovery phrase while it is typed word by word on the terminal's other screen, of which nothing stays: the words
/// so far with their numbers, and those of the list that begin with what is typed.
///
/// Words and letters are in locked memory alone, and go to the terminal from there.
///
/// Source: `signer-product` section 3.2.
struct PhraseEditor {
    let terminal: Terminal
    /// What the words are for.
    let heading: String
    /// Whether the words have to go from the screen.
    var isWithdrawn: (() -> Bool)?

    /// - Returns: the phrase, once its words are one and the person says that these are all.
    /// - Throws: ``InteractionError/cancelled`` for Ctrl-C and where the terminal goes away.
    func run() throws -> Mnemonic {
        try terminal.onOtherScreen(secrets: true, until: isWithdrawn) {
            try terminal.withoutEcho { try edit() }
        }
    }

    private func edit() throws -> Mnemonic {
        var draft = try SeedDraft()
        var notice = ""
        while true {
            let phrase = try draft.phrase()
            try draw(draft, isReady: phrase != nil, notice: notice)
            guard let key = terminal.keyOfText() else { throw InteractionError.cancelled }
            if Self.ends(key), draft.input.count == 0, let phrase { return phrase }
            notice = try Self.type(key, into: &draft)
        }
    }

    /// - Returns: why nothing came of it, or nothing.
    static func type(_ key: UInt8, into draft: inout SeedDraft) throws -> String {
        switch key {
        case 0x03, 0x04: throw InteractionError.cancelled
        case 0x08, 0x7f: try draft.erase()
        case 0x15: try draft.wipe()
        case UInt8(ascii: "1")...UInt8(ascii: "8"):
            let guesses = try draft.guesses()
            let choice = Int(key - UInt8(ascii: "1"))
            guard draft.input.count > 0, choice < guesses.count else { return "There is no guess of that number." }
            return try draft.push(guesses[choice]) ? "" : full
        case 0x09:
            let guesses = try draft.guesses()
            guard draft.input.count > 0, guesses.count == 1 else { return "Several words begin like this: type on." }
            return try draft.push(guesses[0]) ? "" : full
        case _ where ends(key) || key == UInt8(ascii: " "):
            guard draft.input.count > 0 else { return ends(key) ? "These words are no whole phrase yet." : "" }
            let count = draft.wordCount
            try draft.type(UInt8(ascii: " "))
            guard draft.wordCount == count else { return "" }
            return count < SeedDraft.longestPhrase ? "This is no whole word yet: type on, or choose a guess." : full
        default:
            let count = draft.input.count
            // Capital letters are meant as small ones: the list has no others.
            try draft.type((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(key) ? key | 0x20 : key)
            return draft.input.count > count ? "" : "No word of the list goes on like that."
        }
        return ""
    }

    private static let full = "A phrase has 24 words at the most: take one back first."

    private static func ends(_ key: UInt8) -> Bool { key == 0x0a || key == 0x0d }

    // MARK: Screen

    private static let columns = 4
    /// The longest word has 8 letters.
    private static let wordWidth = 10

    private func draw(_ draft: SeedDraft, isReady: Bool, notice: String) throws {
        terminal.redraw("\(heading)\n\n")
        for position in 0..<draft.wordCount {
            let number = "\(position + 1)"
            terminal.write(String(repeating: " ", count: 4 - number.utf8.count) + number + " ")
            let word = draft.word(at: position)
            try terminal.write(secret: word)
            let isLast = position % Self.columns == Self.columns - 1
            terminal.write(isLast ? "\n" : String(repeating: " ", count: Self.wordWidth - word.count))
        }
        terminal.write("\n\n\(Self.state(draft, isReady: isReady))\n\n")
        if draft.input.count > 0 {
            for (number, guess) in try draft.guesses().enumerated() {
                terminal.write(" \(number + 1) ")
                try terminal.write(secret: guess)
                terminal.write(" ")
            }
        }
        terminal.write(
            """


            Space, Enter: take the word · 1-8: take a guess · Backspace: take a letter or a word back
            Ctrl-U: begin again · Ctrl-C: stop, nothing is stored
            \(notice)

            Word \(draft.wordCount + 1): 
            """)
        try terminal.write(secret: draft.input)
    }

    /// What the words are so far.
    static func state(_ draft: SeedDraft, isReady: Bool) -> String {
        if isReady { return "These \(draft.wordCount) words are a phrase. Enter: these are all. Or type on." }
        guard Mnemonic.wordCounts.contains(draft.wordCount) else {
            return "A phrase has 12, 15, 18, 21 or 24 words; these are \(draft.wordCount)."
        }
        let more = draft.wordCount < SeedDraft.longestPhrase ? " Or more words follow." : ""
        return "The last word does not fit the others: a word is wrong, or two are swapped.\(more)"
    }
}
