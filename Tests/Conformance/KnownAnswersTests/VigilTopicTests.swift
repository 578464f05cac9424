import Foundation
import KnownAnswers
import TestSupport
import Testing
import VigilKnownAnswers

@Suite("VigilTopic")
struct VigilTopicTests {
    /// A folder with images, and lists of them in the format of the topic.
    static func answers() throws -> TemporaryFolder {
        let folder = try TemporaryFolder(
            copying: packageRoot.appending(path: "Tests/Primitives/ExecutableImageTests/Fixtures"))
        // It makes some of the answers, and is none.
        folder.remove("macho_digests.py")
        return folder
    }

    @Test("passes the known answers of vigil")
    func passes() throws {
        let report = try Self.answers().report(by: VigilTopic.self)
        #expect((report.failed, report.skipped) == (0, 0))
        #expect(report.passed > 20)
    }

    @Test("fails an answer that expects a refusal of a good image, or another refusal")
    func refusals() throws {
        let answers = try Self.answers()
        let passed = try answers.report(by: VigilTopic.self).passed
        try answers.write([0x7f, 0x45, 0x4c], to: "short")
        try answers.write(#"{"short": {"error": "truncatedHeader"}}"#, to: "refused.json")
        #expect(try answers.report(by: VigilTopic.self).passed == passed + 1)
        try answers.write(
            #"{"short": {"error": "badMagic"}, "elf/free-arm": {"error": "badMagic"}}"#, to: "refused.json")
        #expect(try answers.report(by: VigilTopic.self).failed == 2)
    }

    @Test("compares a changed file with what it was made from")
    func tampered() throws {
        let answers = try Self.answers()
        let passed = try answers.report(by: VigilTopic.self).passed
        var bytes = Array(try Data(contentsOf: answers.url.appending(path: "macho/hello-arm64")))
        bytes[32_768] ^= 1
        try answers.write(bytes, to: "data-byte")
        let row = #"""
            [{"file": "data-byte", "base": "macho/hello-arm64", "note": "", "text1": "match", "text2": "match",
            "load2": "MISMATCH", "pageRoot": "match", "fileDigest": "MISMATCH", "codeSignature": "badPages [2]"}]
            """#
        try answers.write(row, to: "tamper.json")
        #expect(try answers.report(by: VigilTopic.self).passed == passed + 1)
        try answers.write(row.replacing("\"load2\": \"MISMATCH\"", with: "\"load2\": \"match\""), to: "tamper.json")
        #expect(try answers.report(by: VigilTopic.self).failed == 1)
    }

    @Test("passes all published answers of vigil", .enabled(if: SharedData.has("vigil")))
    func published() throws {
        var report = Report()
        try VigilTopic.run(folder: SharedData.url("vigil"), report: &report)
        #expect(report.failed == 0)
        #expect(report.passed >= 175)
    }

    /// A conversation with a TPM, changed, in a folder of its own.
    private func report(of change: (String) -> String) throws -> Report {
        let file = packageRoot.appending(path: "Tests/Trust/HardwareKeysTests/Fixtures/tpm-exchanges-quote.json")
        let text = try String(contentsOf: file, encoding: .utf8)
        return try TemporaryFolder(files: ["exchanges.json": Data(change(text).utf8)]).report(by: VigilTopic.self)
    }

    @Test("reads a quote of a TPM: its signature, what it was given, and the values of the registers")
    func quote() throws {
        let whole = try report { $0 }
        #expect(whole.failed == 0 && whole.passed > 8)
        let text = try String(
            contentsOf: packageRoot.appending(
                path: "Tests/Trust/HardwareKeysTests/Fixtures/tpm-exchanges-quote.json"), encoding: .utf8)
        let quote = try #require(text.range(of: "Quote(AK"))
        let attest = try #require(text.range(of: "ff54434780180022", range: quote.lowerBound..<text.endIndex))
        for distance in [200, 260, 330] {
            // A digit of the attestation, and nothing is as it was signed.
            let place = text.index(attest.upperBound, offsetBy: distance)
            let other = text[place] == "0" ? "1" : "0"
            #expect(try report { _ in text.replacingCharacters(in: place...place, with: other) }.failed == 1)
        }
        // Asked for other registers than it is of: 7 and 11 without 0.
        let asked = try #require(
            text.range(of: "00000001000b03810800", range: quote.lowerBound..<attest.lowerBound))
        let others = text.replacingCharacters(in: asked, with: "00000001000b03800800")
        #expect(try report { _ in others }.failed == 1)
    }

    @Test("fails a command to a TPM that it does not know")
    func unknownCommand() throws {
        // FlushContext, which is known, becomes one that is not.
        #expect(try report { $0.replacingOccurrences(of: "00000165", with: "000001ff") }.failed == 1)
    }

    @Test("fails a file that it does not know, and a field or a member that no check looks at")
    func failsUnknown() throws {
        let answers = try Self.answers()
        try answers.write(#"{"cases": [{"colour": "blue"}]}"#, to: "other.json")
        #expect(try answers.report(by: VigilTopic.self).failed == 1)
        let field = try Self.answers()
        try field.replace(#""fsverity": "#, with: #""colour": "blue", "fsverity": "#, in: "fsverity-vectors.json")
        #expect(try field.report(by: VigilTopic.self).failed == 1)
        let member = try Self.answers()
        try member.replace(#""cases": "#, with: #""colour": "blue", "cases": "#, in: "fsverity-vectors.json")
        #expect(try member.report(by: VigilTopic.self).failed == 1)
    }
}
