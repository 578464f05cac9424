import TestSupport
import Testing
import TextForms

@testable import SplitBackup

@Suite("Reading a share")
struct ShareReadingTests {
    private static let nonce = String(repeating: "A", count: 32)

    /// JSON of a share with content 0102, in which members are set or left out.
    private static func text(
        v: String? = "1", t: String? = "\"Title\"", r: String? = "2", d: String? = "\"8AQEC\"",
        n: String? = "\"\(nonce)\""
    ) -> String {
        let members = [("v", v), ("t", t), ("r", r), ("d", d), ("n", n)].compactMap { name, value in
            value.map { "\"\(name)\": \($0)" }
        }
        return "{ \(members.joined(separator: ", ")) }"
    }

    private static func read(_ text: String) throws -> BackupShare { try BackupShare(reading: Array(text.utf8)) }

    @Test("a share says what it is")
    func parts() throws {
        let share = try Self.read(Self.text())
        #expect(share.version == .base64 && share.title == "Title" && share.required == 2 && share.number == 1)
        #expect(share.field == .ofBytes && share.content == [1, 2] && share.nonce == [UInt8](repeating: 0, count: 24))
        #expect(share.text == #"{"v":1,"t":"Title","r":2,"d":"8AQEC","n":"\#(Self.nonce)"}"#)
    }

    @Test("members come in any order, escaped, and with others")
    func freedom() throws {
        let text = #"{"x":[{}],"n":"\#(Self.nonce)","d":"8AQ\u0045C","r":2,"t":"\u042d\ud83d\ude00\"","v":1}"#
        let share = try Self.read(text)
        #expect(share.title == "Э😀\"" && share.content == [1, 2])
    }

    @Test("version 0 is hexadecimal")
    func versionZero() throws {
        let share = try Self.read(
            Self.text(v: nil, d: "\"80a0bFF\"", n: "\"\(String(repeating: "0F", count: 24))\""))
        #expect(share.version == .hexadecimal && share.number == 10 && share.content == [0x0b, 0xff])
        #expect(share.nonce == [UInt8](repeating: 15, count: 24))
    }

    @Test(
        "the number has as many bytes as the field's elements",
        arguments: [("3", 1), ("8", 1), ("9", 2), ("G", 2), ("h", 3), ("k", 3)])
    func numberSize(digit: String, size: Int) throws {
        let body = [UInt8](repeating: 0, count: size - 1) + [7, 42]
        let share = try Self.read(Self.text(d: "\"\(digit)\(Base64.encode(body))\""))
        #expect(share.number == 7 && share.content == [42])
    }

    private static let refusals: [(String, String)] = [
        ("", "JsonParsing"), ("[]", "JsonParsing"), ("{}", "JsonParsing"), ("3", "JsonParsing"),
        (text() + " ", ""), (text() + "x", "JsonParsing"), (text(t: nil), "JsonParsing"),
        (text(r: nil), "JsonParsing"), (text(d: nil), "JsonParsing"), (text(n: nil), "JsonParsing"),
        (text(t: "7"), "JsonParsing"), (text(d: "7"), "JsonParsing"), (text(n: "null"), "JsonParsing"),
        (text().replacing("{", with: "{\"t\":\"Other\","), "JsonParsing"),
        (text(v: "0"), "VersionNotSupported"), (text(v: "2"), "VersionNotSupported"),
        (text(v: "null"), "VersionNotSupported"), (text(v: "\"1\""), "VersionNotSupported"),
        (text(v: "true"), "VersionNotSupported"), (text(v: "99999999999999999999"), "VersionNotSupported"),
        (text(r: "0"), "RequiredShardsNotSupported"), (text(r: "-1"), "RequiredShardsNotSupported"),
        (text(r: "1.5"), "RequiredShardsNotSupported"), (text(r: "\"2\""), "RequiredShardsNotSupported"),
        (text(r: "256"), "RequiredShardsNotSupported"), (text(r: "null"), "RequiredShardsNotSupported"),
        (text(r: "99999999999999999999"), "RequiredShardsNotSupported"),
        (text(d: "\"\""), "EmptyShare"), (text(d: "\"!AQEC\""), "ParseBit"), (text(d: "\"é\""), "ParseBit"),
        (text(d: "\"2AQEC\""), "BitsOutOfRange"), (text(d: "\"lAQEC\""), "BitsOutOfRange"),
        (text(d: "\"ZAQEC\""), "BitsOutOfRange"),
        (text(d: "\"8AQE\""), "BodyNotBase64"), (text(d: "\"8AQ-_\""), "BodyNotBase64"),
        (text(d: "\"8AQ==AQEC\""), "BodyNotBase64"), (text(d: "\"8AR==\""), "BodyNotBase64"),
        (text(v: nil, d: "\"8010\""), "UndefinedBodyNotHex"), (text(v: nil, d: "\"80x01\""), "UndefinedBodyNotHex"),
        (text(v: nil, d: "\"801zz\""), "UndefinedBodyNotHex"),
        (text(d: "\"8\""), "ShareTooShort"), (text(d: "\"8AQ==\""), "ShareTooShort"),
        (text(d: "\"9AQE=\""), "ShareTooShort"),
        (text(d: "\"8AAEC\""), "ShareNumberZero"), (text(d: "\"3CAEC\""), "ShareNumberZero"),
        // What comes first in the list is judged first.
        (text(v: "2", r: "0", d: "\"\""), "VersionNotSupported"),
        (text(r: "0", d: "\"\""), "RequiredShardsNotSupported"),
    ]

