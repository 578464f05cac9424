import Foundation
import SecretMemory
import TestSupport
import Testing
import TextForms

@testable import Substrate

@Suite("The seed of BIP-39 wallets")
struct StandardSeedTests {
    static func seed(passphrase: String?) throws -> String {
        let mnemonic = try Mnemonic(phrase: secret(MnemonicTests.development))
        return Hex.encode(try mnemonic.standardSeed(passphrase: passphrase.map { try secret($0) }).revealed)
    }

    @Test("the development phrase gives the seed that another implementation gives, also with an empty passphrase")
    func plain() throws {
        let expected =
            "02d5cd1db85b4d1397d78978062a1160e76e94cc5aaad3089644846865bb18fc"
            + "68ddf383059d3fe82902a203d60790a8c8ab488de5013d10a8a8bded8d9174b9"
        #expect(try Self.seed(passphrase: nil) == expected)
        #expect(try Self.seed(passphrase: "") == expected)
    }

    @Test("a passphrase is normalised: ligatures, units, syllables and marks in disorder")
    func normalised() throws {
        #expect(
            try Self.seed(passphrase: "\u{c5}\u{fb01} \u{334d} \u{ac01}")
                == "d33def1398e0da4a6493d0971c04b523af93af6fda475434a749abd89e477f2b"
                + "fcde37c3eb81deee764c2600f38f69691722fbb66a93f114fc7ac493dcc34fbb")
        #expect(
            try Self.seed(passphrase: "q\u{307}\u{323}")
                == "5534bf047294e320cf37256a04fea5e954b708adda4ca1d8428650e8d2d6ac32"
                + "1134847317dbe9bf2ff452d42b4d801880433fa3cbd8ba06a9d440e630e1921f")
        #expect(try Self.seed(passphrase: "\u{e4}") == Self.seed(passphrase: "a\u{308}"))
    }

    @Test(
        "bytes that are no text are refused as a passphrase", arguments: [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80]])
    func notText(bytes: [UInt8]) throws {
        var bytes = bytes
        let passphrase = try SecretBytes(movingFrom: &bytes)
        let mnemonic = try Mnemonic(phrase: secret(MnemonicTests.development))
        #expect(throws: MnemonicError.passphraseNotText) { try mnemonic.standardSeed(passphrase: passphrase) }
    }

    @Test("the table of decompositions is Foundation's, for each character")
    func table() {
        var differing: [String] = []
        for value in UInt32(0x80)...0x10ffff {
            guard let scalar = Unicode.Scalar(value) else { continue }
            var parts = String.UnicodeScalarView()
            DecompositionTable.shared.forEachPart(of: scalar) { parts.append(Unicode.Scalar($0) ?? "?") }
            // Equal as the standard library compares: Foundation leaves some marks out of order.
            if String(parts) != String(scalar).decomposedStringWithCompatibilityMapping {
                differing.append(String(value, radix: 16))
            }
        }
        #expect(differing.isEmpty)
    }

    @Test("normalising random text is equivalent to Foundation's, with marks in order, and twice is once")
    func randomText() throws {
        var generator = SplitMix64(state: 22)
        let ranges: [ClosedRange<UInt32>] = [
            0x20...0x7e, 0xa0...0x17f, 0x300...0x36f, 0x590...0x6ff, 0x1e00...0x1fff, 0x2460...0x24ff, 0x3300...0x33ff,
            0xac00...0xd7a3, 0xf900...0xfaff, 0xfb00...0xfdff, 0x1d100...0x1d7ff, 0x2f800...0x2fa1d,
        ]
        for _ in 0..<2000 {
            var text = ""
            for _ in 0..<Int.random(in: 0...12, using: &generator) {
                let range = ranges.randomElement(using: &generator) ?? 0x20...0x7e
                if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &generator)) {
                    text.unicodeScalars.append(scalar)
                }
            }
            let normalised = try #require(try CompatibilityDecomposition.normalise(secret(text)))
            let found = normalised.publicText
            // Equal as the standard library compares: Foundation leaves some marks out of order.
            #expect(found == text.decomposedStringWithCompatibilityMapping)
            let classes = found.unicodeScalars.map(\.properties.canonicalCombiningClass)
            #expect(zip(classes, classes.dropFirst()).allSatisfy { $0 <= $1 || $1 == .notReordered })
            #expect(try CompatibilityDecomposition.normalise(normalised) == normalised)
        }
    }

    @Test(
        "the published seeds of all word counts", .enabled(if: SharedData.has("substrate-crypto/published.json")))
    func published() throws {
        let rows = try SharedData.json("substrate-crypto/published.json")["bip39_standard"]["vectors"].array
        try #require(!rows.isEmpty)
        for row in rows {
            let mnemonic = try Mnemonic(phrase: secret(row["phrase"].string ?? ""))
            #expect(try mnemonic.standardSeed(passphrase: secret("TREZOR")).revealed == row["seed"].hex)
        }
    }
}
