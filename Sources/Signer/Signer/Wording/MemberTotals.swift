import Substrate
import TextForms

/// What one transaction or several send in all on one network.
package struct MemberTotals: Sendable {
    /// A member of the network, whose amounts are written like the totals.
    package var member: Answer
    package var calls: Int
    package var sums: AssetTotals
    /// What goes to whoever makes the blocks, in the network's token: in no sum.
    package var tips: UInt128

    /// Whether a call takes more than one amount.
    package var hasSeveralAmounts: Bool

    /// The tips as an amount of the network's token.
    package var tipAmount: AssetAmount { AssetAmount(asset: .native, value: tips) }

    /// What the totals leave out, in words that are fit for a screen; empty where they leave out nothing.
    package var leftOut: String {
        sums.leftOut.map { ForeignName.shown("\($0)", as: .sentence) }.joined(separator: ", ")
    }

    /// The totals for each network and way in which its amounts are written, in the order of the members: a member's
    /// metadata proof says that of its own amounts alone.
    package static func all(of members: [Answer]) -> [MemberTotals] {
        var ways: [(way: Writing, members: [Answer])] = []
        for member in members {
            guard let way = member.network.map(Writing.init) else { continue }
            if let index = ways.firstIndex(where: { $0.way == way }) {
                ways[index].members.append(member)
            } else {
                ways.append((way, [member]))
            }
        }
        return ways.map { _, own in
            MemberTotals(
                member: own[0], calls: own.reduce(0) { $0 + ($1.effects?.leaves.count ?? 0) },
                sums: TransactionEffects.totals(of: own.compactMap(\.effects)),
                tips: own.reduce(0) { sum, answer in
                    let (tips, overflow) = sum.addingReportingOverflow(answer.tip)
                    return overflow ? .max : tips
                },
                hasSeveralAmounts: own.contains { member in
                    member.effects?.leaves.contains { !$0.otherAmounts.isEmpty } ?? false
                })
        }
    }

    /// What amounts of a network are written with.
    private struct Writing: Equatable {
        let genesis: Hash256
        let decimals: UInt8
        let unit: String

        init(_ network: NetworkSpecs) {
            genesis = network.genesisHash
            decimals = network.decimals
            unit = network.unit
        }
    }
}
