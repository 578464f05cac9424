import Testing

@testable import SignerSession

@Suite struct WordRangesTests {
    private func words(of text: String) -> [String] {
        let bytes = Array(text.utf8)
        return bytes.withUnsafeBytes { buffer in
            WordRanges(of: buffer).ranges.map { String(decoding: buffer[$0], as: UTF8.self) }
        }
    }

    @Test("words of a phrase have blanks between them, and those of a passphrase keep their hyphens")
    func splits() {
        #expect(words(of: "") == [] && words(of: "  ") == [])
        #expect(words(of: " old  lake ") == ["old", "lake"])
        #expect(words(of: "abacus-yo-yo-lake") == ["abacus-", "yo-", "yo-", "lake"])
        #expect(words(of: "-a-") == ["-", "a-"])
    }
}
