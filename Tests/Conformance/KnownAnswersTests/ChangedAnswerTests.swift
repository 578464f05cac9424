import AppAttestKnownAnswers
import ForceFieldKnownAnswers
import Foundation
import KnownAnswers
import MainKeyKnownAnswers
import SignerKnownAnswers
import Synchronization
import TestSupport
import Testing
import VigilKnownAnswers

/// A check that cannot fail is none: each topic notices the one answer that says otherwise.
@Suite("Known answers of which one is changed")
struct ChangedAnswerTests {
    /// Answers of a topic that it passes as they are.
    struct Answers: Sendable {
        let topic: any Topic.Type
        /// Which of the topic's.
        let name: String
        let copy: @Sendable () throws -> TemporaryFolder

        static let appAttest = Answers(topic: AppAttestTopic.self, name: "minted") {
            try AppAttestTopicTests.answers()
        }
        static let vigil = Answers(topic: VigilTopic.self, name: "images") { try VigilTopicTests.answers() }

        /// One file alone, so that nothing else is checked again.
        static func product(_ file: String) -> Answers {
            Answers(topic: ProductTopic.self, name: file) { try ProductTopicTests.ours(file) }
        }

        static func forceField(_ file: String) -> Answers {
            Answers(topic: ForceFieldTopic.self, name: file) { try ForceFieldTopicTests.answers(of: file) }
        }

        /// The one ending of the table that has this text, so that no other is made to happen.
        static func ending(_ text: String) -> Answers {
            Answers(topic: ForceFieldTopic.self, name: text) {
                let answers = try forceField(endings).copy()
                let rows = answers.text(of: endings)?.split(separator: "\n") ?? []
                let row = try #require(rows.first { !$0.hasPrefix("#") && $0.contains(text) })
                try answers.write(row + "\n", to: endings)
                return answers
            }
        }

        static let endings = "termination_cases.tsv"

        static func mainKey(_ list: String) -> Answers {
            Answers(topic: MainKeyTopic.self, name: list) {
                // Under a name that says nothing.
                try TemporaryFolder(files: ["list.json": Data(MainKeyTopicTests.text(of: list).utf8)])
            }
        }

        /// What they give as they are, asked once.
        func unchanged() throws -> Counts {
            try Self.known.withLock { known in
                let key = "\(topic.name) \(name)"
                if let counts = known[key] { return counts }
                let counts = Counts(try copy().report(by: topic))
                known[key] = counts
                return counts
            }
        }

        private static let known = Mutex<[String: Counts]>([:])
    }

    struct Counts: Sendable {
        let passed: Int
        let failed: Int
        let skipped: Int

        init(_ report: Report) { (passed, failed, skipped) = (report.passed, report.failed, report.skipped) }
    }

    /// One value of them, and what it becomes.
    struct Change: Sendable, CustomTestStringConvertible {
        let answers: Answers
        let testDescription: String
        /// An ending of a worker counts twice: by its facts, and made to happen.
        var mostFailures = 1
        let make: @Sendable (TemporaryFolder) throws -> Void

        /// The first place of a text in a file becomes another.
        static func text(_ text: String, to other: String, in file: String, of answers: Answers) -> Change {
            Change(answers: answers, testDescription: "\(answers.topic.name), \(file): \(text)") {
                try $0.replaceJSON(text, with: other, in: file)
            }
        }

        static func ending(_ text: String, to other: String) -> Change {
            var change = Change.text(text, to: other, in: Answers.endings, of: .ending(text))
            change.mostFailures = 2
            return change
        }

        /// The first hex digit of a field's last occurrence becomes another.
        static func digit(of field: String, of list: String) -> Change {
            let answers = Answers.mainKey(list)
            return Change(answers: answers, testDescription: "\(answers.topic.name), \(list): \(field)") { folder in
                let text = try #require(folder.text(of: "list.json"))
                let name = try #require(text.range(of: "\"\(field)\":", options: .backwards))
                let quote = try #require(text[name.upperBound...].firstIndex(of: "\""))
                let digit = text.index(after: quote)
                try folder.write(
                    text.replacingCharacters(in: digit...digit, with: text[digit] == "0" ? "1" : "0"),
                    to: "list.json")
            }
        }
    }

