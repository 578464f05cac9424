/// What a person types before something dangerous is signed: a part of the danger itself.
public struct Confirmation: Hashable, Sendable {
    /// What has to be typed.
    public enum Kind: Hashable, Sendable {
        /// The last five characters of the address that the danger is about.
        case account
        /// Five characters of an address from the first place, counted from 1, where it differs from one that it looks
        /// like.
        case difference(position: Int)
        /// The last five characters of the address that signs.
        case signer
        /// The digits of an amount, as they are shown, without zeros at the end.
        case amount
        /// The name of the method, where the danger names neither account nor amount.
        case method
    }

    /// The danger that is confirmed by it.
    public var rule: RiskRule
    /// What has to be typed.
    public var kind: Kind
    /// The text that has to be typed.
    public var text: String
    /// The number of the call that it is taken from.
    public var call: Int
    /// The number, from 1, of the transaction in a bulk; nil outside of one.
    public var member: Int?

    static let characters = 5
}

extension [Confirmation] {
    /// What is still to be typed. One text that was typed confirms one danger, also where two ask for the same.
    package func missing(from typed: [String]) -> [Confirmation] {
        var left = typed
        return filter { asked in
            guard let index = left.firstIndex(of: asked.text) else { return true }
            left.remove(at: index)
            return false
        }
    }

    /// Adds a confirmation, unless the same text is asked for the same danger already, over all transactions of a bulk.
    mutating func ask(_ new: Confirmation) {
        if !contains(where: { $0.rule == new.rule && $0.text == new.text }) { append(new) }
    }
}
