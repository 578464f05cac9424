import AppAttest
import TestSupport
import Testing
import TextForms

@testable import Gate

@Suite("Text of a key file")
struct TextTests {
    @Test(
        "Base64 is that of RFC 4648",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ])
    func base64(plain: String, text: String) {
        #expect(Base64.encode(Array(plain.utf8)) == text)
        #expect(Base64.decode(text, .standard) == Array(plain.utf8))
    }

    @Test(
        "Base64 is refused where it is lax",
        arguments: [
            "Z", "Zg", "Zg=", "Zh==", "Zm9=", "Zg==Zg==", "Z===", "====", "Zm9v\n", " Zm9v", "Zm-_", "Zm9vé", "=Zg=",
        ])
    func laxBase64(text: String) { #expect(Base64.decode(text, .standard) == nil) }

    @Test("Base64 brings every byte back")
    func base64RoundTrip() {
        var random = SplitMix64(state: 1)
        for length in 0..<200 {
            let bytes = (0..<length).map { _ in random.byte() }
            #expect(Base64.decode(Base64.encode(bytes), .standard) == bytes)
        }
    }

    @Test("a key's name is read in both alphabets, with or without padding")
    func names() throws {
        let id = try #require(KeyID(bytes: [UInt8](repeating: 0xfb, count: 32)))
        let padded = "+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/s="
        #expect(id.base64 == padded)
        for text in [padded, String(padded.dropLast()), padded.replacing("+", with: "-").replacing("/", with: "_")] {
            #expect(KeyID(base64: text) == id)
        }
        for text in ["", padded + "=", String(padded.dropLast(2)), padded.replacing("s=", with: "t="), padded + padded]
        {
            #expect(KeyID(base64: text) == nil)
        }
    }

    @Test(
        "times are those of the calendar",
        arguments: [
            ("2026-02-17T00:00:00.000Z", 1_771_286_400_000), ("1970-01-01T00:00:00.000Z", 0),
            ("1969-12-31T23:59:59.999Z", -1), ("2000-02-29T12:09:14.007Z", 951_826_154_007),
            ("2100-03-01T00:00:00.000Z", 4_107_542_400_000), ("0001-01-01T00:00:00.000Z", -62_135_596_800_000),
            ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
        ])
    func times(text: String, milliseconds: Int64) {
        #expect(Timestamp(milliseconds: milliseconds).text == text)
        #expect(Timestamp(rfc3339: text)?.milliseconds == milliseconds)
    }

    @Test("times of RFC 3339 are read in all their forms")
    func otherTimes() {
        let expected: Timestamp = 1_771_286_400_000
        for text in [
            "2026-02-17T00:00:00Z", "2026-02-17t00:00:00.0z", "2026-02-17T01:30:00.000000000+01:30",
            "2026-02-16T19:00:00-05:00", "2026-02-16T23:59:60Z",
        ] { #expect(Timestamp(rfc3339: text) == expected) }
        #expect(Timestamp(rfc3339: "2026-02-17T00:00:00.61Z") == expected + 610)
        #expect(Timestamp(rfc3339: "2026-02-17T00:00:00.0078999Z") == expected + 7)
        #expect(Timestamp(milliseconds: .max).text == "9999-12-31T23:59:59.999Z")
        #expect(Timestamp(milliseconds: .min).text == "0000-01-01T00:00:00.000Z")
    }

    @Test(
        "what is no time is refused",
        arguments: [
            "", "2026-02-17", "2026-02-17T00:00:00", "2026-02-30T00:00:00Z", "2025-02-29T00:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-00-01T00:00:00Z", "2026-02-17T24:00:00Z", "2026-02-17T00:60:00Z", "2026-02-17T00:00:61Z",
            "2026-02-17 00:00:00Z", "2026-02-17T00:00:00.Z", "2026-02-17T00:00:00+0100", "26-02-17T00:00:00Z",
            "2026-02-17T00:00:00ZZ", "1771286400000", "2026-02-17T00:00:00+24:00", "2026-02-00T00:00:00Z",
        ])
    func noTimes(text: String) { #expect(Timestamp(rfc3339: text) == nil) }

    @Test("every time comes back")
    func timeRoundTrip() {
        var random = SplitMix64(state: 2)
        for _ in 0..<2_000 {
            let time = Timestamp(milliseconds: Int64(random.next() % 315_569_520_000_000) - 62_167_219_200_000)
            #expect(Timestamp(rfc3339: time.text) == time)
        }
    }
}
