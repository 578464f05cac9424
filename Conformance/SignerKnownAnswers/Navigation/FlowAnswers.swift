import KnownAnswers
import Navigator

/// `[{n, action | call, rule, expect…}]`: a flow through the screens. The rules lead where each step says, and so does
/// a core with a vault.
enum FlowAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content.has("n", "expect", "rule") }

    /// Names of the payloads that the steps scan.
    static func payloads(_ content: JSON) -> [String] {
        guard recognises(content) else { return [] }
        return content.array.compactMap { $0["data"].string }.flatMap { data in
            data.split(separator: "$file:").dropFirst(data.hasPrefix("$file:") ? 0 : 1).map { text in
                String(text.prefix { $0.isLetter || $0.isNumber || "_-.".contains($0) })
            }
        }
    }

    /// What a step can say of the world outside of the core.
    private static let conditions: Set<String> = [
        "all shown", "detector", "not onboarded", "ok", "risk open", "share last", "tx", "wrong",
    ]

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) throws {
        var now = Position.start
        for name in Set(payloads(content)).sorted() {
            PayloadFileAnswers.check(file.beside("payloads/\(name)"), report: &report)
        }
        try FlowReplay.check(content, file: file, report: &report)
        // What the replay takes.
        let others: Set<String> = ["n", "names", "seed", "secret", "data", "expect.alertCode"]
        report.check(content, besides: others) { row in
            for condition in conditions { row["conditions"].leave(condition) }
            if row["action"].isNull {
                row.expect("call", ["updateSeedNames", "seedWasShown"].contains(row["call"].string), equals: true)
                return
            }
            let name = try row.text("action")
            guard let action = UserAction(rawValue: name) else { throw RowError.missing("action \(name)") }
            let candidates = RuleTable.shared.candidates(for: action, at: now)
            if let id = row["rule"].string {
                guard let rule = candidates.first(where: { $0.id == id }) else {
                    throw RowError.missing("rule \(id) at \(now)")
                }
                now = rule.position(after: now)
            } else {
                // What is ignored meets no rule that needs nothing, but for that of the footer where there is none.
                let ignored = candidates.allSatisfy {
                    !$0.guards.isEmpty && ($0.guards != [.hasFooter] || !now.screen.hasFooter)
                }
                row.expect("ignored", ignored, equals: true)
            }
            let expected = row["expect"]
            row.expect("screen", now.screen.rawValue, equals: expected["screen"].string)
            row.expect("modal", now.modal?.rawValue, equals: expected["modal"].string)
            row.expect("alert", now.alert?.rawValue, equals: expected["alert"].string)
            row.expectHeader(at: now, equals: expected)
        }
    }
}

extension Row {
    /// The header that a step shows is one that its screen can have.
    fileprivate mutating func expectHeader(at position: Position, equals expected: JSON) {
        let headers = [(false, true), (false, false), (true, false)].map { isSelecting, isSeedKey in
            Header(of: position, isSelecting: isSelecting, isSeedKey: isSeedKey)
        }
        let isThere = headers.contains { header in
            header.label == expected["label"].string && header.hasBack == expected["back"].bool
                && header.hasFooter == expected["footer"].bool
                && header.root?.rawValue == expected["footerButton"].string
                && header.right?.rawValue == expected["rightButton"].string
                && header.title.rawValue == expected["nameType"].string
        }
        expect("header of \(position)", isThere, equals: true)
    }
}
