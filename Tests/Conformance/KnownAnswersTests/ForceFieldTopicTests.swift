import ForceFieldKnownAnswers
import Foundation
import KnownAnswers
import Synchronization
import TestSupport
import Testing

@Suite("ForceFieldTopic")
struct ForceFieldTopicTests {
    private static let fixtures = packageRoot.appending(path: "Tests/Trust/ForceFieldTests/Fixtures")

    /// A copy of one file of the known answers, which a test may change.
    private static func answers(of name: String) throws -> TemporaryFolder {
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

    @Test(
        "fails one answer when one is changed",
        arguments: [
            ("codec_vectors.json", "\"hex\": \"00\"", "\"hex\": \"01\""),
            ("codec_vectors.json", "\"keyOrder\"", "\"emptyKey\""),
            ("codec_vectors.json", "\"depth\": 32", "\"depth\": 31"),
            ("frame_vectors.json", "0a000000100000000100", "0a000000100000000200"),
            ("frame_violations.json", "\"badFlags\"", "\"badType\""), ("hash_vectors.json", "d49dd484", "d49dd485"),
            ("hash_vectors.json", "77b0ae7d", "77b0ae7e"), ("termination_cases.tsv", "exited(7)", "exited(8)"),
            ("termination_cases.tsv", "killedByOS(cpuLimit)", "killedByOS(unknown)"),
            ("termination_cases.tsv", "CPU time >= 1.9 s", "CPU time >= 1.8 s"),
        ])
    func failsWhenChanged(file: String, text: String, other: String) throws {
        let unchanged = try Self.unchanged(file)
        #expect(unchanged.failed == 0)
        let answers = try Self.answers(of: file)
        try answers.replace(text, with: other, in: file)
        let report = try answers.report(by: ForceFieldTopic.self)
        // An ending that is made to happen fails as well.
        #expect((1...2).contains(report.failed))
        #expect(report.passed == unchanged.passed - report.failed)
        #expect(report.skipped == unchanged.skipped)
    }

    /// What the answers of a file give as they are, asked once.
    private static func unchanged(_ file: String) throws -> (passed: Int, failed: Int, skipped: Int) {
        try known.withLock { known in
            if let counts = known[file] { return counts }
            let report = try answers(of: file).report(by: ForceFieldTopic.self)
            let counts = (report.passed, report.failed, report.skipped)
            known[file] = counts
            return counts
        }
    }

    private static let known = Mutex<[String: (passed: Int, failed: Int, skipped: Int)]>([:])

    @Test("passes all published answers", .enabled(if: SharedData.has("forcefield")))
    func published() throws {
        var report = Report()
        try ForceFieldTopic.run(folder: SharedData.url("forcefield"), report: &report)
        #expect(report.failed == 0)
        #expect(report.passed >= 118 + 80)
    }
}
