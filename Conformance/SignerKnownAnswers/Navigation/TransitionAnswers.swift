import KnownAnswers
import Navigator

/// `{rules: [{id, screen, modal, alert, action, guard, effect, to}], header}`: a table of the navigator, ours (with
/// `order`) or the original's.
enum TransitionAnswers: AnswerList {
    /// Where the numbers of our own rules begin.
    private static let firstOfOurs = "T201"
    /// Where those begin that no table tells.
    private static let firstOfLater = "T301"

    static func recognises(_ content: JSON) -> Bool { content.has("rules", "header") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) throws {
        let known = content["rules"].array
        // Those of ours come behind the original's rules of alerts, and are told by their names.
        let isOurs = !content["order"].isNull
        let rules = RuleTable.shared.rules.filter {
            ($0.id >= Self.firstOfOurs) == isOurs && $0.id < Self.firstOfLater
        }
        report.expect("\(file.path) rules", rules.map(\.id), equals: known.map { $0["id"].string ?? "" })
        if isOurs {
            let place = RuleTable.shared.rules.firstIndex { $0.id == Self.firstOfOurs }
            let before = place.flatMap { $0 > 0 ? RuleTable.shared.rules[$0 - 1].id : nil }
            report.expect("\(file.path) order", before, equals: "T005")
        }
        report.check(content["rules"]) { row in
            guard let rule = rules.first(where: { $0.id == row["id"].string }) else { throw RowError.missing("rule") }
            let json = row.json.object.filter { $0.key != "note" }
            row.expect(rule.id, rule.known, equals: .object(json.mapValues(\.closed)))
        }
        for (name, header) in content["header"].object.sorted(by: { $0.key < $1.key }) {
            report.check(header, as: name) { row in
                guard let screen = Screen(rawValue: name) else { throw RowError.missing("screen \(name)") }
                try row.expectHeader(of: screen)
            }
        }
    }
}

extension JSON {
    /// A list of effects without the blank behind its separators.
    fileprivate var closed: JSON { string.map { .string($0.replacing("; ", with: ";")) } ?? self }
}

extension Row {
    fileprivate mutating func expectHeader(of screen: Screen) throws {
        let labels = try text("label").components(of: " | ")
        let buttons = self["rightButton"].string?.components(of: " | ") ?? ["none"]
        var seen: (labels: Set<String>, buttons: Set<String>) = ([], [])
        for (isSelecting, isSeedKey) in [(false, true), (false, false), (true, false)] {
            let header = Header(of: Position(screen), isSelecting: isSelecting, isSeedKey: isSeedKey)
            seen.labels.insert(header.label)
            seen.buttons.insert(header.right?.rawValue ?? "none")
            expect("back", header.hasBack, equals: try flag("back"))
            expect("footer", header.hasFooter, equals: try flag("footer"))
            expect("root", header.root?.rawValue, equals: self["footerButton"].string)
            expect("title", header.title.rawValue, equals: try text("nameType"))
        }
        // A list names everything that a header may show.
        expect("labels", seen.labels, equals: Set(labels))
        let others = seen.buttons.subtracting(buttons)
        expect("buttons that are not listed", others, equals: [])
    }
}

extension String {
    fileprivate func components(of separator: String) -> [String] {
        split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    }
}

extension Rule {
    /// In the words of the answers.
    var known: JSON {
        func text<Value: RawRepresentable<String>>(_ pattern: Pattern<Value>) -> String {
            switch pattern {
            case .any: "*"
            case .none: "-"
            case .some: "+"
            case .one(let value): value.rawValue
            }
        }
        func text<Value: RawRepresentable<String>>(_ change: Change<Value>) -> String {
            switch change {
            case .unchanged: "="
            case .set(let value): value?.rawValue ?? "-"
            case .toggle(let value): value.rawValue + "~"
            }
        }
        return .object([
            "id": .string(id), "screen": .string(screen?.rawValue ?? "*"), "modal": .string(text(modal)),
            "alert": .string(text(alert)), "action": .string(action?.rawValue ?? "*"),
            "guard": .string(guards.map(\.rawValue).joined(separator: ",")),
            "effect": .string(effects.map(\.rawValue).joined(separator: ";")),
            "to": .object([
                "screen": .string(nextScreen?.rawValue ?? "="), "modal": .string(text(nextModal)),
                "alert": .string(text(nextAlert)),
            ]),
        ])
    }
}
