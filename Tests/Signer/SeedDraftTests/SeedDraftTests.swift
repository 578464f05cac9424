import SecretMemory
import Substrate
import TestSupport
import Testing

@testable import SeedDraft

/// What a draft shows.
struct DraftView: Equatable {
    var input = ""
    var guesses: [String] = first
    var words: [String] = []
    var phrase: String?

    /// The guesses for nothing.
    static let first = ["abandon", "ability", "able", "about", "above", "absent", "absorb", "abstract"]

    init(input: String = "", guesses: [String] = first, words: [String] = [], phrase: String? = nil) {
        (self.input, self.guesses, self.words, self.phrase) = (input, guesses, words, phrase)
    }

    init(of draft: SeedDraft) throws {
        input = draft.input.publicText
        guesses = try draft.guesses().map(\.publicText)
        words = (0..<draft.wordCount).map { draft.word(at: $0).publicText }
        phrase = try draft.phrase()?.phrase().publicText
    }

    init(expected json: JSON) {
        input = json["userInput"].string ?? "?"
        guesses = json["guesses"].strings
        words = json["draft"].strings
        phrase = json["ready"].string
    }
}

@Suite("A phrase while it is typed")
struct SeedDraftTests {
    @Test(
        "the recorded sessions are followed step by step",
        .enabled(if: SharedData.has("signer-product/seed-draft.json"), "the shared data are not here"))
    func sessions() throws {
        let sessions = try SharedData.json("signer-product/seed-draft.json").array
        #expect(sessions.count == 2)
        for session in sessions {
            var draft = try SeedDraft()
            for (index, step) in session["steps"].array.enumerated() {
                let text = try SecretBytes(publicText: step["data"].string ?? "")
                switch step["action"].string {
                case "TextEntry": try draft.enter(text)
                case "PushWord": try draft.push(text)
                default: Issue.record("step \(index) is no step of a draft")
                }
                #expect(try DraftView(of: draft) == DraftView(expected: step["expect"]), "step \(index)")
            }
        }
    }

