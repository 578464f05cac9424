import Testing
import TextForms

@Suite("Text that somebody outside chose")
struct ForeignTextTests {
    @Test(
        "is quoted, and cannot close the quote",
        arguments: [
            ("hello", "\"hello\""), ("", "\"\""), (#"a" (yours)"#, #""a\" (yours)""#), (#"\"#, #""\\""#),
            (#"\" (yours)"#, #""\\\" (yours)""#), ("a\nb\tc", #""a\nb\tc""#), ("\u{1b}[2J", #""\u{1b}[2J""#),
            ("a\u{202e}b", #""a\u{202e}b""#), ("\u{201d} (yours)", #""\u{201d} (yours)""#),
            ("\u{ff02}", #""\u{ff02}""#), ("é 漢 🙂", "\"é 漢 🙂\""), ("it’s", "\"it’s\""),
        ])
    func quoting(text: String, shown: String) {
        #expect(ForeignText(text).quoted == shown)
        #expect(QuotedText.read(shown) == text)
    }

    @Test("a long run of spaces is counted, a short one is kept")
    func spaces() {
        #expect(ForeignText("a    b").quoted == "\"a    b\"")
        #expect(ForeignText("a     b").quoted == #""a\{5 spaces}b""#)
        #expect(ForeignText(String(repeating: " ", count: 66)).quoted == #""\{66 spaces}""#)
    }

    @Test("marks are drawn onto characters of the text alone, and only a few onto one")
    func marks() {
        #expect(ForeignText("e\u{301}").quoted == "\"e\u{301}\"")
        // Without a character before it a mark would strike the quote through.
        #expect(ForeignText("\u{338}").quoted == #""\u{338}""#)
        #expect(ForeignText("\"\u{338} \u{338}").quoted == #""\"\u{338} \u{338}""#)
        let tower = ForeignText("o" + String(repeating: "\u{30d}", count: 9)).quoted
        #expect(
            tower == "\"o" + String(repeating: "\u{30d}", count: 4) + String(repeating: #"\u{30d}"#, count: 5) + "\"")
    }

    @Test("a block breaks at the text's line breaks and at the width, and marks each line")
    func block() {
        let block = ForeignText("first\nsecond line, which is longer").block(width: 24)
        #expect(
            block.lines == ["│ \"first\\n", "│ second line, which i", "│ s longer\""] && !block.isCut)
        #expect(ForeignText("ends\n").block(width: 24).lines == ["│ \"ends\\n\""])
        #expect(ForeignText("").block(width: 24).lines == ["│ \"\""])
    }

    @Test("a block is cut at the limit of characters or of lines, and says so")
    func cut() {
        func block(_ text: String) -> ForeignText.Block {
            ForeignText(text).block(width: 24, limits: ForeignText.Limits(characters: 5, lines: 2))
        }
        #expect(block("12345").lines == ["│ \"12345\""] && !block("12345").isCut)
        #expect(block("123456").lines == ["│ \"12345\"…"] && block("123456").isCut)
        #expect(block("\n\n\n").lines == ["│ \"\\n", "│ \\n\"…"] && block("\n\n\n").isCut)
        let large = ForeignText(String(repeating: "x", count: 4_000_000)).block(width: 80)
        #expect(large.isCut && large.lines.count == 7)
    }

    @Test("text with letters from right to left does not share a line with other words, nor does one with line breaks")
    func inline() {
        #expect(ForeignText("plain, é 漢 🙂").isInline)
        #expect(!ForeignText("שלום").isInline && !ForeignText("سلام").isInline && !ForeignText("a\nb").isInline)
    }

    @Test(
        "whatever the text is: each line begins with the mark, none is too wide, and all of it reads back",
        arguments: 0..<40)
    func anything(seed: UInt64) throws {
        var random = RandomText(seed: seed)
        for _ in 0..<60 {
            let text = random.next()
            #expect(QuotedText.read(ForeignText(text).quoted) == text)
            for width in [24, 40, 80, 133] {
                let block = ForeignText(text).block(width: width, limits: .init(characters: .max, lines: .max))
                #expect(!block.isCut)
                for line in block.lines {
                    #expect(line.hasPrefix("│ ") && DisplayWidth.of(line) <= width, "\(text.debugDescription)")
                }
                #expect(QuotedText.read(block.lines.map { String($0.unicodeScalars.dropFirst(2)) }.joined()) == text)
                let cut = ForeignText(text).block(width: width, limits: .init(characters: 30, lines: 3))
                #expect(cut.lines.count <= 3 && cut.lines.allSatisfy { DisplayWidth.of($0) <= width })
                let shown = cut.lines.map { String($0.unicodeScalars.dropFirst(2)) }.joined()
                let prefix = try #require(QuotedText.read(cut.isCut ? String(shown.unicodeScalars.dropLast()) : shown))
                #expect(cut.isCut ? text.unicodeScalars.starts(with: prefix.unicodeScalars) : prefix == text)
            }
        }
    }

    @Test(
        "names that are plain stand as they are, others are quoted",
        arguments: [
            ("transfer_keep_alive", "transfer_keep_alive"), ("Balances", "Balances"), ("", "\"\""),
            ("two words", "\"two words\""), ("dest (yours)", "\"dest (yours)\""), ("a\u{202e}b", #""a\u{202e}b""#),
            ("Ваlances", "\"Ваlances\""), ("שם", #""\u{5e9}\u{5dd}""#),
            (
                "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY",
                "\"5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY\""
            ),
        ])
    func names(name: String, shown: String) {
        #expect(ForeignName.shown(name) == shown)
    }

    @Test(
        "titles and paths may hold single spaces and slashes, phrases a few signs more; a symbol begins with no digit")
    func forms() {
        for title in ["Polkadot Asset Hub", "demo//Alice/0"] { #expect(ForeignName.shown(title, as: .title) == title) }
        for title in ["two  spaces", "end ", " begin", "a, b"] {
            #expect(ForeignName.shown(title, as: .title) == "\"\(title)\"")
        }
        #expect(ForeignName.shown("aye, conviction 3×", as: .phrase) == "aye, conviction 3×")
        #expect(ForeignName.shown("on chain (yours)", as: .phrase) == "\"on chain (yours)\"")
        #expect(ForeignName.shown("100 units of Erc20 (contact: Mum)", as: .sentence).first == "\"")
        let word = String(repeating: "x", count: 500)
        #expect(ForeignName.shown("a " + word, as: .phrase).hasPrefix("\"a x"))
        #expect(ForeignName.shown(word).count == 63)
        #expect(ForeignName.isPlainSymbol("USDT"))
        for symbol in ["000 DOT", "0DOT", "", "D(T"] { #expect(!ForeignName.isPlainSymbol(symbol)) }
    }
}

/// Texts that try a screen: ordinary and wide letters, marks, escapes, quotes, spaces, directions, emoji.
private struct RandomText {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 | 1 }

    private mutating func number(below limit: UInt64) -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state % limit
    }

    private static let pieces: [String] = [
        "a", "word ", "\"", "\\", "\n", "\t", "\r\n", "     ", " ", "漢字", "e\u{301}", "\u{301}", "\u{202e}", "\u{200d}",
        "👩‍👩‍👧",
        "🇩🇪", "👍🏽", "שלום", "\u{1b}[2J", "\u{0}", "\u{2028}", "│ ", "(yours)", "\u{201d}", "\\n", "\\{66 spaces}",
        "\\u{41}",
    ]

    mutating func next() -> String {
        var text = ""
        for _ in 0..<number(below: 90) {
            if number(below: 4) == 0 {
                // Any scalar value: 0x110000 less the surrogates.
                let value = UInt32(number(below: 0x10f800))
                text.unicodeScalars.append(Unicode.Scalar(value < 0xd800 ? value : value + 0x800)!)
            } else {
                text += Self.pieces[Int(number(below: UInt64(Self.pieces.count)))]
            }
        }
        return text
    }
}
