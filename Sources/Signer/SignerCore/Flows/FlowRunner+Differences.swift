import Navigator

extension FlowRunner {
    /// What differs between a step and what is shown, in words.
    static func differences(_ step: FlowStep, _ result: ActionResult) -> [String] {
        var found: [String] = []
        func compare<Value: Equatable>(_ name: String, _ pair: (wanted: Value, seen: Value)) {
            if pair.wanted != pair.seen { found.append("\(name): \(pair.seen), not \(pair.wanted)") }
        }
        compare("rule", (step.rule ?? "none", result.rule ?? "none"))
        guard let expect = step.expect else { return found }
        compare("screen", (expect.screen, result.position.screen.rawValue))
        compare("modal", (expect.modal ?? "none", result.position.modal?.rawValue ?? "none"))
        compare("alert", (expect.alert ?? "none", result.position.alert?.rawValue ?? "none"))
        if case .error(let failure)? = result.alert {
            if let wanted = expect.alertCode { compare("alertCode", (wanted, failure.code)) }
            if !found.isEmpty { found.append("error: \(failure.code): \(failure.text)") }
        }
        guard let label = expect.label else { return found }
        compare("label", (label, result.header.label))
        compare("back", (expect.back ?? false, result.header.hasBack))
        compare("footer", (expect.footer ?? false, result.header.hasFooter))
        compare("footerButton", (expect.footerButton ?? "none", result.header.root?.rawValue ?? "none"))
        compare("rightButton", (expect.rightButton ?? "none", result.header.right?.rawValue ?? "none"))
        compare("nameType", (expect.nameType ?? "H1", result.header.title.rawValue))
        return found
    }
}
