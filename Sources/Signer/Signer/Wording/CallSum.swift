import Substrate
import TextForms

/// What a call comes to: what leaves the account by it, and everybody who gets, gains or loses something. It stands
/// where there is no room for all that the call says: a list or a program of any length comes to no more than this.
package struct CallSum: Sendable {
    /// A line for each kind of part that accounts have in it, with what is counted first.
    package let lines: [[SaidPart]]

    package init(of leaf: CallLeaf) {
        lines = Self.amounts(of: leaf) + Self.roles.compactMap { Self.parties(of: leaf, $0.role, $0.words) }
    }

    private static let roles: [(role: Party.Role, words: String)] = [
        (.receiver, "goes to "), (.rights, "gives rights to "), (.owner, "makes owner "), (.source, "takes from "),
        (.loses, "acts against "),
    ]

    private static func amounts(of leaf: CallLeaf) -> [[SaidPart]] {
        let sums = TransactionEffects.totals(of: leaf)
        let leftOut = sums.leftOut.reduce(0) { $0 + $1.count }
        guard !sums.amounts.isEmpty || leftOut > 0 else { return [] }
        let amounts = sums.amounts.map { [SaidPart.amount($0)] }
        return [
            [.words("sends ")] + (amounts.isEmpty ? [.words("nothing that is counted")] : list(amounts))
                + (leftOut == 0
                    ? [] : [.words("; not counted: \(leftOut) amount\(leftOut == 1 ? "" : "s")", .warning)])
        ]
    }

    /// Each account or place once, whatever it gets.
    private static func parties(of leaf: CallLeaf, _ role: Party.Role, _ words: String) -> [SaidPart]? {
        var seen: Set<Party> = []
        let parties = leaf.parties.filter { $0.role == role && seen.insert($0).inserted }
        guard !parties.isEmpty else { return nil }
        return [.words(words)] + list(parties.map(said))
    }

    private static func said(_ party: Party) -> [SaidPart] {
        let words = ForeignName.shown(party.words, as: .sentence)
        guard let account = party.account else { return [.words(words, party.isNoAccount ? .danger : nil)] }
        return [.account(account)] + (words.isEmpty ? [] : [.words(" \(words)")])
            + (party.isNoAccount ? [.words(", which is no account there", .danger)] : [])
    }

    private static func list(_ items: [[SaidPart]]) -> [SaidPart] { Array(items.joined(separator: [.words(", ")])) }
}
