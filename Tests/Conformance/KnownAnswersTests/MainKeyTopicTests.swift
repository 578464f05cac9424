import Foundation
import KnownAnswers
import MainKeyKnownAnswers
import TestSupport
import Testing

@Suite("MainKeyTopic")
struct MainKeyTopicTests {
    /// Lists that need no other file, each with a field that decides about its rows.
    static let lists = [
        ("subkeys", "subkey"), ("slots", "mainKey"), ("sealed", "sealed"), ("blindindex", "index"),
    ]

    private static let fixtures = packageRoot.appending(path: "Tests/Trust/MainKeyTests/Fixtures")

    @Test("passes the known answers of mainkey", arguments: lists)
    func passes(list: String, field: String) throws {
        let report = try Self.run(on: Self.text(of: list))
        #expect(report.passed > 0)
        #expect(report.failed == 0)
        #expect(report.skipped == 0)
    }

    @Test("fails an answer whose expected outcome is another")
    func failsOnOtherOutcome() throws {
        let text = try Self.text(of: "slots")
        let wrong = try #require(text.range(of: "\"wrongCredential\""))
        #expect(try Self.run(on: text.replacingCharacters(in: wrong, with: "\"tampered\"")).failed == 1)
    }

    @Test("fails a list of mainkey that it does not know")
    func failsUnknown() throws {
        let report = try Self.run(on: #"{"cases": [{"colour": "blue"}]}"#)
        #expect((report.passed, report.failed, report.skipped) == (0, 1, 0))
    }

    static func text(of list: String) throws -> String {
        try String(contentsOf: fixtures.appending(path: "\(list).json"), encoding: .utf8)
    }

    /// The report on a folder that holds a list under a name that says nothing.
    private static func run(on text: String) throws -> Report {
        try TemporaryFolder(files: ["list.json": Data(text.utf8)]).report(by: MainKeyTopic.self)
    }
}
