/// Whether a process keeps the rules.
package struct BehaviourVerdict: Hashable, Sendable {
    /// ``Reason/ok``, ``Reason/traced`` or ``Reason/behaviour``.
    package let reason: Reason
    /// The first rule that does not hold.
    package let rule: BehaviourRule?
    /// Whether rules were left out because the process keeps their fields to itself.
    package let isEnvironmentUnreadable: Bool

    /// Asks for the fields of the rules, in their order, until one does not hold.
    package init(_ rules: [BehaviourRule], _ read: (BehaviourField) -> FieldReading) {
        var isEnvironmentUnreadable = false
        var failed: BehaviourRule?
        search: for rule in rules {
            switch rule.outcome(read(rule.field)) {
            case .holds: continue
            case .skipped: isEnvironmentUnreadable = true
            case .fails:
                failed = rule
                break search
            }
        }
        self.isEnvironmentUnreadable = isEnvironmentUnreadable
        rule = failed
        reason =
            switch failed?.field {
            case nil: .ok
            case .tracer: .traced
            default: .behaviour
            }
    }

    /// The finding for the log; nil without a rule that was broken.
    package var finding: Finding? {
        rule.map { $0.finding("\($0.field.name) is not as it has to be") }
    }
}

extension BehaviourRule {
    func finding(_ text: String) -> Finding { Finding(text, ruleID: id) }
}
