/// Reads the amounts of calls, one call after the other, and notes which of them are not of the network's token.
struct AmountReader {
    let tree: CallTree
    /// Cards of amounts that show a number, or the network's token for something else, with what they are of.
    private(set) var otherAssets: [Int: Asset] = [:]
    /// The cards of the argument that names the call's asset; nil while none was seen.
    var callAsset: Range<Int>?
    /// Amounts whose asset is known only when all arguments were seen.
    private var pending: [PendingAmount] = []
    /// By what the call's amounts multiply.
    private var factor: UInt128 = 1

    private struct PendingAmount {
        let card: Int
        let use: AmountUse
        /// nil where no role says it.
        let asset: AssetReference?
    }

    init(_ tree: CallTree) { self.tree = tree }

    /// Begins with the arguments of a call.
    mutating func begin() { (callAsset, factor) = (nil, 1) }

    /// Adds amounts of the network's token.
    func addNative(_ use: AmountUse, _ value: Range<Int>, to leaf: inout CallLeaf) {
        var found = 0
        for index in value {
            guard case .balance(let amount) = tree.cards[index].kind else { continue }
            if use.isCounted { leaf.add(AssetAmount(asset: .native, value: amount.value)) }
            found += 1
        }
        if found == 0 { found = addWei(use, value, to: &leaf) }
        leaf.leaveOut(use, found: found)
    }

    /// Adds an amount in wei, in which Ethereum's machine counts, whichever token of the chain that is of.
    ///
    /// - Returns: how many amounts were found.
    private func addWei(_ use: AmountUse, _ value: Range<Int>, to leaf: inout CallLeaf) -> Int {
        guard let number = tree.wideNumber(in: value) else { return 0 }
        guard use.isCounted else { return 1 }
        if let value = number.value {
            leaf.add(AssetAmount(asset: .located("wei of \(leaf.pallet)"), value: value))
        } else {
            leaf.uncounted += 1
        }
        return 1
    }

    /// Finds amounts that may be of any asset, which are added by ``settle(_:into:)``.
    mutating func addAmounts(
        _ use: AmountUse, of asset: AssetReference, countsNumbers: Bool, _ value: Range<Int>, to leaf: inout CallLeaf
    ) {
        var found = 0
        for index in value {
            switch tree.cards[index].kind {
            case .balance: pending.append(PendingAmount(card: index, use: use, asset: asset))
            case .default where countsNumbers: pending.append(PendingAmount(card: index, use: use, asset: asset))
            default: continue
            }
            found += 1
        }
        if found == 0 { found = addWei(use, value, to: &leaf) }
        leaf.leaveOut(use, found: found)
    }

    /// Takes note of an amount that no role speaks of.
    mutating func addUnclassified(card: Int) {
        pending.append(PendingAmount(card: card, use: .limit, asset: nil))
    }

    var hasPending: Bool { !pending.isEmpty }

    /// Gives amounts the assets that other arguments name.
    mutating func settle(_ assets: CallAssets, into leaf: inout CallLeaf) {
        for amount in pending {
            let asset = assets.asset(of: amount.asset)
            guard let value = tree.amount(at: amount.card) else {
                leaf.uncounted += amount.use.isCounted ? 1 : 0
                continue
            }
            if asset != .native || !tree.showsAmount(at: amount.card) { otherAssets[amount.card] = asset }
            if amount.use.isCounted { leaf.add(AssetAmount(asset: asset, value: value)) }
        }
        pending.removeAll(keepingCapacity: true)
    }

    /// The call does what it does as many times as an argument says.
    mutating func multiply(by value: Range<Int>, in leaf: inout CallLeaf) {
        guard let count = value.last.flatMap({ tree.amount(at: $0) }) else {
            leaf.uncounted += 1
            return
        }
        factor = factor.multipliedWithoutOverflow(by: count)
    }

    /// Multiplies what was added by how many times the call does it.
    func applyFactor(to leaf: inout CallLeaf) {
        if factor != 1 { leaf.multiplyAmounts(by: factor) }
    }
}

extension UInt128 {
    /// The product, or the largest number.
    fileprivate func multipliedWithoutOverflow(by other: UInt128) -> UInt128 {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? .max : product
    }
}

extension CallLeaf {
    fileprivate mutating func multiplyAmounts(by factor: UInt128) {
        if let first = firstAmount { firstAmount?.value = first.value.multipliedWithoutOverflow(by: factor) }
        for index in otherAmounts.indices {
            otherAmounts[index].value = otherAmounts[index].value.multipliedWithoutOverflow(by: factor)
        }
    }

    /// Notes amounts that the account cannot use any more, and those that should have been found.
    fileprivate mutating func leaveOut(_ use: AmountUse, found: Int) {
        if use.isLeftOut { uncounted += max(found, 1) } else if use.isCounted, found == 0 { uncounted += 1 }
    }
}
