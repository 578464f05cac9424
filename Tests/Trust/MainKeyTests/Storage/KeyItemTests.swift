import SecretMemory
import TestSupport
import Testing

@testable import MainKey

@Suite("The file of a key item")
struct KeyItemTests {
    private func bytes(_ secret: SecretBytes) -> [UInt8] { secret.withUnsafeBytes { Array($0) } }

    private func parse(_ bytes: [UInt8]) throws -> KeyItem { try KeyItem(SecretBytes(copying: bytes)) }

    /// As the format says, written by hand, with the checksum that belongs to it.
    private func file(
        magic: String = "MKI1", version: UInt8 = 1, access: UInt8 = 2, reserved: [UInt8] = [0, 0],
        labelCount: [UInt8] = [0, 3], label: [UInt8] = Array("abc".utf8), payloadCount: [UInt8] = [0, 0, 0, 2],
        payload: [UInt8] = [0xca, 0xfe], end: [UInt8] = []
    ) -> [UInt8] {
        let body = Array(magic.utf8) + [version, access] + reserved + labelCount + label + payloadCount + payload
        return body + body.withUnsafeBytes { sha256($0) }.prefix(8) + end
    }

    @Test("the bytes are those of the format")
    func known() throws {
        let item = KeyItem(
            label: "abc", access: .whenUnlockedThisDeviceOnly, payload: try SecretBytes(copying: [0xca, 0xfe]))
        let expected: [UInt8] = [
            0x4d, 0x4b, 0x49, 0x31, 1, 2, 0, 0, 0, 3, 0x61, 0x62, 0x63, 0, 0, 0, 2, 0xca, 0xfe,
            // SHA-256 of the 19 bytes before, by Python's hashlib.
            0xf2, 0xf6, 0x97, 0x80, 0x2a, 0x8e, 0x9d, 0x33,
        ]
        #expect(bytes(try item.encoded()) == expected)
        #expect(file() == expected)
        let read = try parse(expected)
        #expect(
            read.label == "abc" && read.access == .whenUnlockedThisDeviceOnly && bytes(read.payload) == [0xca, 0xfe])
    }

    @Test("what breaks a rule is refused by its kind")
    func refusals() {
        let cases: [([UInt8], String)] = [
            (file(magic: "MKI2"), "badMagic"),
            (file(version: 0), "unsupportedVersion"),
            (file(version: 2), "unsupportedVersion"),
            (file(access: 4), "unsupportedVersion"),
            (file(reserved: [0, 1]), "malformed"),
            (file(reserved: [1, 0]), "malformed"),
            (file(label: [0x61, 0xff, 0x63]), "malformed"),
            (file(labelCount: [0, 4]), "truncated"),
            (file(labelCount: [0xff, 0xff]), "truncated"),
            (file(payloadCount: [0, 0, 0, 3]), "truncated"),
            (file(payloadCount: [0, 0, 0, 1]), "malformed"),
            (file(payloadCount: [0xff, 0xff, 0xff, 0xff]), "malformed"),
            (file(end: [0]), "malformed"),
        ]
        for (bytes, expected) in cases { #expect(code { _ = try parse(bytes) } == expected, "\(bytes)") }
        #expect(code { _ = try parse(file()) } == "ok")
    }

    @Test("a file that is cut off anywhere is refused")
    func truncated() {
        let whole = file()
        for count in 0..<whole.count {
            #expect(code { _ = try parse(Array(whole[..<count])) } == "truncated", "\(count)")
        }
    }

    @Test("a flipped bit anywhere is refused")
    func flipped() {
        let whole = file()
        for bit in 0..<whole.count * 8 {
            var changed = whole
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(code { _ = try parse(changed) } != "ok", "bit \(bit)")
        }
    }

    @Test("every item reads as it was written")
    func roundTrip() throws {
        var random = SplitMix64(state: 19)
        for _ in 0..<500 {
            let label = String(
                String.UnicodeScalarView(
                    (0..<Int.random(in: 0...40, using: &random)).compactMap { _ in
                        Unicode.Scalar(UInt32.random(in: 0...0x2ffff, using: &random))
                    }))
            let payload = (0..<Int.random(in: 0...3000, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let access = try #require(Accessibility.allCases.randomElement(using: &random))
            let item = KeyItem(label: label, access: access, payload: try SecretBytes(copying: payload))
            let read = try KeyItem(item.encoded())
            #expect(Array(read.label.unicodeScalars) == Array(label.unicodeScalars))
            #expect(read.access == access && bytes(read.payload) == payload)
        }
    }

    @Test("random bytes, and random bytes behind a true beginning, never trap")
    func noise() {
        var random = SplitMix64(state: 20)
        for round in 0..<20_000 {
            var bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            if round % 2 == 0 {
                bytes.replaceSubrange(..<min(8, bytes.count), with: [0x4d, 0x4b, 0x49, 0x31, 1, 2, 0, 0])
            }
            #expect(code { _ = try parse(bytes) } != "ok")
        }
    }

    @Test("too long a label or content is refused before anything is written")
    func limits() throws {
        let empty = try SecretBytes(copying: [UInt8]())
        let label = String(repeating: "a", count: 65_535)
        #expect(try KeyItem(KeyItem(label: label, access: .always, payload: empty).encoded()).label == label)
        #expect(
            code { _ = try KeyItem(label: label + "a", access: .always, payload: empty).encoded() } == "limitExceeded")
        let large = try SecretBytes(count: KeyItem.mostPayloadBytes + 1) { _ in }
        #expect(code { _ = try KeyItem(label: "", access: .always, payload: large).encoded() } == "limitExceeded")
    }
}
