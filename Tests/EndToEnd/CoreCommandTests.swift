import Foundation
import TestSupport
import Testing

/// The rules of the vault without a screen.
@Suite("casemate core")
struct CoreCommandTests {
    private static let casemate = Program(name: "casemate")

    private func lines(_ text: String) throws -> [JSON] {
        try text.split(separator: "\n").map { try JSON(parsing: Array($0.utf8)) }
    }

    @Test("tables prints every rule, in the order in which they are tried")
    func tables() throws {
        let rules = try lines(Self.casemate.run(["core", "tables"]).output)
        // 216 of the specification, and of our own six that sign an update which was refused or by an exposed key, 22
        // of what is looked at beside scans, and 35 of names, phrases by choice and what protects the vault.
        #expect(rules.count == 216 + 6 + 22 + 35)
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

    @Test(
        "act does nothing of a line with what it does not know",
        arguments: [#""detector":"conected""#, #""Detector":"connected""#, #""secretfd":5"#, #""pages":1"#])
    func unknownMember(member: String) throws {
        let input = "{\"action\":\"Start\"}\n{\"action\":\"NavbarLog\",\(member)}\n{\"action\":\"NavbarScan\"}\n"
        let outcome = try Self.casemate.run(["core", "act"], input: Array(input.utf8))
        let seen = try lines(outcome.output)
        #expect(outcome.exitCode == 1 && seen.count == 2)
        #expect(seen.last?["code"].string == "NoAction" && seen.last?["status"].int == 400)
        #expect(seen.last?["page"].int == 1 && seen.last?["line"].int == 2)
    }

    @Test("act fails where its lines cannot be read")
    func unreadableLines() throws {
        let outcome = try Program.shell("{ \(Program.quoted(Self.casemate.path)) core act <&-; }")
        #expect(outcome.exitCode == 1 && outcome.errors.contains("standard input cannot be read"), "\(outcome)")
    }

    @Test("a refused line is told with its place in the input, where empty ones count too")
    func lineNumbers() throws {
        let input = "{\"action\":\"Start\"}\n\n   \nx\n"
        let outcome = try Self.casemate.run(["core", "act"], input: Array(input.utf8))
        #expect(try lines(outcome.output).last?["line"].int == 4)
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

    @Test("a flow without steps, and one with what nobody knows or a folder that is none, is not done and fails")
    func nothingToReplay() throws {
        let scratch = try Scratch()
        let flow = scratch.path("flow.json")
        func replay(_ steps: String, _ more: [String] = []) throws -> (Int32, String) {
            try Data(steps.utf8).write(to: URL(filePath: flow))
            let outcome = try Self.casemate.run(["core", "replay", flow] + more)
            return (outcome.exitCode, outcome.output + outcome.errors)
        }
        let start = #"{"n":1,"action":"Start","rule":"T006""#
        #expect(try replay("[\(start)}]").0 == 0)
        #expect(try replay("[]").0 == 1)
        let (code, text) = try replay("[\(start),\"conditions\":{\"detector\":\"conected\"}}]")
        #expect(code != 0 && text.contains("conected"), "\(text)")
        // A file where the folder of payloads belongs.
        try Data().write(to: URL(filePath: scratch.path("payloads")))
        #expect(try replay("[\(start)}]").0 != 0)
    }

    // MARK: Lists

    private static let lists: [(command: String, file: URL, answers: Int)] = [
        ("verifier-table", packageRoot.appending(path: "Tests/Fixtures/signer-product/verifier-table.json"), 403),
        ("detector", packageRoot.appending(path: "Tests/Signer/NetworkDetectorTests/Fixtures/detector.json"), 7),
        ("scenarios", SharedData.url("signer-product/verifier/scenarios.json"), 33),
        ("draft", SharedData.url("signer-product/seed-draft.json"), 48),
    ]

    /// What was taken from others is not beside every copy of this package.
    private static let present = lists.filter { FileManager.default.fileExists(atPath: $0.file.path) }

    @Test("a list of known answers is run through the rules, a line for each and one for all", arguments: present)
    func list(command: String, file: URL, answers: Int) throws {
        let outcome = try Self.casemate.run(["core", command, file.path])
        let seen = try lines(outcome.output)
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(seen.count == answers + 1)
        #expect(seen.dropLast().allSatisfy { $0["differences"].isNull && $0["answer"].string != nil })
        #expect(seen.last?["passed"].int == answers && seen.last?["failed"].int == 0 && seen.last?["skipped"].int == 0)
    }

    @Test("an answer that differs is told with its name, and ends it with 1")
    func differentAnswer() throws {
        let scratch = try Scratch()
        let (file, content) = (
            scratch.path("detector.json"), try String(contentsOf: Self.lists[1].file, encoding: .utf8)
        )
        let changed = try #require(content.range(of: "wasOnline", options: .backwards))
        try Data(content.replacingCharacters(in: changed, with: "safe").utf8).write(to: URL(filePath: file))
        let outcome = try Self.casemate.run(["core", "detector", file])
        let seen = try lines(outcome.output)
        #expect(outcome.exitCode == 1 && seen.last?["failed"].int == 1)
        let different = try #require(seen.first { !$0["differences"].isNull })
        #expect(different["id"].string != nil && different["differences"][0].string?.contains("expected") == true)
        #expect(try Self.casemate.run(["core", "draft", file]).exitCode == 1)
        #expect(try Self.casemate.run(["core", "detector", scratch.path("nothing.json")]).exitCode == 1)
    }

    @Test("words of a phrase that differ are told only where that is asked for")
    func hiddenWords() throws {
        let scratch = try Scratch()
        let file = scratch.path("draft.json")
        let list = """
            [{"name": "one", "steps": [{"action": "PushWord", "data": "bottom",
              "expect": {"userInput": "", "guesses": [], "draft": ["drive"], "ready": null}}]}]
            """
        try Data(list.utf8).write(to: URL(filePath: file))
        let hidden = try Self.casemate.run(["core", "draft", file])
        #expect(hidden.exitCode == 1 && !hidden.output.contains("bottom") && hidden.output.contains("--reveal"))
        #expect(try Self.casemate.run(["core", "draft", file, "--reveal"]).output.contains("bottom"))
    }
}
