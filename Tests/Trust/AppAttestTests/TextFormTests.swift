import AppAttestTestKit
import Foundation
import TestSupport
import Testing
import TextForms

@testable import AppAttest

@Suite("Identifiers as text")
struct TextFormTests {
    private let bytes = (0..<32).map { UInt8(255 - $0) }

    @Test("a key has one name in four spellings")
    func keyID() throws {
        let id = try #require(KeyID(bytes: bytes))
        let url = Base64.encodeForURL(bytes)
        #expect(id.base64 == Data(bytes).base64EncodedString())
        #expect(url.count == 43 && url.contains("_"))
        for text in [id.base64, String(id.base64.dropLast()), url, url + "="] {
            #expect(KeyID(base64: text) == id)
            #expect(KeyID(base64: text)?.base64 == id.base64)
        }
    }

    @Test("everything else is no name of a key")
    func notKeyIDs() {
        let good = Base64.encode(bytes)
        let mixed = "+" + Base64.encodeForURL(bytes).dropFirst()
        let others: [String] = [
            "", "\(good)=", "\(good.dropLast(2))", " \(good.dropFirst())", "\(good.dropLast(2))==",
            "é\(good.dropFirst(2))", "\(good.dropLast(2))B=", mixed, Base64.encode(bytes.dropLast()),
            Base64.encode(bytes + [0]), String(repeating: "A", count: 44),
        ]
        for text in others { #expect(KeyID(base64: text) == nil, "\(text)") }
        #expect(KeyID(bytes: bytes.dropLast()) == nil)
    }

    @Test("Base64 is what everybody else writes, and is read back")
    func base64() {
        var random = SplitMix64(state: 7)
        for count in 0..<100 {
            let bytes = (0..<count).map { _ in random.byte() }
            let text = Base64.encode(bytes)
            #expect(text == Data(bytes).base64EncodedString())
            #expect(Base64.decode(text) == bytes)
            #expect(Base64.decode(Base64.encodeForURL(bytes)) == bytes)
        }
        for text in ["A", "AA=", "A===", "=", "AAAAA", "AA\n=", "AB==", "AAB=", "-_+/", "===="] {
            #expect(Base64.decode(text) == nil, "\(text)")
        }
    }

    @Test("an app is a team and a bundle")
    func appIDs() {
        #expect(AppID(teamID: "ABCDE12345", bundleID: "com.example.app")?.description == "ABCDE12345.com.example.app")
        #expect(AppID("0352187391.com.apple.example_app_attest") != nil)
        for text in ["", "ABCDE12345.", "ABCDE1234.com.example", "abcde12345.com.example", "ABCDE12345.com/example"] {
            #expect(AppID(text) == nil, "\(text)")
        }
    }
}
