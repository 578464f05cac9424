import Substrate
import TextForms

/// What one transaction or several send in all on one network.
package struct MemberTotals: Sendable {
    /// A member of the network, whose amounts are written like the totals.
    package var member: Answer
    package var calls: Int
    package var sums: AssetTotals

    /// What the totals leave out, in words that are fit for a screen; empty where they leave out nothing.
    package var leftOut: String {
        sums.leftOut.map { ForeignName.shown("\($0)", as: .sentence) }.joined(separator: ", ")
    }

    /// The totals for each network, in the order of the members.
    package static func all(of members: [Answer]) -> [MemberTotals] {
        var networks: [Hash256] = []
        for member in members {
            if let genesis = member.network?.genesisHash, !networks.contains(genesis) { networks.append(genesis) }
        }
        return networks.compactMap { genesis in
            let own = members.filter { $0.network?.genesisHash == genesis }
            return own.first.map { first in
                MemberTotals(
                    member: first, calls: own.reduce(0) { $0 + ($1.effects?.leaves.count ?? 0) },
                    sums: TransactionEffects.totals(of: own.compactMap(\.effects)))
            }
        }
    }
}
