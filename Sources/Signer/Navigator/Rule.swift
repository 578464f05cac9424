/// One line of the navigator's table: where it applies, to which action, under which conditions, what it does, and
/// where it leads.
///
/// Source: `signer-product` section 6.6.
package struct Rule: Hashable, Sendable {
    /// What a place before an action has to be.
    package enum Pattern<Value: Hashable & Sendable>: Hashable, Sendable {
        /// Anything, or nothing.
        case any
        /// Nothing.
        case none
        /// Anything, but something.
        case some
        /// This one.
        case one(Value)

        func matches(_ value: Value?) -> Bool {
            switch self {
            case .any: true
            case .none: value == nil
            case .some: value != nil
            case .one(let wanted): value == wanted
            }
        }
    }

    /// What becomes of a place.
    package enum Change<Value: Hashable & Sendable>: Hashable, Sendable {
        /// It stays.
        case unchanged
        /// It is this one, or none.
        case set(Value?)
        /// It is this one, or none where it was this one.
        case toggle(Value)

        func applied(to value: Value?) -> Value? {
            switch self {
            case .unchanged: value
            case .set(let new): new
            case .toggle(let new): value == new ? nil : new
            }
        }
    }

    /// The name by which the table and its tests call it: `T048`.
    package let id: String
    /// The screen before; nil for any.
    package let screen: Screen?
    /// The sheet that has to be open before, by pattern.
    package let modal: Pattern<Modal>
    /// The alert that has to be open before, by pattern.
    package let alert: Pattern<Alert>
    /// The action; nil for any.
    package let action: UserAction?
    /// The conditions, which must all hold.
    package let guards: [Guard]
    /// What it does, in order.
    package let effects: [Effect]
    /// The screen behind it; nil for the one before.
    package let nextScreen: Screen?
    /// What becomes of the modal.
    package let nextModal: Change<Modal>
    /// What becomes of the alert.
    package let nextAlert: Change<Alert>

    /// Whether it applies to an action at a position, if its guards hold.
    package func applies(to action: UserAction, at position: Position) -> Bool {
        (self.action == nil || self.action == action) && (screen == nil || screen == position.screen)
            && modal.matches(position.modal) && alert.matches(position.alert)
    }

    /// Where it leads.
    package func position(after position: Position) -> Position {
        Position(
            nextScreen ?? position.screen, modal: nextModal.applied(to: position.modal),
            alert: nextAlert.applied(to: position.alert))
    }
}
