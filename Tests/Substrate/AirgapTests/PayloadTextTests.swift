import TestSupport
import Testing

@testable import Airgap

@Suite("Payloads as text")
struct PayloadTextTests {
    @Test(
        "hex is read in either case, with 0x or without, and with blanks around it",
        arguments: ["5301fF", "0x5301ff", "  5301ff\n", "\t0x5301FF \r\n"])
    func typed(text: String) {
        #expect(PayloadText.bytes(ofHex: text) == [0x53, 0x01, 0xff])
        #expect(PayloadText.bytes(ofContent: Array(text.utf8)) == [0x53, 0x01, 0xff])
    }

    @Test("what is no hex is none", arguments: ["530", "53 01", "53zz", "0x5", "５３"])
    func refusals(text: String) { #expect(PayloadText.bytes(ofHex: text) == nil) }

    @Test("a file of other bytes is the payload itself, and hex with a digit missing is refused")
    func files() {
        for content: [UInt8] in [[0x53, 0x01, 0x02], [], Array("0x".utf8), Array("53 01".utf8), [0xff, 0x20]] {
            #expect(PayloadText.bytes(ofContent: content) == content)
        }
        #expect(PayloadText.bytes(ofContent: Array("53010\n".utf8)) == nil)
        // A payload begins with the letter S, which is no digit: its bytes are never taken for hex.
        #expect(PayloadText.bytes(ofContent: Array("S1".utf8)) == Array("S1".utf8))
    }

    @Test("random bytes never trap, and come back as they are or as the half of them")
    func random() {
        var generator = SplitMix64(state: 18)
        for _ in 0..<2_000 {
            let alphabet = Array("0123456789abcdefxX \nS\u{ff}".utf8)
            let count = Int.random(in: 0...40, using: &generator)
            let content = (0..<count).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
            let read = PayloadText.bytes(ofContent: content)
            #expect(read == nil || read == content || (read?.count ?? 0) <= content.count / 2)
            _ = PayloadText.bytes(ofHex: String(decoding: content, as: UTF8.self))
        }
    }
}
