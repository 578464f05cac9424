import Foundation
import KnownAnswers
import SignerKnownAnswers
import TestSupport
import Testing

@Suite("ProductTopic")
struct ProductTopicTests {
    private static let isThere = SharedData.has("signer-product/verifier/scenarios.json")

    /// The answers that were made here, which are beside the tests of their rooms.
    private static let ours = [
        "verifier/table.json": "Tests/Fixtures/signer-product/verifier-table.json",
        "navigator/transitions.json": "Tests/Signer/NavigatorTests/Fixtures/transitions.json",
        "navigator/transitions-ext.json": "Tests/Signer/NavigatorTests/Fixtures/transitions-ext.json",
        "navigator/flow-ext.json": "Tests/Signer/NavigatorTests/Fixtures/flow-ext.json",
        "detector.json": "Tests/Signer/NetworkDetectorTests/Fixtures/detector.json",
    ].mapValues { packageRoot.appending(path: $0) }

    /// The one file of ours, so that nothing else is checked again.
    static func ours(_ file: String) throws -> TemporaryFolder {
        try TemporaryFolder(copies: ours.filter { $0.key == file })
    }

    /// Two tables of rules with their numbers and headers, the table of verifiers, a flow, and the detector.
    private static let passedOfOurs = 403 + (134 + 1 + 19) + (82 + 2 + 8) + 63 + 7

    @Test("passes the answers that were made here: tables of verifiers, rules and headers, a flow, the detector")
    func passes() throws {
        let report = try TemporaryFolder(copies: Self.ours).report(by: ProductTopic.self)
        // The flow takes shares that are not ours.
        #expect((report.failed, report.skipped) == (0, 1))
        #expect(report.passed == Self.passedOfOurs)
    }

    @Test("passes every published file", .enabled(if: isThere))
    func published() throws {
        var report = Report()
        try ProductTopic.run(folder: SharedData.url("signer-product"), report: &report)
        #expect((report.failed, report.skipped) == (0, 0))
        #expect(report.passed > 1_200)
    }

