/// The rules of the navigator, and the interpreter that runs them: the first rule that applies and whose guards hold is
/// the one that fires; where none does, the action is ignored.
///
///     let step = RuleTable.shared.step(.goForward, at: position) { guardIsHeld($0) }
///
/// Source: `signer-product` section 6.6.
package struct RuleTable: Sendable {
    /// The rules in the order in which they are tried.
    package let rules: [Rule]
    private let byAction: [UserAction: [Rule]]

    /// The rules of the product.
    package static let shared = RuleTable(rules: Self.parse(Self.text) + Self.parse(Self.vaultText))

    init(rules: [Rule]) {
        self.rules = rules
        byAction = Dictionary(
            uniqueKeysWithValues: UserAction.allCases.map { action in
                (action, rules.filter { $0.action == nil || $0.action == action })
            })
    }

    /// What an action leads to.
    package struct Step: Hashable, Sendable {
        /// The rule that fired.
        package let rule: Rule
        /// Where it leads once its effects have succeeded.
        package let position: Position
    }

    /// Finds the rule that fires. Nothing is done: the caller does what the rule's effects say, and stays where it was
    /// if one of them fails.
    ///
    /// - Parameters:
    ///   - action: what was done.
    ///   - position: where it was done.
    ///   - holds: whether a guard holds; asked for guards of rules that apply alone, in the order of the table, and at
    ///     most once for each guard.
    /// - Returns: nil if the action is impossible here.
    package func step(
        _ action: UserAction, at position: Position, holds: (Guard) throws -> Bool
    ) rethrows -> Step? {
        var known: [Guard: Bool] = [:]
        for rule in candidates(for: action, at: position) {
            let isHeld = try rule.guards.allSatisfy { condition in
                if let answer = known[condition] { return answer }
                let answer = try condition == .hasFooter ? position.screen.hasFooter : holds(condition)
                known[condition] = answer
                return answer
            }
            if isHeld { return Step(rule: rule, position: rule.position(after: position)) }
        }
        return nil
    }

    /// The rules that fire at a position if their guards hold, in the order in which they are tried.
    ///
    /// - Parameters:
    ///   - action: what is done.
    ///   - position: where it is done.
    package func candidates(for action: UserAction, at position: Position) -> [Rule] {
        byAction[action, default: []].filter { $0.applies(to: action, at: position) }
    }
}
