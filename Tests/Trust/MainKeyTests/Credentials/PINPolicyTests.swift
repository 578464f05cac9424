import SecretMemory
import TestSupport
import Testing

@testable import MainKey

@Suite("PINPolicy")
struct PINPolicyTests {
    @Test("gives the known verdicts")
    func knownVerdicts() throws {
        let known = try Fixture.json("pinpolicy.json")
        #expect(known["minLength"].int == PINPolicy.byteCounts.lowerBound)
        #expect(known["maxLength"].int == PINPolicy.byteCounts.upperBound)
        #expect(known["cases"].array.count == 34)
        for known in known["cases"].array {
            let pin = try SecretBytes(test: #require(known["pin_hex"].hex))
            let verdict = PINPolicy.standard.weakness(of: pin)?.rawValue ?? "ok"
            #expect(verdict == known["expect"].string, "\(known)")
        }
    }

    @Test("embeds the whole block list, sorted and once each")
    func blockList() throws {
        let text = try String(decoding: Fixture.bytes("pin-blocklist.txt"), as: UTF8.self)
        let lines = text.split(separator: "\n").map(String.init)
        #expect(PINBlockList.entries == Set(lines).sorted())
        #expect(lines.count == PINBlockList.entries.count)
    }

    @Test("refuses each entry of the block list in either case")
    func blockListCases() throws {
        for entry in PINBlockList.entries {
            for spelling in [entry, entry.uppercased()] {
                let pin = try SecretBytes(test: spelling)
                #expect(throws: MainKeyError.self) { try PINPolicy.standard.check(pin) }
            }
        }
    }

    @Test(
        "tells the first rule that is broken",
        arguments: [
            ("     ", PINWeakness.tooShort), ("aaaaaa\u{7}", .badByte), ("\u{7f}37159", .badByte),
            ("111111111111", .allEqual), ("7890123", .sequence), ("3210987", .sequence), ("9012345678", .sequence),
            ("xyzabc", nil), ("/0123456", .sequence), ("6789:;<", .sequence), ("abcabca", .repeated),
            ("3131313", .repeated), ("aabbab", .tooFewDistinct), ("PassWord1", .blocklisted), ("password2", nil),
        ] as [(String, PINWeakness?)])
    func firstRule(pin: String, weakness: PINWeakness?) throws {
        #expect(try PINPolicy.standard.weakness(of: SecretBytes(test: pin)) == weakness)
    }

    @Test("measures the length in bytes")
    func bounds() throws {
        let text = "x7 Kq2"
        let long = String(repeating: "x7 Kq2pL", count: 16)
        try PINPolicy.standard.check(SecretBytes(test: text))
        try PINPolicy.standard.check(SecretBytes(test: long))
        #expect(throws: MainKeyError.weakPIN(.tooLong)) {
            try PINPolicy.standard.check(SecretBytes(test: long + "x"))
        }
    }

    @Test("takes text of any script where that is asked for, and keeps the other rules")
    func anyBytes() throws {
        let greeting = try SecretBytes(test: "Grüße123")
        #expect(throws: MainKeyError.weakPIN(.badByte)) { try PINPolicy.standard.check(greeting) }
        try PINPolicy.utf8.check(greeting)
        #expect(throws: MainKeyError.weakPIN(.repeated)) { try PINPolicy.utf8.check(SecretBytes(test: "üüüü")) }
    }
}