    @Test("a new draft is empty and proposes the first words")
    func empty() throws { #expect(try DraftView(of: SeedDraft()) == DraftView()) }

    @Test("what cannot become a word changes nothing")
    func refused() throws {
        var draft = try SeedDraft()
        try draft.enter(" le")
        let typed = DraftView(
            input: "le", guesses: ["leader", "leaf", "learn", "leave", "lecture", "left", "leg", "legal"])
        #expect(try DraftView(of: draft) == typed)
        for text in [" lex", " Le", " le le ", " le-", "\u{e9}", " \0", " legall "] {
            try draft.enter(text)
            #expect(try DraftView(of: draft) == typed, "\(text)")
        }
        try draft.enter(SecretBytes(count: 3) { $0.copyBytes(from: [0x20, 0xff, 0x20]) })
        #expect(try DraftView(of: draft) == typed)
        try draft.enter(String(repeating: "l", count: 100_000))
        #expect(try DraftView(of: draft) == typed)
    }

    @Test("a blank takes a word, and the beginning of only one")
    func taking() throws {
        var draft = try SeedDraft()
        try draft.enter(" legal ")
        try draft.enter("  winne\t")
        // One of the list, and the beginning of another.
        try draft.enter(" than ")
        try draft.enter(" year\n")
        #expect(try DraftView(of: draft) == DraftView(words: ["legal", "winner", "thank", "year"]))
        // A word of its own that others begin with is meant as it stands.
        try draft.enter(" cat ")
        #expect(draft.word(at: 4).publicText == "cat")
        // More than one word is possible.
        try draft.enter(" aut ")
        #expect(try DraftView(of: draft).guesses == ["author", "auto", "autumn"] && draft.wordCount == 5)
        #expect(draft.input.publicText == "aut")
        // A word that stands behind the eighth guess of its beginning is found by itself.
        try draft.enter(" con ")
        #expect(draft.input.publicText == "con" && draft.wordCount == 5)
        try draft.enter(" convince ")
        #expect(draft.word(at: 5).publicText == "convince")
    }

    @Test("an empty field takes the last word back, blanks alone only the letters")
    func takingBack() throws {
        var draft = try SeedDraft()
        try draft.enter("")
        #expect(try DraftView(of: draft) == DraftView())
        try draft.push(text: "legal")
        try draft.enter(" wi")
        try draft.enter(" ")
        #expect(try DraftView(of: draft) == DraftView(words: ["legal"]))
        try draft.enter(" wi")
        try draft.enter("")
        #expect(try DraftView(of: draft) == DraftView())
    }

    @Test("keys of a terminal do the same")
    func keys() throws {
        var draft = try SeedDraft()
        for key in "legal win".utf8 { try draft.type(key) }
        #expect(draft.wordCount == 1 && draft.input.publicText == "win")
        try draft.type(UInt8(ascii: "x"))
        #expect(draft.input.publicText == "win")
        try draft.erase()
        #expect(draft.input.publicText == "wi")
        for key in "nner ".utf8 { try draft.type(key) }
        #expect(try DraftView(of: draft) == DraftView(words: ["legal", "winner"]))
        try draft.erase()
        try draft.erase()
        try draft.erase()
        #expect(try DraftView(of: draft) == DraftView())
    }

    @Test("a word is taken only if it is one, or can become only one")
    func pushing() throws {
        var draft = try SeedDraft()
        for text in ["", "x", "legall", "leg al", "Legal", "le", "legal ", " legal"] {
            #expect(try !draft.push(text: text), "\(text)")
        }
        #expect(draft.wordCount == 0)
        for text in ["legal", "zo", "zoo", "winn"] { #expect(try draft.push(text: text) == (text != "zo"), "\(text)") }
        #expect(try DraftView(of: draft).words == ["legal", "zoo", "winner"])
    }

    @Test("24 words are the most")
    func limit() throws {
        var draft = try SeedDraft()
        for _ in 0..<23 { #expect(try draft.push(text: "abandon")) }
        #expect(try draft.phrase() == nil)
        #expect(try draft.push(text: "art"))
        let phrase = String(repeating: "abandon ", count: 23) + "art"
        #expect(try draft.phrase()?.phrase().publicText == phrase)
        #expect(try !draft.push(text: "zoo") && draft.wordCount == 24)
        // What is typed beyond is shown, and not taken.
        try draft.enter(" zoo ")
        #expect(draft.wordCount == 24 && draft.input.publicText == "zoo")
        try draft.enter("")
        #expect(draft.wordCount == 23 && draft.input.publicText == "")
    }

    @Test("there is a phrase only where the words are one")
    func phrases() throws {
        var draft = try SeedDraft()
        let words = "legal winner thank year wave sausage worth useful legal winner thank yellow"
        for word in words.split(separator: " ") {
            #expect(try draft.phrase() == nil)
            try draft.push(text: "\(word)")
        }
        #expect(try draft.phrase()?.phrase().publicText == words)
        // Twelve words are also the beginning of fifteen.
        try draft.push(text: "legal")
        #expect(try draft.phrase() == nil)
        try draft.enter("")
        try draft.enter("")
        try draft.push(text: "zoo")
        #expect(draft.wordCount == 12)
        #expect(try draft.phrase() == nil)
    }

    @Test("every valid phrase can be typed by the shortest beginnings", arguments: Mnemonic.wordCounts)
    func everyCount(words: Int) throws {
        let mnemonic = try Mnemonic.generate(wordCount: words)
        let phrase = try mnemonic.phrase().publicText
        var draft = try SeedDraft()
        for word in phrase.split(separator: " ") {
            // Four letters tell every word of the list from the others, and words of three are meant as they stand.
            for letter in word.prefix(4).utf8 { try draft.type(letter) }
            try draft.type(UInt8(ascii: " "))
        }
        #expect(try draft.phrase()?.entropy == mnemonic.entropy)
    }

    @Test("wiping forgets words and letters; a copy keeps its own")
    func wiping() throws {
        var draft = try SeedDraft()
        try draft.push(text: "legal")
        try draft.enter(" wi")
        let copy = draft
        try draft.wipe()
        #expect(try DraftView(of: draft) == DraftView())
        #expect(copy.wordCount == 1 && copy.input.publicText == "wi")
    }

    @Test("nothing of a draft can be printed")
    func printing() throws {
        var draft = try SeedDraft()
        try draft.push(text: "legal")
        try draft.enter(" wi")
        var text = ""
        dump(draft, to: &text)
        #expect(!"\(draft) \(text)".contains("legal") && !text.contains("wi\""))
    }

    @Test("no bytes trap, and words are always of the list")
    func randomEdits() throws {
        var random = SplitMix64(state: 24)
        var draft = try SeedDraft()
        var most = 0
        for _ in 0..<5_000 {
            switch Int.random(in: 0..<12, using: &random) {
            case 0: try draft.erase()
            case 1: try draft.enter("")
            case 2, 3, 4: if let guess = try draft.guesses().randomElement(using: &random) { try draft.push(guess) }
            case 5:
                let bytes = (0..<Int.random(in: 0..<20, using: &random)).map { _ in random.byte() }
                try bytes.withUnsafeBytes { try draft.enter(SecretBytes(copying: $0)) }
            default: try draft.type(UInt8(ascii: "a") + random.byte() % 26)
            }
            most = max(most, draft.wordCount)
            #expect(draft.wordCount <= 24 && draft.input.count <= 8)
            #expect(try !draft.guesses().isEmpty)
        }
        #expect(most == 24)
    }
}

extension SeedDraft {
    fileprivate mutating func enter(_ text: String) throws { try enter(SecretBytes(publicText: text)) }

    @discardableResult
    fileprivate mutating func push(text: String) throws -> Bool { try push(SecretBytes(publicText: text)) }
}
