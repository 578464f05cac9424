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
    static func answers() throws -> TemporaryFolder {
        try TemporaryFolder(copying: packageRoot.appending(path: "Tests/Trust/AppAttestTests/Fixtures"))
    }

    @Test("passes the minted answers: 151 cases, the test authority and its keys")
    func passes() throws {
        let report = try Self.answers().report(by: AppAttestTopic.self)
        #expect((report.failed, report.skipped) == (0, 0))
        #expect(report.passed == 114 + 37 + 1 + 7)
    }

    @Test("fails a list of app-attest that it does not know")
    func failsUnknown() throws {
        let answers = try Self.answers()
        try answers.write(#"{"cases": [{"colour": "blue"}]}"#, to: "other.json")
        #expect(try answers.report(by: AppAttestTopic.self).failed == 1)
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