    @Test("what is wrong is said by its code", arguments: refusals)
    func refusal(text: String, code: String) {
        #expect(codeOf { try Self.read(text) } == (code.isEmpty ? nil : code))
    }

    @Test("one share and no set is needed where the split says so")
    func oneOfOne() throws {
        #expect(try ShareSet(Self.read(Self.text(r: "1"))).isComplete)
    }

    @Test(
        "a set begins with a share whose nonce has 24 bytes",
        arguments: ["", "AAAA", "!", String(repeating: "A", count: 36)])
    func nonce(text: String) throws {
        let share = try Self.read(Self.text(n: "\"\(text)\""))
        #expect(throws: ShareError.nonceNotSupported) { try ShareSet(share) }
        var set = try ShareSet(Self.read(Self.text()))
        let other = try Self.read(Self.text(d: "\"8AgEC\"", n: "\"\(text)\""))
        #expect(throws: ShareError.shareNonceDifferent) { try set.add(other) }
    }

    @Test("a text beyond the limit is not read")
    func tooLong() throws {
        let room = BackupShare.longestText - Self.text(t: "\"\"").utf8.count
        #expect(try Self.read(Self.text(t: "\"\(String(repeating: "t", count: room))\"")).title.count == room)
        #expect(
            codeOf { try Self.read(Self.text(t: "\"\(String(repeating: "t", count: room + 1))\"")) } == "JsonParsing")
    }

    @Test("a share is told from frames")
    func plausible() {
        #expect(BackupShare.isPlausible(Array(Self.text().utf8)))
        #expect(BackupShare.isPlausible(Array(" \n{\"t\":\"Э\"}".utf8)))
        for bytes in [
            [], [0x20], Array("hello".utf8), [0x7b, 0x00], [0x7b, 0xff], [0x80, 0, 0, 1], [0, 0, 1, 0, 0],
        ] as [[UInt8]] {
            #expect(!BackupShare.isPlausible(bytes))
        }
    }

    @Test("no bytes trap, and what is read is written alike")
    func randomBytes() throws {
        var random = SplitMix64(state: 20)
        let seeds = [Self.text(), Self.text(v: nil, d: "\"80a0bFF\""), Self.text(t: "\"\\u042d\"")].map {
            Array($0.utf8)
        }
        var read = 0
        for round in 0..<20_000 {
            var bytes = seeds[round % 3]
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let index = Int.random(in: bytes.indices, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[index] = random.byte()
                case 1: bytes.remove(at: index)
                default: bytes.insert(random.byte() & 0x7f, at: index)
                }
            }
            guard let share = try? BackupShare(reading: bytes) else { continue }
            read += 1
            guard share.version == .base64, share.nonce != nil else { continue }
            #expect(try BackupShare(reading: share.utf8) == share)
        }
        #expect(read > 1_000)
    }
}
