import ForceFieldKnownAnswers
import Foundation
import KnownAnswers
import TestSupport
import Testing

@Suite("ForceFieldTopic")
struct ForceFieldTopicTests {
    private static let fixtures = packageRoot.appending(path: "Tests/Trust/ForceFieldTests/Fixtures")

    /// A copy of one file of the known answers, which a test may change.
    static func answers(of name: String) throws -> TemporaryFolder {
        try TemporaryFolder(copies: [name: fixtures.appending(path: name)])
    }

    @Test("passes the known answers; what this machine cannot make happen is skipped")
    func passes() throws {
        let report = try TemporaryFolder(copying: Self.fixtures).report(by: ForceFieldTopic.self)
        #expect(report.failed == 0)
        // The table of endings has 30 rows, and counts twice: by its facts, and made to happen.
        #expect(report.passed + report.skipped == 1 + 24 + 19 + 1 + 15 + 18 + 13 + 30 + 30)
        #expect(report.passed >= 24 + 19 + 1 + 15 + 18 + 13 + 28)
    }

    @Test("the filter's table fails where a row says otherwise than the filter")
    func filterTable() throws {
        let fixture = packageRoot.appending(path: "Tests/Bridges/CForceFieldTests/Fixtures/seccomp_compute.tsv")
        let text = try String(contentsOf: fixture, encoding: .utf8)
        func failures(_ text: String) throws -> Int {
            let folder = try TemporaryFolder(files: ["seccomp_compute.tsv": Data(text.utf8)])
            let report = try folder.report(by: ForceFieldTopic.self)
            #expect(report.passed > 80)
            return report.failed
        }
        #expect(try failures(text) == 0)
        #expect(try failures(text.replacing("socket\t41\t198\tERRNO EACCES", with: "socket\t41\t198\tALLOW")) == 1)
        // Its number is then one of all others, which are forbidden.
        #expect(try failures(text.replacing("getpid\t39\t", with: "getpid\t-\t")) == 1)
    }

    @Test("passes all published answers of forcefield", .enabled(if: SharedData.has("forcefield")))
    func published() throws {
        var report = Report()
        try ForceFieldTopic.run(folder: SharedData.url("forcefield"), report: &report)
        #expect(report.failed == 0)
        #expect(report.passed >= 118 + 80)
    }
}
