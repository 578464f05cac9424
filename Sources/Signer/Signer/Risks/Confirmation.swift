import Substrate
import TextForms

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
    /// The address that the text is a part of; nil where it is of none.
    var address: String?
    /// The network whose amounts it sums up over several transactions; nil where it is about one transaction.
    var network: NetworkSpecs?
    /// The danger in words: what was found in this one place.
    package var message = ""

    /// The call that it is about, in words: `call 2 in transaction 3`.
    package var place: String { "call \(call)\(memberInWords)" }
    /// The transaction of a bulk that it is about, in words behind others; empty outside of one.
    package var memberInWords: String { member.map { " in transaction \($0)" } ?? "" }

    /// The network that it is about, in words behind others; empty where that is the transaction's.
    package var networkInWords: String { network.map { " on \(ForeignName.shown($0.title, as: .title))" } ?? "" }

    static let characters = 5

    /// The end of the address that signs.
    static func signer(_ address: String, _ rule: RiskRule) -> Confirmation {
        Confirmation(rule: rule, kind: .signer, text: String(address.suffix(characters)), call: 1, address: address)
    }

    /// Whether both ask a person for the same: for one danger of one address, which may stand in several calls. The key
    /// that signs is the same in all transactions; two amounts or two calls are two, whatever their text.
    fileprivate func asksTheSame(as other: Confirmation) -> Bool {
        guard rule == other.rule, kind == other.kind, text == other.text, address == other.address else { return false }
        if kind == .signer { return true }
        return member == other.member && network == other.network && (address != nil || call == other.call)
    }
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

    /// Adds a confirmation, unless the same is asked for already, over all transactions of a bulk.
    mutating func ask(_ new: Confirmation) {
        if !contains(where: new.asksTheSame) { append(new) }
    }
}
