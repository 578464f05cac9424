import Screens
import SecretMemory
import Testing

@testable import SignerSession

@Suite struct TypedSecretTests {
    private func text(_ secret: SecretBytes?) -> String? {
        secret.map { $0.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
    }

    private func typing(_ text: String, _ signs: TypedSecret.Signs = .all, limit: Int = 256) throws -> TypedSecret {
        var typed = TypedSecret(signs, limit: limit)
        for sign in text.unicodeScalars { _ = try typed.type(sign) }
        return typed
    }

    @Test("what is typed is there as UTF-8, sign by sign")
    func types() throws {
        let typed = try typing("Aß€😀")
        #expect(text(typed.bytes) == "Aß€😀")
        #expect(typed.count == 4)
    }

    @Test("Backspace takes a sign away, however many bytes it has", arguments: ["aß", "a€", "a😀", "ab"])
    func deletes(_ written: String) throws {
        var typed = try typing(written)
        try typed.deleteLast()
        #expect(text(typed.bytes) == "a")
        try typed.deleteLast()
        #expect(typed.bytes == nil)
        try typed.deleteLast()
        #expect(typed.count == 0)
    }

    @Test("no more signs are taken than the limit says")
    func limits() throws {
        var typed = try typing("1234", limit: 4)
        #expect(try !typed.type("5"))
        #expect(text(typed.bytes) == "1234")
    }

    @Test("of a word, small letters are taken, and capitals for small ones")
    func takesWords() throws {
        #expect(text(try typing("Ab1 \u{e9}c", .letters).bytes) == "abc")
        #expect(text(try typing(" Ab1c", .words).bytes) == " abc")
    }

    @Test("what is taken is gone, and a copy leaves it there")
    func takes() throws {
        var typed = try typing("1234")
        #expect(text(try typed.copy()) == "1234")
        #expect(text(try typed.take()) == "1234")
        #expect(typed.bytes == nil && typed.count == 0)
        #expect(try typed.take().count == 0)
    }

    @Test("what the core gives back takes the place of what was typed")
    func replaces() throws {
        var typed = try typing("abandn", .words)
        typed.replace(by: try SecretBytes(count: 1) { $0[0] = UInt8(ascii: " ") })
        #expect(typed.count == 1)
        _ = try typed.type("x")
        #expect(text(typed.bytes) == " x")
    }

    @Test(
        "words of a phrase are told apart wherever blanks stand",
        arguments: [
            ("one two three", ["one", "two", "three"]), ("  one  two ", ["one", "two"]), ("", []), (" ", []),
            ("one", ["one"]),
        ])
    func splits(_ phrase: String, _ words: [String]) {
        let bytes = Array(phrase.utf8)
        let found = bytes.withUnsafeBytes { buffer in
            WordRanges(of: buffer).ranges.map { String(decoding: buffer[$0], as: UTF8.self) }
        }
        #expect(found == words)
    }
}