    private static let appAttest = [
        ("negative/attestations-minted.json", #""expect": "ok""#, #""expect": "nonce_mismatch""#),
        ("negative/attestations-minted.json", #""step": "A7""#, #""step": "A6""#),
        ("negative/assertions-minted.json", #""expect": "signature_invalid""#, #""expect": "ok""#),
        ("negative/assertions-minted.json", #""stored_sign_count": 5"#, #""stored_sign_count": 0"#),
        ("minted/README.json", #""client_data_hash_hex": "98"#, #""client_data_hash_hex": "99"#),
    ].map { Change.text($0.1, to: $0.2, in: $0.0, of: .appAttest) }

    private static let vigil = [
        ("images.json", #""text2": ""#, #""text2": "x"#), ("images.json", #""badPages": []"#, #""badPages": [1]"#),
        ("images.json", #""prot": 5"#, #""prot": 7"#), ("images.json", #""size": "#, #""size": 1"#),
        ("fsverity-vectors.json", #""fsverity": "3d"#, #""fsverity": "3e"#),
    ].map { Change.text($0.1, to: $0.2, in: $0.0, of: .vigil) }

    private static let product = [
        ("verifier/table.json", #""error": "SpecsKnown""#, #""error": "SpecsMalformed""#),
        ("verifier/table.json", #""outcome": "stub""#, #""outcome": "error""#),
        ("verifier/table.json", #""NotVerified""#, #""UpdatingTypes""#),
        ("verifier/table.json", #"NetworkSpecsAdded(Alpha)"#, #"NetworkSpecsAdded(Beta)"#),
        ("verifier/table.json", #""verifierCard": false"#, #""verifierCard": true"#),
        ("navigator/transitions.json", #""action": "NavbarLog""#, #""action": "NavbarScan""#),
        ("navigator/transitions.json", #""label": "Event details""#, #""label": "Event""#),
        ("navigator/transitions-ext.json", #""screen": "Unlock""#, #""screen": "Log""#),
        ("navigator/flow-ext.json", #""label": "Before you start""#, #""label": "Before""#),
        ("detector.json", #""down""#, #""fail""#),
        ("detector.json", #""log": []"#, #""log": ["DeviceWasOnline"]"#),
    ].map { Change.text($0.1, to: $0.2, in: $0.0, of: .product($0.0)) }

    private static let forceField: [Change] =
        [
            ("codec_vectors.json", #""hex": "00""#, #""hex": "01""#),
            ("codec_vectors.json", #""keyOrder""#, #""emptyKey""#),
            ("codec_vectors.json", #""depth": 32"#, #""depth": 31"#),
            ("frame_vectors.json", "0a000000100000000100", "0a000000100000000200"),
            ("frame_violations.json", #""badFlags""#, #""badType""#), ("hash_vectors.json", "d49dd484", "d49dd485"),
            ("hash_vectors.json", "77b0ae7d", "77b0ae7e"),
        ].map { Change.text($0.1, to: $0.2, in: $0.0, of: .forceField($0.0)) } + [
            .ending("exited(7)", to: "exited(8)"), .ending("killedByOS(cpuLimit)", to: "killedByOS(unknown)"),
            .ending("CPU time >= 1.9 s", to: "CPU time >= 1.8 s"),
        ]

    private static let mainKey = MainKeyTopicTests.lists.map { Change.digit(of: $0.1, of: $0.0) }

    @Test("a topic fails the one answer that is changed", arguments: appAttest + vigil + product + forceField + mainKey)
    func failsWhenChanged(change: Change) throws {
        let unchanged = try change.answers.unchanged()
        #expect(unchanged.failed == 0 && unchanged.passed > 0)
        let answers = try change.answers.copy()
        try change.make(answers)
        let report = try answers.report(by: change.answers.topic)
        #expect((1...change.mostFailures).contains(report.failed))
        #expect(report.passed == unchanged.passed - report.failed)
        #expect(report.skipped == unchanged.skipped)
    }
}
