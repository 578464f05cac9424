import AppAttestTestKit
import Foundation
import TestSupport
import Testing
import TextForms

@testable import AppAttest

@Suite("Identifiers and times as text")
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
        for text in [
            "", good + "=", String(good.dropLast(2)), " " + good.dropFirst(), good.dropLast(2) + "==",
            "é" + good.dropFirst(2),
            String(good.dropLast(2)) + "B=", mixed, Base64.encode(bytes.dropLast()), Base64.encode(bytes + [0]),
            String(repeating: "A", count: 44),
        ] {
            #expect(KeyID(base64: text) == nil, "\(text)")
        }
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

    @Test(
        "times of receipts",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2020-11-21T22:13:02.796Z", 1_605_996_782_796),
            ("2020-11-27T22:41:40.46Z", 1_606_516_900_460), ("2000-02-29T23:59:59.9Z", 951_868_799_900),
            ("2026-06-15T12:00:00.123456789Z", 1_781_524_800_123), ("1969-12-31T23:59:59.999Z", -1),
            ("0001-01-01T00:00:00Z", -62_135_596_800_000), ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
        ] as [(String, Int64)])
    func times(text: String, milliseconds: Int64) throws {
        let time = try #require(UnixTime(rfc3339: Array(text.utf8)))
        #expect(time.milliseconds == milliseconds)
        #expect(UnixTime(rfc3339: Array(time.rfc3339.utf8)) == time)
    }

    @Test(
        "other forms and days that do not exist are no times",
        arguments: [
            "", "2020-11-21", "2020-11-21T22:13:02", "2020-11-21 22:13:02Z", "2020-11-21t22:13:02z",
            "2020-11-21T22:13:02+00:00", "2020-11-21T22:13:02.Z", "2020-11-21T22:13:02.1234567890Z",
            "2020-11-21T22:13:02.12x4Z", "2020-13-01T00:00:00Z", "2020-00-01T00:00:00Z", "2021-02-29T00:00:00Z",
            "1900-02-29T00:00:00Z", "2020-04-31T00:00:00Z", "2020-04-00T00:00:00Z", "2020-11-21T24:00:00Z",
            "2020-11-21T23:60:00Z", "2020-11-21T23:59:60Z", "0000-01-01T00:00:00Z", "2020-1-21T22:13:02.796Z",
            "-020-11-21T22:13:02Z", "2020-11-21T22:13:0\u{e9}Z",
        ])
    func notTimes(text: String) {
        #expect(UnixTime(rfc3339: Array(text.utf8)) == nil)
    }

    @Test("seconds are the last whole ones, before 1970 too, and moments stay where dates can be")
    func seconds() {
        #expect(UnixTime(milliseconds: 1_999).seconds == 1)
        #expect(UnixTime(milliseconds: -1).seconds == -1)
        #expect(UnixTime(milliseconds: -1_000).seconds == -1)
        #expect(UnixTime(milliseconds: .max).rfc3339 == "9999-12-31T23:59:59.999Z")
        #expect(UnixTime(milliseconds: .min).rfc3339 == "0001-01-01T00:00:00.000Z")
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
