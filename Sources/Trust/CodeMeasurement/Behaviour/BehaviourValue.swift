/// A value of a field.
package enum BehaviourValue: Hashable, Sendable {
    case number(UInt64)
    case text(String)
}

/// What asking for a field gave.
package enum FieldReading: Hashable, Sendable {
    case value(BehaviourValue)
    /// A variable that is not set.
    case absent
    /// The process does not let itself be looked at.
    case hidden
    case unreadable

    static func number(_ value: UInt64?) -> FieldReading {
        value.map { .value(.number($0)) } ?? .unreadable
    }
}
