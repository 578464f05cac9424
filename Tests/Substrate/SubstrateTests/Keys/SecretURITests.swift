import SecretMemory
import Substrate
import TestSupport
import Testing
import TextForms

@Suite("Secret URIs and derivation paths")
struct SecretURITests {
    /// phrase, junctions, password as text; nil for a refusal.
    private struct Parsed: Equatable {
        var phrase: String?
        var path: String
        var password: String?
    }

    private func parse(_ text: String) throws -> Parsed? {
        guard let uri = try? SecretURI(parsing: secret(text)) else { return nil }
        func shown(_ bytes: SecretBytes?) -> String? { bytes?.publicText }
        return Parsed(phrase: shown(uri.phrase), path: "\(uri.path)", password: shown(uri.password))
    }

    @Test("phrase, junctions and password come apart")
    func parts() throws {
        #expect(
            try parse("a b//Alice/soft///pass/word")
                == Parsed(phrase: "a b", path: "//Alice/soft", password: "pass/word"))
        #expect(try parse("//Alice") == Parsed(phrase: nil, path: "//Alice", password: nil))
        #expect(try parse("a///") == Parsed(phrase: "a", path: "", password: ""))
        #expect(try parse("a////x") == Parsed(phrase: "a", path: "", password: "/x"))
        #expect(try parse("") == Parsed(phrase: nil, path: "", password: nil))
    }

    @Test(
        "a secret URI with a wrong character is refused, and in which part",
        arguments: [
            ("a/", SURIError.invalidCharacterInSoftPath), ("a//", .invalidCharacterInHardPath),
            ("a.b", .invalidCharacterInPhrase), ("a\tb", .invalidCharacterInPhrase),
            ("a//b///x\ny", .invalidCharacterInPassword), ("a///\n", .invalidCharacterInPassword),
        ])
    func refusals(text: String, error: SURIError) throws {
        let secret = try secret(text)
        #expect(throws: error) { try SecretURI(parsing: secret) }
    }

    @Test("parsing agrees with the regular expression of the grammar on random text")
    func grammar() throws {
        let grammar = /([a-zA-Z0-9 ]+)?((\/\/?[^\/]+)*)(\/\/\/([^\n]*))?/.matchingSemantics(.unicodeScalar)
        let alphabet = Array("ab/// \n.é")
        var generator = SplitMix64(state: 21)
        for _ in 0..<20_000 {
            let text = String(
                (0..<Int.random(in: 0...9, using: &generator)).map { _ in alphabet.randomElement(using: &generator)! })
            let expected = text.wholeMatch(of: grammar).map { match in
                Parsed(
                    phrase: match.1.map(String.init), path: String(match.2), password: match.5.map(String.init))
            }
            #expect(try parse(text) == expected, "\(text.debugDescription)")
        }
    }

    @Test(
        "junctions stand for numbers, strings or hashes",
        arguments: [
            ("Alice", "14416c6963650000000000000000000000000000000000000000000000000000"),
            ("1", "0100000000000000000000000000000000000000000000000000000000000000"),
            ("+0", "0000000000000000000000000000000000000000000000000000000000000000"),
            ("18446744073709551615", "ffffffffffffffff000000000000000000000000000000000000000000000000"),
            (String(repeating: "a", count: 31), "7c" + String(repeating: "61", count: 31)),
            (String(repeating: "a", count: 32), "75ad2af4378b683f716ddf82fef713e873c85a6376ce2acf71d04f79e221a068"),
        ])
    func chainCodes(code: String, expected: String) throws {
        let path = try DerivationPath(parsing: "//" + code)
        #expect(path.junctions.map { Hex.encode($0.chainCode) } == [expected])
    }

    @Test("a stored path has no phrase, no password and no control characters")
    func paths() throws {
        #expect(try DerivationPath(parsing: "").junctions.isEmpty)
        #expect("\(try DerivationPath(parsing: "//polkadot/0//1"))" == "//polkadot/0//1")
        #expect(throws: SURIError.passwordInPath) { try DerivationPath(parsing: "//a///secret") }
        #expect(throws: SURIError.pathWithoutSlash) { try DerivationPath(parsing: "polkadot") }
        // Nobody who types a path is told of a phrase.
        #expect("\(SURIError.pathWithoutSlash)" == "A path begins with / or //.")
        #expect(throws: SURIError.invalidCharacterInHardPath) { try DerivationPath(parsing: "//a\nb") }
        #expect(throws: SURIError.invalidCharacterInSoftPath) { try DerivationPath(parsing: "/") }
    }

    @Test("a text without phrase is not replaced by a known one")
    func noSilentPhrase() throws {
        let uri = try SecretURI(parsing: secret("//Alice"))
        #expect(throws: SURIError.invalidPhrase(.badWordCount(0))) { try uri.miniSecret() }
    }

    @Test("a seed in hex is 0x and 64 digits", arguments: ["0x11", "0x" + String(repeating: "z", count: 64)])
    func badSeed(text: String) throws {
        let uri = try SecretURI(parsing: secret(text))
        #expect(throws: SURIError.invalidSeed) { try uri.miniSecret() }
    }
}
