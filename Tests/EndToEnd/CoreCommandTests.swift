import Foundation
import TestSupport
import Testing

/// The rules of the vault without a screen.
@Suite("casemate core")
struct CoreCommandTests {
    private static let casemate = Program(name: "casemate")

    private func lines(_ text: String) throws -> [JSON] {
        try text.split(separator: "\n").map { try JSONDecoder().decode(JSON.self, from: Data($0.utf8)) }
    }

    @Test("tables prints every rule, in the order in which they are tried")
    func tables() throws {
        let rules = try lines(Self.casemate.run(["core", "tables"]).output)
        #expect(rules.count == 216)
        #expect(rules[0]["id"].string == "T001" && rules[0]["behind"].string == "Settings/-")
    }

    private static let newSeed = #"""
        {"action":"Start"}
        {"action":"NewSeed"}
        {"action":"GoForward","data":"savings"}
        """#

    @Test("act does what its lines say, and shows no phrase unless that is asked for")
    func act() throws {
        let hidden = try Self.casemate.run(["core", "act"], input: Array(Self.newSeed.utf8))
        let pages = try lines(hidden.output)
        #expect(hidden.exitCode == 0 && pages.count == 3)
        #expect(pages[2]["modal"].string == "NewSeedBackup" && pages[2]["rule"].string == "T038")
        #expect(pages[2]["modalData"]["phrase"].string?.contains("hidden") == true)
        let shown = try lines(
            Self.casemate.run(["core", "act", "--reveal"], input: Array(Self.newSeed.utf8)).output)
        #expect(shown[2]["modalData"]["phrase"].string?.split(separator: " ").count == 24)
    }

    @Test("act ends at a line that is no action")
    func noAction() throws {
        let outcome = try Self.casemate.run(["core", "act"], input: Array("{\"action\":\"Steal\"}\n".utf8))
        #expect(outcome.exitCode == 1)
        #expect(try lines(outcome.output).first?["error"].string?.contains("no action") == true)
    }

    @Test("replay ends at the first difference, and says what differs")
    func replay() throws {
        let scratch = try Scratch()
        let flow = scratch.path("flow.json")
        let steps = """
            [{"n":1,"action":"Start","expect":{"screen":"SeedSelector","modal":"NewSeedMenu"},"rule":"T006"},
             {"n":2,"action":"NavbarLog","expect":{"screen":"Scan"},"rule":"T008"},
             {"n":3,"action":"NavbarScan","expect":{"screen":"Scan"},"rule":"T009"}]
            """
        try Data(steps.utf8).write(to: URL(filePath: flow))
        let outcome = try Self.casemate.run(["core", "replay", flow])
        let seen = try lines(outcome.output)
        #expect(outcome.exitCode == 1 && seen.count == 2)
        #expect(seen[0]["differences"] == .null)
        #expect(seen[1]["differences"].array.first?.string == "screen: Log, not Scan")
    }
}
