import Foundation
import TestSupport
import Testing
import TextForms

@Suite("The composed form of texts")
struct CanonicalCompositionTests {
    @Test("each character alone, and before and behind marks, is in that form where Foundation says so")
    func characters() {
        var differing: [String] = []
        // Syllables, compatibility characters, musical marks and a few of all planes, beside all that is short.
        let far = [0xabf0...0xac20, 0xf8f0...0xfb50, 0x1109a...0x110bc, 0x1d15e...0x1d1c0, 0x2f7f0...0x2fa20]
        for value in Array(UInt32(0)...0x30ff) + far.flatMap({ $0.map(UInt32.init) }) {
            // The standard library knows newer characters than Foundation does.
            guard let scalar = Unicode.Scalar(value), let age = scalar.properties.age, age.major < 15 else { continue }
            for text in ["\(scalar)", "\(scalar)\u{301}", "\(scalar)\u{323}", "a\(scalar)"] {
                let isForm = text.precomposedStringWithCanonicalMapping.unicodeScalars.elementsEqual(
                    text.unicodeScalars)
                if CanonicalComposition.isForm(of: text) != isForm { differing.append(String(value, radix: 16)) }
            }
        }
        #expect(differing.isEmpty)
    }

    @Test(
        "what keyboards give is in that form, what some systems make of it is not",
        arguments: [
            ("", true), ("//Polkadot/0", true), ("caf\u{e9}", true), ("cafe\u{301}", false), ("\u{212b}", false),
            ("\u{1100}\u{1161}", false), ("\u{ac00}", true), ("q\u{307}\u{323}", false), ("q\u{323}\u{307}", true),
        ])
    func texts(_ text: String, isForm: Bool) { #expect(CanonicalComposition.isForm(of: text) == isForm) }
}
