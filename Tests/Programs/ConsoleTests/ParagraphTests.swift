import Console
import Testing
import TextForms

@Suite("Paragraphs on a terminal")
struct ParagraphTests {
    private let plain = Style(enabled: false)
    private let address = "5FLSigC9HGRKVhB9FiEo4Y3koPsNmBmLJbpXg2mp1hXcS59Y"

    private func foreign(_ text: String, limits: ForeignText.Limits = .usual) -> Paragraph.Piece {
        .foreign(ForeignText(text), limits: limits) { [.words("all of it: \(text.utf8.count) bytes")] }
    }

    @Test("words are broken at spaces, behind a hanging indentation")
    func words() {
        let paragraph = Paragraph(indent: 2, hanging: 4, [.words("one two three four five six seven")])
        #expect(paragraph.lines(width: 24, style: plain) == ["  one two three four", "    five six seven"])
        #expect(Paragraph.blank.lines(width: 24, style: plain) == [""])
    }

    @Test("an address is not broken where a line holds it, whatever the indentation")
    func whole() {
        let paragraph = Paragraph(indent: 5, hanging: 27, [.words("destination "), .whole(address), .words(", all")])
        #expect(
            paragraph.lines(width: 60, style: plain)
                == ["     destination", "           \(address),", "               all"])
        let deep = Paragraph(indent: 40, hanging: 40, [.whole(String(repeating: "f", count: 66))])
        #expect(deep.lines(width: 70, style: plain).contains("   " + String(repeating: "f", count: 66)))
        let narrow = Paragraph(indent: 2, [.whole(address)]).lines(width: 30, style: plain)
        #expect(narrow.allSatisfy { $0.count <= 30 } && narrow.joined().filter { $0 != " " } == address)
    }

    @Test("text from outside stands on the line where it fits, else on marked lines of its own")
    func foreignText() {
        let short = Paragraph(indent: 2, [.words("name "), foreign("Alice"), .words(" and more")])
        #expect(short.lines(width: 40, style: plain) == ["  name \"Alice\" and more"])
        let long = Paragraph(indent: 2, [.words("name "), foreign("Alice, who lives at the very end of it")])
        #expect(
            long.lines(width: 42, style: plain)
                == ["  name", "    │ \"Alice, who lives at the very end ", "    │ of it\""])
    }

    @Test("text with line breaks, or from right to left, shares no line with other words")
    func ownLines() {
        for text in ["first\nsecond", "שלום"] {
            let lines = Paragraph(indent: 2, [.words("before "), foreign(text), .words("behind")])
                .lines(width: 80, style: plain)
            #expect(lines.first == "  before" && lines.last == "    behind")
            #expect(lines.dropFirst().dropLast().allSatisfy { $0.hasPrefix("    │ ") })
        }
    }

    @Test("behind a text that is cut stands what there is of it")
    func cut() {
        let limits = ForeignText.Limits(characters: 10, lines: 2)
        let lines = Paragraph([foreign("more than ten", limits: limits)]).lines(width: 80, style: plain)
        #expect(lines == ["  │ \"more than \"…", "  all of it: 13 bytes"])
    }

    @Test("deeper indentation than there is room for is told in numbers")
    func deep() {
        let lines = Paragraph(indent: 60, [.words("value")]).lines(width: 80, style: plain)
        #expect(lines == [String(repeating: " ", count: 30) + "[+30] value"])
    }

    @Test("colours are put around what they are for, and not around the indentation")
    func colours() {
        let paragraph = Paragraph(indent: 2, [.words("two words", .bold), .words(" plain")])
        #expect(
            paragraph.lines(width: 40, style: Style(enabled: true)) == ["  \u{1b}[1mtwo words\u{1b}[0m plain"])
    }

    @Test("no line is wider than the terminal", arguments: [24, 33, 60, 80, 200])
    func widths(width: Int) {
        let texts = ["漢字 and 🙂 and e\u{301}", "a\nb", String(repeating: "x", count: 700), "שלום", "\u{1b}[2J"]
        for indent in [0, 3, 20, 90] {
            for text in texts {
                let paragraph = Paragraph(
                    indent: indent, hanging: indent + 9,
                    [
                        .words("some words "), .whole(address), .words("  "), foreign(text),
                        .words(" \(text.prefix(90)) "), .whole("0x" + String(repeating: "f", count: 64)),
                    ])
                for line in paragraph.lines(width: width, style: plain) { #expect(DisplayWidth.of(line) <= width) }
            }
        }
    }
}

@Suite("Pages before a question")
struct PagedReadingTests {
    private func lines(_ count: Int) -> [String] { (0..<count).map(String.init) }

    @Test("what fits is one page")
    func one() {
        #expect(PagedReading.pages(lines(22), rows: 24, reserved: 2).map(\.count) == [22])
        #expect(PagedReading.pages([], rows: 24, reserved: 2).map(\.count) == [0])
    }

    @Test("else the last page is full and leaves room for the questions, and the others for the prompt")
    func several() {
        let pages = PagedReading.pages(lines(60), rows: 24, reserved: 2)
        #expect(pages.map(\.count) == [23, 15, 22])
        #expect(pages.joined().elementsEqual(lines(60)))
    }

    @Test("many questions leave half of the screen to what they are about")
    func manyQuestions() {
        #expect(PagedReading.pages(lines(30), rows: 24, reserved: 100).map(\.count) == [18, 12])
    }
}
