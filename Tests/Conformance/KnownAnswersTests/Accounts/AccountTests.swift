import Foundation
import KnownAnswers
import TestSupport
import Testing

/// A topic of which the test says what is looked at.
private enum TinyTopic: Topic {
    static let name = "tiny"
    static let summary = "rows with a text, parts and a pair"
    static let lists: [any AnswerList.Type] = [Rows.self]
    static let tables: [String: @Sendable (AnswerFile, inout Report) throws -> Void] = [
        "table.tsv": { file, report in
            report.check(try file.rows()) { row in row.expect("a", row.json[0].string, equals: "a") }
        }
    ]

    enum Rows: AnswerList {
        static func recognises(_ content: JSON) -> Bool { content.has("rows") }

        static func check(_ content: JSON, file: AnswerFile, report: inout Report) throws {
            report.check(content["rows"], besides: ["known.of"]) { row in
                let kind = try row.choice("kind", ["plain": false, "skipped": true])
                if kind { return row.skip("not here") }
                row.expect("parts", row["parts"].array.map { $0["n"].int }, equals: [1, 2])
                row.expect("pair", [row["pair"][0].int, row["pair"][1].int], equals: [3, 4])
                row.expect("whole", row["whole"], equals: .object(["a": .object(["b": .integer(1)])]))
                row.expect("texts", row["texts"].strings, equals: ["x"])
                for (_, value) in row["map"].object { row.expect("value", value["v"].bool, equals: true) }
                if row["file"].string != nil { row.expect("file", try row.file("file"), equals: [1]) }
            }
        }
    }
}

@Suite("The account of a folder")
struct AccountTests {
    private static let row = #"""
        {"name": "one", "kind": "plain", "parts": [{"n": 1}, {"n": 2}], "pair": [3, 4], "whole": {"a": {"b": 1}},
        "texts": ["x"], "map": {"k": {"v": true}, "l": {"v": true}}, "known": {"of": ["this"]}}
        """#

    private func failures(_ row: String, and files: [String: String] = [:]) throws -> [String] {
        var all = files.mapValues { Data($0.utf8) }
        all["list.json"] = Data(#"{"rows": [\#(Self.row), \#(row)]}"#.utf8)
        return try TemporaryFolder(files: all).report(by: TinyTopic.self).failures
    }

    @Test("all of it was looked at")
    func passes() throws {
        #expect(try failures(Self.row, and: ["README.md": "words", "inner/README.md": "more"]) == [])
        let text = #"{"rows": [\#(Self.row)], "note": "words", "source": ["a", "b"]}"#
        #expect(try TemporaryFolder(files: ["list.json": Data(text.utf8)]).report(by: TinyTopic.self).failures == [])
    }

    @Test(
        "a member that no check looks at fails by its path, in whatever row and however deep",
        arguments: [
            (#""name":"#, #""colour": 1, "name":"#, "rows[].colour"),
            (#"{"n": 2"#, #"{"colour": 1, "n": 2"#, "parts[].colour"),
            (#""map": {"#, #""map": {"colour": {"v": true, "w": 0}, "#, "map.colour.w"),
            (#""known": {"#, #""known": {"colour": null, "#, "known.colour"),
            (#"["this"]"#, #"["this", {}]"#, "known.of[]"), (#"[3, 4"#, "[3, 4, 5", "rows[].pair[]"),
            (#""one""#, #"{"more": "than text"}"#, "rows[].name"), (#"{"b": 1"#, #"{"colour": 1, "b": 1"#, "whole"),
            (#"["x""#, #"["x", 5"#, "no text"), (#"["x"]"#, #""x""#, "no list"),
            (#""map": {"k": {"v": true}, "l": {"v": true}}"#, #""map": 5"#, "no object"),
        ])
    func members(text: String, other: String, name: String) throws {
        try #require(Self.row.contains(text))
        let failures = try failures(Self.row.replacing(text, with: other))
        #expect(failures.contains { $0.contains(name) }, "\(failures)")
    }

    @Test("a member that only rows without a check have fails, the row's reason notwithstanding")
    func skipped() throws {
        let row = Self.row.replacing(#""plain""#, with: #""skipped""#)
        let sample = try TemporaryFolder(files: ["list.json": Data(#"{"rows": [\#(Self.row), \#(row)]}"#.utf8)])
        let report = try sample.report(by: TinyTopic.self)
        #expect((report.passed, report.failed, report.skipped) == (1, 0, 1))
        let other = row.replacing(#""name":"#, with: #""colour": 1, "name":"#)
        #expect(try failures(other) == ["list.json: no check looks at its member rows[].colour"])
    }

    @Test("a file that is named by a row counts as read, and one that is not fails, wherever it lies")
    func files() throws {
        let row = Self.row.replacing(#""name":"#, with: #""file": "a.bin", "name":"#)
        #expect(try failures(row, and: ["a.bin": "\u{1}"]) == [])
        #expect(try failures(Self.row, and: ["a.bin": "\u{1}"]) == ["a.bin: no check reads this file"])
        #expect(try failures(Self.row, and: ["in/.hidden": ""]) == ["in/.hidden: no check reads this file"])
        #expect(try failures(row).count == 1)
    }

    @Test("a table is known by its name, and its columns are looked at like members")
    func tables() throws {
        #expect(try failures(Self.row, and: ["table.tsv": "# head\na\na\n"]) == [])
        #expect(try failures(Self.row, and: ["table.tsv": "a\nb\n"]).count == 1)
        #expect(
            try failures(Self.row, and: ["table.tsv": "a\tb\n"]) == ["table.tsv: no check looks at its member [][]"])
        #expect(try failures(Self.row, and: ["other.tsv": "a\n"]) == ["other.tsv: no check reads this file"])
    }

    @Test(
        "a list that is empty, under another name or no JSON fails",
        arguments: [
            #"{"rows": []}"#, #"{"rows": null}"#, #"{"others": [1]}"#, "{}", "[]", "5", "no JSON", "",
            #"{"rows": [], "rows": []}"#,
        ])
    func lists(text: String) throws {
        let report = try TemporaryFolder(files: ["list.json": Data(text.utf8)]).report(by: TinyTopic.self)
        #expect(report.failed == 1 && report.failures[0].hasPrefix("list.json"), "\(report.failures)")
    }

    @Test("a word that is none of those that a check knows fails, with those that it knows")
    func choices() throws {
        let failures = try failures(Self.row.replacing(#""plain""#, with: #""odd""#))
        #expect(failures.contains { $0.contains("kind, which is none of plain, skipped,") }, "\(failures)")
    }

    @Test("numbers are compared as they are written, objects in any order")
    func equality() throws {
        func parsed(_ text: String) throws -> JSON { try JSON(parsing: Array(text.utf8)) }
        #expect(try parsed(#"{"a": 1, "b": [true, null]}"#) == parsed(#"{"b": [true, null], "a": 1}"#))
        #expect(try parsed("[1, 2]") != parsed("[2, 1]"))
        #expect(try parsed("-0.0").double?.sign == .minus && parsed("-0").double?.sign == .minus)
        #expect(try parsed("505129399") == .integer(505_129_399))
        #expect(try parsed(#"{"a": 1}"#).text == #"{"a":1}"#)
    }
}
