import KnownAnswers
import TestSupport
import Testing
import VigilKnownAnswers

@Suite("Scenarios captured from a live process")
struct ScenarioTests {
    private let file: AnswerFile
    private let content: JSON

    init() throws {
        file = AnswerFile(folder: fixtures, path: "scenarios.json")
        content = try file.content()
    }

    @Test("each leads to the verdict that it was captured for")
    func verdicts() {
        var report = Report()
        #expect(ProcessAnswers.recognises(content))
        ProcessAnswers.check(content, file: file, report: &report)
        #expect(report.passed == 13)
        #expect(report.failed == 0)
        #expect(report.skipped == 0)
    }

    @Test("the whole captured file agrees", .enabled(if: SharedData.has("vigil/process/scenarios.json")))
    func capturedFile() throws {
        var report = Report()
        ProcessAnswers.check(try SharedData.json("vigil/process/scenarios.json"), file: file, report: &report)
        #expect(report.passed == 13)
        #expect(report.failed == 0)
    }

    @Test("another verdict than the captured one is told")
    func wrongVerdict() {
        var spoiled = content.object
        spoiled["scenarios"] = .array(
            content["scenarios"].array.map { scenario in
                var scenario = scenario.object
                scenario["expect"] = .object(["result": .string("revoked")])
                return .object(scenario)
            })
        var report = Report()
        ProcessAnswers.check(.object(spoiled), file: file, report: &report)
        #expect(report.failed == 13)
    }
}