    @Test(
        "fails a field that no check looks at, wherever it stands",
        arguments: [
            ("verifier/table.json", #""before": {"#), ("verifier/table.json", #""message": {"#),
            ("verifier/table.json", #""expect": {"#), ("verifier/table.json", #""id": "#),
            ("navigator/transitions.json", #""to": {"#), ("navigator/transitions.json", #""action": "#),
            ("navigator/transitions.json", #""rules": "#), ("navigator/transitions.json", #""back": "#),
            ("navigator/flow-ext.json", #""action": "#), ("navigator/flow-ext.json", #""expect": {"#),
            ("detector.json", #""onboarded": "#),
        ])
    func failsUnknownField(file: String, text: String) throws {
        let answers = try Self.ours(file)
        let isObject = text.hasSuffix("{")
        try answers.replaceJSON(
            text, with: isObject ? text + #""colour": "blue", "# : #""colour": 3, "# + text, in: file)
        #expect(try answers.report(by: ProductTopic.self).failed >= 1)
    }

    @Test(
        "fails a file that it does not know",
        arguments: [
            ("other.json", #"[{"colour": "blue"}]"#), ("other.json", "{}"), ("other.json", "no JSON"),
            ("other.txt", "5301"), ("picture.png", ""), ("verifier/notes", "words"), ("other.hex", "6d657461"),
            ("wordlist.txt", "abacus\nabdomen\n"),
        ])
    func failsUnknownFile(name: String, content: String) throws {
        let answers = try Self.ours("detector.json")
        try answers.write(content, to: name)
        let report = try answers.report(by: ProductTopic.self)
        #expect((report.failed, report.passed) == (1, 7))
    }

    @Test("fails a list of which a rule is missing")
    func failsMissing() throws {
        let answers = try Self.ours("navigator/transitions.json")
        let file = "navigator/transitions.json"
        var content = try JSON(contentsOf: answers.url.appending(path: file)).object
        content["rules"] = .array(content["rules"]?.array.dropLast() ?? [])
        try answers.write(JSON.object(content).text, to: file)
        let report = try answers.report(by: ProductTopic.self)
        #expect((report.failed, report.passed) == (1, 133 + 19))
    }

    /// Published files with one value that is wrong, one behind the other.
    private static let wrong: [(file: String, text: String, other: String)] = [
        ("history.json", #""index": 18"#, #""index": 19"#), ("history.json", #""shown": "CDAE"#, #""shown": "CDAF"#),
        ("history.json", #""crc32": 3"#, #""crc32": 1"#), ("history.json", #""user_entry": "L"#, #""user_entry": "M"#),
        ("database.json", #""crc32": 505129399"#, #""crc32": 505129390"#),
        ("database.json", #""stateDigestExcludingTransaction": "e4"#, #""stateDigestExcludingTransaction": "e5"#),
        ("database.json", #""safe": true"#, #""safe": false"#), ("database.json", #""n": 1,"#, #""n": 2,"#),
        ("keys.json", #""marked": false"#, #""marked": true"#), ("keys.json", #""valid": false"#, #""valid": true"#),
        ("keys.json", #""created": ["#, #""created": ["//other", "#),
        ("keys.json", #""suggestion": "//westend""#, #""suggestion": "//eastend""#),
        ("seed-draft.json", #""userInput": "botto""#, #""userInput": "bott""#),
        ("banana-split/vectors.json", #""error": "JsonParsing""#, #""error": "EmptyShare""#),
        ("banana-split/vectors.json", #""scryptKey": "6"#, #""scryptKey": "7"#),
        ("verifier/scenarios.json", #""NetworkVerifierSet(custom)""#, #""NetworkVerifierSet(general)""#),
        ("verifier/scenarios.json", #""error": "SpecsKnown""#, #""error": "NetworkBlocked""#),
    ]

    @Test("fails a published flow that a core does not follow", .enabled(if: isThere))
    func failsWhenFlowIsChanged() throws {
        let answers = try TemporaryFolder(copies: [
            "navigator": SharedData.url("signer-product/navigator"),
            "banana-split": SharedData.url("signer-product/banana-split"),
        ])
        #expect(try answers.report(by: ProductTopic.self).failed == 0)
        try answers.replaceJSON(#""screen": "LogDetails""#, with: #""screen": "Log""#, in: "navigator/flow.json")
        // By the rules, and by the core.
        #expect(try answers.report(by: ProductTopic.self).failed == 2)
    }

    @Test("fails each published list when one of its answers is changed", .enabled(if: isThere), arguments: wrong)
    func failsWhenPublishedIsChanged(file: String, text: String, other: String) throws {
        let published = ChangedAnswerTests.Answers(topic: ProductTopic.self, name: "published \(file)") {
            var files = [file: SharedData.url("signer-product/" + file)]
            if file.hasPrefix("verifier/") {
                files["verifier/payloads"] = SharedData.url("signer-product/verifier/payloads")
            }
            return try TemporaryFolder(copies: files)
        }
        let whole = try published.unchanged()
        #expect(whole.failed == 0 && whole.passed > 0)
        let answers = try published.copy()
        try answers.replaceJSON(text, with: other, in: file)
        let report = try answers.report(by: ProductTopic.self)
        #expect(report.failed >= 1 && report.failed <= 2)
        #expect(report.passed == whole.passed - 1)
    }
}

extension TemporaryFolder {
    /// Replaces a text of a file, which may be written without blanks.
    func replaceJSON(_ text: String, with other: String, in name: String) throws {
        let close = { (text: String) in text.replacing("\": ", with: "\":") }
        let isThere = self.text(of: name)?.contains(text) == true
        try replace(isThere ? text : close(text), with: isThere ? other : close(other), in: name)
    }
}
