/// What leaves an account in all, asset by asset, and what the sums leave out.
public struct AssetTotals: Hashable, Sendable {
    /// The total of each asset, in the order of their first appearance.
    public private(set) var amounts: [AssetAmount] = []
    /// What is left out of the totals, by call, in the order of their first appearance.
    public private(set) var leftOut: [LeftOut] = []

    /// Amounts that are bonded, lent or allowed to others, not known, of an asset that is not known, or all that there
    /// is.
    public struct LeftOut: Hashable, Sendable {
        /// The call's name, as `Balances.transfer_all`.
        public var call: String
        /// How many amounts.
        public var count: Int
    }

    /// Leaves are looked at where they stand: copying one costs more than adding it up.
    mutating func add(_ leaves: [CallLeaf]) {
        for index in leaves.indices {
            var uncounted = leaves[index].uncounted
            if let amount = leaves[index].firstAmount, !add(amount) { uncounted += 1 }
            for amount in leaves[index].otherAmounts where !add(amount) { uncounted += 1 }
            if uncounted > 0 { leaveOut(uncounted, of: leaves[index].name) }
        }
    }

    /// A sum that 128 bits cannot hold stays at their largest number.
    ///
    /// - Returns: false for an amount of an unknown asset: two of them may be of two assets, of different decimals.
    private mutating func add(_ amount: AssetAmount) -> Bool {
        guard amount.asset != .unknown else { return false }
        if let index = amounts.firstIndex(where: { $0.asset == amount.asset }) {
            let (sum, overflow) = amounts[index].value.addingReportingOverflow(amount.value)
            amounts[index].value = overflow ? .max : sum
        } else {
            amounts.append(amount)
        }
        return true
    }

    mutating func leaveOut(_ uncounted: Int, of call: String) {
        if let index = leftOut.firstIndex(where: { $0.call == call }) {
            leftOut[index].count += uncounted
        } else {
            leftOut.append(LeftOut(call: call, count: uncounted))
        }
    }
}

extension AssetTotals.LeftOut: CustomStringConvertible {
    /// What is left out in words, as `2 amounts of Staking.bond`.
    public var description: String { "\(count) amount\(count == 1 ? "" : "s") of \(call)" }
}
