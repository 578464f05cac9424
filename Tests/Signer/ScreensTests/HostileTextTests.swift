import Foundation
import Navigator
import Signer
import Substrate
import TestSupport
import Testing
import TextForms
import Tours

@testable import Screens
@testable import SignerCore

/// Text from outside can neither hide, reorder nor end what the program says.
@Suite("Hostile text on pages")
struct HostileTextTests {
    static let hostile = [
        "Press OK\u{202e}", "a\u{200b}b", "\u{1b}[2J", "yours: Alice", "\"; rm", "<b>bold</b>", "line\nTotal: 0",
        "\u{2800}\u{2800}", "é\u{301}\u{301}\u{301}", "0x\u{feff}00",
    ]

    private func check(_ page: Page, sourceLocation: SourceLocation = #_sourceLocation) {
        for text in page.texts {
            let isClean = text.plain.unicodeScalars.allSatisfy { scalar in
                !ScreenText.escape(String(scalar)).hasPrefix("\\u{")
            }
            #expect(isClean, "\(text.plain)", sourceLocation: sourceLocation)
        }
    }

    @Test("interpolated text is quoted where it is not plain", arguments: hostile.filter { $0 != "yours: Alice" })
    func interpolation(_ text: String) {
        let shown: Text = "Forget \(text)?"
        #expect(shown.plain.hasPrefix("Forget \"") && shown.plain.hasSuffix("\"?"))
        #expect(shown.plain.allSatisfy { $0 != "\n" && $0 != "\u{1b}" && $0 != "\u{202e}" })
    }

    @Test("remarks and messages are in quotes, escaped, and broken by the program", arguments: hostile)
    func remarks(_ text: String) throws {
        let window = try Window()
        try window.recoverAlice()
        try window.press("Scan")
        let remark = try window.scan(WestendPayload.transaction(WestendPayload.remark(text)))
        check(remark)
        #expect(remark.plain.contains("\""))
        try window.press("refuse")
        let message = try window.scan(WestendPayload.message(text))
        check(message)
        for case .foreign(let block) in message.allBlocks {
            #expect(block.lines.allSatisfy { $0.hasPrefix(ForeignText.gutter) && DisplayWidth.of($0) <= 34 })
        }
    }

    @Test("a note in the log and one of a contact are in quotes wherever they stand")
    func notes() throws {
        let window = try Window(hasMetadata: false)
        try window.recoverAlice()
        try window.press("Log")
        for text in Self.hostile where !text.contains("\u{1b}") {
            try window.press("menu")
            try window.press("note")
            try window.press("write", ["note": text])
            check(window.page)
            try window.press(try window.id("entry-"))
            check(window.page)
            try window.press("back")
        }
    }

    @Test("the name of a vault is a name like any other")
    func vaultName() throws {
        let window = try Window(hasMetadata: false)
        var pages = Pages(vault: "demo\u{202e}\nvault")
        pages.remember(window.result)
        #expect(pages.page(of: window.result).vault.plain == "\"demo\\u{202e}\\nvault\"")
    }

    @Test("no page of the tour has an address in part")
    func wholeAddresses() throws {
        for page in try Tour.pages() {
            check(page)
            for row in page.allBlocks.flatMap(\.rows) {
                guard case .identicon = row.picture, let value = row.value?.plain, !value.hasPrefix("0x"),
                    value.contains(where: \.isNumber), !value.contains("derived key")
                else { continue }
                let address = value.filter { $0 != " " }
                #expect((try? SS58.decode(address)) != nil, "\(page.position) \(value)")
            }
            #expect(!page.allBlocks.flatMap(\.rows).contains { $0.value?.plain.contains("…") ?? false })
        }
    }
}
