extension RuleTable {
    /// Reads a table. It is part of the program and checked by a test of every line, so that what cannot be read is a
    /// mistake of this source.
    static func parse(_ text: String) -> [Rule] {
        text.split(separator: "\n").map { line in
            guard let rule = Rule(line: line) else { preconditionFailure("no rule: \(line)") }
            return rule
        }
    }
}

extension Rule {
    /// - Parameter line: as in ``RuleTable/text``.
    init?(line: some StringProtocol) {
        var rest = Substring(line)
        func word() -> Substring {
            let word = rest.prefix { $0 != " " }
            rest = rest.dropFirst(word.count).drop { $0 == " " }
            return word
        }
        func list(from open: Character, to close: Character, separator: Character) -> [Substring] {
            guard rest.first == open, let end = rest.firstIndex(of: close) else { return [] }
            let inside = rest[rest.index(after: rest.startIndex)..<end]
            rest = rest[rest.index(after: end)...].drop { $0 == " " }
            return inside.split(separator: separator).map { $0.drop { $0 == " " } }
        }
        id = String(word())
        let before = Place(word())
        let action = word()
        let guards = list(from: "[", to: "]", separator: ",").map { Guard(rawValue: String($0)) }
        let effects = list(from: "{", to: "}", separator: ";").map { Effect(rawValue: String($0)) }
        guard word() == "→", let before, let after = Place(word()), rest.isEmpty,
            action == "*" || UserAction(rawValue: String(action)) != nil, !guards.contains(nil), !effects.contains(nil)
        else { return nil }
        self.action = UserAction(rawValue: String(action))
        self.guards = guards.compactMap(\.self)
        self.effects = effects.compactMap(\.self)
        guard let screen = before.screenPattern, let modal: Pattern<Modal> = Self.pattern(before.modal),
            let alert: Pattern<Alert> = Self.pattern(before.alert ?? "-"), let next = after.nextScreen,
            let nextModal = after.nextModal, let nextAlert = after.nextAlert
        else { return nil }
        (self.screen, self.modal, self.alert) = (screen, modal, alert)
        (nextScreen, self.nextModal, self.nextAlert) = (next, nextModal, nextAlert)
    }

    private static func pattern<Value: RawRepresentable<String> & Hashable & Sendable>(
        _ text: Substring
    ) -> Pattern<Value>? {
        switch text {
        case "*": .any
        case "-": Pattern.none
        case "+": .some
        default: Value(rawValue: String(text)).map { .one($0) }
        }
    }

    /// `SCREEN/MODAL` or `SCREEN/MODAL!ALERT`.
    private struct Place {
        let screen: Substring
        let modal: Substring
        let alert: Substring?

        init?(_ text: Substring) {
            let parts = text.split(separator: "/", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            let tail = parts[1].split(separator: "!", maxSplits: 1)
            screen = parts[0]
            modal = tail.first ?? ""
            alert = tail.count == 2 ? tail[1] : nil
        }

        /// The screen before, where nil stands for any; nil if there is none of that name.
        var screenPattern: Screen?? {
            screen == "*" ? .some(nil) : Screen(rawValue: String(screen)).map { .some($0) }
        }

        /// The screen behind, where nil stands for the one before; nil if there is none of that name.
        var nextScreen: Screen?? {
            screen == "=" ? .some(nil) : Screen(rawValue: String(screen)).map { .some($0) }
        }

        var nextModal: Change<Modal>? {
            switch modal {
            case "=": .unchanged
            case "-": .set(nil)
            case _ where modal.hasSuffix("~"): Modal(rawValue: String(modal.dropLast())).map { .toggle($0) }
            default: Modal(rawValue: String(modal)).map { .set($0) }
            }
        }

        var nextAlert: Change<Alert>? {
            switch alert {
            case nil: .set(nil)
            case "keep": .unchanged
            case let name?: Alert(rawValue: String(name)).map { .set($0) }
            }
        }
    }
}
