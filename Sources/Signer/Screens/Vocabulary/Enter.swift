/// What Enter does in a field.
extension Field {
    package enum Enter: Hashable, Sendable {
        /// What the field itself says.
        case sends(Message)
        /// The one control that takes along what stands in the field.
        case presses(Control)
        /// Several take it: a person says which is meant.
        case asks
        /// None takes it: whatever else is there would drop what was typed.
        case nothing
    }

    /// Finds out what Enter does.
    ///
    /// - Parameter parts: the controls of the fold that the field is in, of those around it, and of the bar: the first
    ///   in which one takes the field counts.
    package func enter(among parts: [[Control]]) -> Enter {
        if let enter { return .sends(enter) }
        let taking = parts.lazy.map { $0.filter { $0.message.takes(id) } }.first { !$0.isEmpty } ?? []
        return taking.count > 1 ? .asks : taking.first.map(Enter.presses) ?? .nothing
    }
}

extension Message {
    /// Whether what stands in a field goes along, or has to fit before anything is done.
    package func takes(_ field: Field.ID) -> Bool {
        guard case .core(let calls) = self else { return false }
        return calls.contains { $0.takes(field) }
    }
}

extension CoreCall {
    fileprivate func takes(_ field: Field.ID) -> Bool {
        secret == field || credential == field || data.fields.contains(field)
            || needs.contains { $0.condition.taken.contains(field) }
    }
}

extension CoreCall.Data {
    fileprivate var fields: [Field.ID] {
        switch self {
        case .none, .text: []
        case .field(let field), .taken(let field), .toggle(let field), .payload(let field), .passwordedPath(let field):
            [field]
        case .list(let fields): fields
        case .object(let fields, _, let chosen): fields.values + chosen.values.flatMap { $0.map(\.field) }
        }
    }
}

extension CoreCall.Condition {
    /// The fields that have to say something. What has to be empty is what the call would drop.
    fileprivate var taken: [Field.ID] {
        switch self {
        case .isOn(let field), .isPayload(let field), .isPlainPath(let field), .word(let field, _, _): [field]
        case .same(let one, let other): [one, other]
        case .isEmpty, .isUntouched: []
        }
    }
}
