import ArgumentParser
import Navigator

extension CoreCommand {
    struct Tables: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "tables",
            abstract: "Print the rules that lead from screen to screen, in the order in which they are tried.",
            discussion: "One line of JSON for each: where it applies, its guards and effects, and where it leads.")

        private struct Line: Encodable {
            var id: String
            var action: String
            var before: String
            var guards: [String]
            var effects: [String]
            var behind: String
        }

        func run() throws {
            let lines = Lines(revealing: false)
            for rule in RuleTable.shared.rules {
                try lines.print(
                    Line(
                        id: rule.id, action: rule.action?.rawValue ?? "*", before: before(rule),
                        guards: rule.guards.map(\.rawValue), effects: rule.effects.map(\.rawValue), behind: behind(rule)
                    ))
            }
        }

        private func before(_ rule: Rule) -> String {
            func text<Value: RawRepresentable<String>>(_ pattern: Rule.Pattern<Value>) -> String {
                switch pattern {
                case .any: "*"
                case .none: "-"
                case .some: "+"
                case .one(let value): value.rawValue
                }
            }
            let alert = text(rule.alert)
            return "\(rule.screen?.rawValue ?? "*")/\(text(rule.modal))" + (alert == "-" ? "" : "!\(alert)")
        }

        private func behind(_ rule: Rule) -> String {
            func text<Value: RawRepresentable<String>>(_ change: Rule.Change<Value>) -> String {
                switch change {
                case .unchanged: "="
                case .set(let value): value?.rawValue ?? "-"
                case .toggle(let value): value.rawValue + "~"
                }
            }
            let alert = text(rule.nextAlert)
            return "\(rule.nextScreen?.rawValue ?? "=")/\(text(rule.nextModal))" + (alert == "-" ? "" : "!\(alert)")
        }
    }
}
