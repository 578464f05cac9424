import AppAttestKnownAnswers
import Foundation
import KnownAnswers
import TestSupport
import Testing

/// What the gate itself is checked by, elsewhere.
private enum TablesOfTheGate: AnswerList {
    static func recognises(_ content: JSON) -> Bool {
        ["steps", "send", "request"].contains { content.has($0) }
    }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) { _ = content.whole }
}

@Suite("AppAttestTopic")
struct AppAttestTopicTests {
    /// A copy of the minted answers, in the format of the topic.
    private final class Answers {
        let folder = FileManager.default.temporaryDirectory.appending(path: "answers-\(UUID().uuidString)")
        private static let fixtures = packageRoot.appending(path: "Tests/Trust/AppAttestTests/Fixtures")

        init() throws {
            try FileManager.default.copyItem(at: Self.fixtures, to: folder)
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        func replace(_ text: String, with other: String, in name: String) throws {
            let file = folder.appending(path: name)
            let content = try String(contentsOf: file, encoding: .utf8)
            let place = try #require(content.range(of: text))
            try Data(content.replacingCharacters(in: place, with: other).utf8).write(to: file)
        }

        func write(_ text: String, _ name: String) throws {
            try Data(text.utf8).write(to: folder.appending(path: name))
        }

        func run() throws -> Report {
            var report = Report()
            try AppAttestTopic.run(folder: folder, report: &report)
            return report
        }
    }

    @Test("passes the minted answers: 151 cases, the test authority and its keys")
    func passes() throws {
        let report = try Answers().run()
        #expect((report.failed, report.skipped) == (0, 0))
        #expect(report.passed == 114 + 37 + 1 + 7)
    }

    @Test(
        "fails one answer when one is changed",
        arguments: [
            ("negative/attestations-minted.json", "\"expect\": \"ok\"", "\"expect\": \"nonce_mismatch\""),
            ("negative/attestations-minted.json", "\"step\": \"A7\"", "\"step\": \"A6\""),
            ("negative/assertions-minted.json", "\"expect\": \"signature_invalid\"", "\"expect\": \"ok\""),
            ("negative/assertions-minted.json", "\"stored_sign_count\": 5", "\"stored_sign_count\": 0"),
            ("minted/README.json", "\"client_data_hash_hex\": \"98", "\"client_data_hash_hex\": \"99"),
        ])
    func failsWhenChanged(file: String, text: String, other: String) throws {
        let answers = try Answers()
        try answers.replace(text, with: other, in: file)
        let report = try answers.run()
        #expect(report.failed == 1)
        #expect(report.passed == 114 + 37 + 7)
    }

    @Test("fails a list that it does not know")
    func failsUnknown() throws {
        let answers = try Answers()
        try answers.write(#"{"cases": [{"colour": "blue"}]}"#, "other.json")
        #expect(try answers.run().failed == 1)
    }

    @Test(
        "passes all published answers: 64 genuine, 189 refusals, 4 fingerprints and the test authority",
        .enabled(if: SharedData.has("appattest-gate/vectors")))
    func published() throws {
        var report = Report()
        try AppAttestTopic.run(
            folder: SharedData.url("appattest-gate"), alsoBy: [TablesOfTheGate.self], report: &report)
        #expect(report.failed == 0)
        #expect(report.passed >= 64 + 189 + 4 + 1)
    }
}
