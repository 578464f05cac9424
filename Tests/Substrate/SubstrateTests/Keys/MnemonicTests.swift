import SecretMemory
import Substrate
import TestSupport
import Testing
import TextForms

/// A public text as a secret, for interfaces that take one.
func secret(_ text: String) throws -> SecretBytes { try SecretBytes(copying: Array(text.utf8)) }

@Suite("Recovery phrases")
struct MnemonicTests {
    static let development = "bottom drive obey lake curtain smoke basket hold race lonely fit walk"
    static let zeros = Array(repeating: "abandon", count: 11).joined(separator: " ") + " about"

    @Test("zero entropy with the password Substrate gives the published seed")
    func publishedSeed() throws {
        let mnemonic = try Mnemonic(phrase: secret(Self.zeros))
        #expect(mnemonic.entropy.revealed == [UInt8](repeating: 0, count: 16))
        let seed = try mnemonic.seed(password: secret("Substrate"))
        let expected =
            "44e9d125f037ac1d51f0a7d3649689d422c2af8b1ec8e00d71db4d7bf6d127e3"
            + "3f50c3d5c84fa3e5399c72d6cbbbbc4a49bf76f76d952f479d74655a2ef2d453"
        #expect(Hex.encode(seed.revealed) == expected)
    }

    @Test("the development phrase gives its published mini-secret, with no password and with an empty one")
    func developmentPhrase() throws {
        let mnemonic = try Mnemonic(phrase: secret(Self.development))
        let expected = "fac7959dbfe72f052e5a0c3c8d6530f202b02fd8f9f5ca3580ec8deb7797479e"
        #expect(Hex.encode(try mnemonic.miniSecret(password: nil).revealed) == expected)
        #expect(Hex.encode(try mnemonic.miniSecret(password: secret("")).revealed) == expected)
    }

    @Test("new phrases of every length are read back, however they are spaced", arguments: Mnemonic.wordCounts)
    func roundTrip(wordCount: Int) throws {
        for _ in 0..<20 {
            let mnemonic = try Mnemonic.generate(wordCount: wordCount)
            #expect(mnemonic.wordCount == wordCount)
            let words = try mnemonic.phrase().publicText
            #expect(words.split(separator: " ").count == wordCount)
            let spaced = "\t" + words.replacing(" ", with: " \u{3000}\n") + " "
            #expect(try Mnemonic(phrase: secret(spaced)).entropy == mnemonic.entropy)
        }
    }

    @Test("a phrase of the wrong length is refused with its number of words", arguments: [0, 1, 11, 13, 25, 300])
    func wordCount(count: Int) throws {
        let phrase = try secret(Array(repeating: "abandon", count: count).joined(separator: " "))
        #expect(throws: MnemonicError.badWordCount(count)) { try Mnemonic(phrase: phrase) }
    }

    @Test("an unknown word is refused by its place; case and abbreviation count")
    func unknownWord() throws {
        for wrong in ["Drive", "driv", "zzzz", "drivé", "drive1"] {
            let phrase = try secret(Self.development.replacing("drive", with: wrong))
            #expect(throws: MnemonicError.unknownWord(1)) { try Mnemonic(phrase: phrase) }
        }
    }

    @Test("swapped words are refused, and the message shows no word")
    func checksum() throws {
        let swapped = Self.development.replacing("bottom drive", with: "drive bottom")
        let error = #expect(throws: MnemonicError.badChecksum) { try Mnemonic(phrase: secret(swapped)) }
        #expect(!"\(String(describing: error))".contains("bottom"))
    }

    @Test("every bit of the check sum counts", arguments: Mnemonic.wordCounts)
    func checksumBits(wordCount: Int) throws {
        let mnemonic = try Mnemonic.generate(wordCount: wordCount)
        let words = try mnemonic.phrase().publicText.split(separator: " ")
        let last = try #require(words.last)
        let place = try #require(EnglishWords.utf8.firstIndex { $0.elementsEqual(last.utf8) })
        for bit in 0..<wordCount / 3 {
            let other = String(decoding: EnglishWords.utf8[place ^ 1 << bit], as: UTF8.self)
            let phrase = (words.dropLast().map(String.init) + [other]).joined(separator: " ")
            #expect(throws: MnemonicError.badChecksum) { try Mnemonic(phrase: secret(phrase)) }
        }
    }

    @Test("entropy has 16, 20, 24, 28 or 32 bytes")
    func entropySizes() throws {
        let taken = try (0...40).filter { count in
            let entropy = try SecretBytes(count: count) { $0.initializeMemory(as: UInt8.self, repeating: 7) }
            return (try? Mnemonic(entropy: entropy)) != nil
        }
        #expect(taken == [16, 20, 24, 28, 32])
    }

    @Test("random bytes are a phrase or a typed error")
    func randomBytes() throws {
        var generator = SplitMix64(state: 20)
        for _ in 0..<2000 {
            var bytes = (0..<Int.random(in: 0...200, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            let phrase = try SecretBytes(movingFrom: &bytes)
            #expect(throws: MnemonicError.self) { try Mnemonic(phrase: phrase) }
        }
    }
}
