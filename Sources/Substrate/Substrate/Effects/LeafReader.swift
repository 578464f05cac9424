/// Finds out what calls do, by the roles of their arguments.
///
/// Calls of one method mostly follow each other: its roles are looked up once for all of them.
struct LeafReader {
    let tree: CallTree
    let network: NetworkSpecs
    /// Cards that show amounts of something else than the network's token, with what they are of.
    private(set) var otherAssets: [Int: Asset] = [:]
    private var method: MethodRoles?
    private var leaf: CallLeaf
    /// The cards of the argument that names the call's asset.
    private var asset: Range<Int>?
    /// Amounts whose asset is known only when all arguments were seen.
    private var pending: [PendingAmount] = []

    private struct PendingAmount {
        let card: Int
        let use: AmountUse
        let asset: AssetReference
    }

    init(tree: CallTree, network: NetworkSpecs) {
        self.tree = tree
        self.network = network
        leaf = CallLeaf(
            pallet: "", method: "", depth: 0, origin: .signer, isUnderSudo: false, cards: 0..<0, bytes: 0..<0)
    }

    mutating func leaf(_ node: CallTree.Node, origin: CallOrigin, isUnderSudo: Bool) -> CallLeaf {
        leaf = CallLeaf(
            pallet: tree.pallet(node), method: tree.method(node), depth: node.depth, origin: origin,
            isUnderSudo: isUnderSudo, cards: node.cards, bytes: node.bytes)
        if method?.isOf(leaf) != true { method = MethodRoles(leaf) }
        leaf.marks = method?.marks ?? []
        asset = nil
        var position = 0
        for (name, value) in tree.arguments(of: node) {
            read(name, at: position, value)
            position += 1
        }
        if leaf.marks.contains(.all) { leaf.uncounted += 1 }
        if !pending.isEmpty { settleAmounts(node) }
        for index in node.cards {
            switch tree.cards[index].kind {
            // Calls that are looked up among the chain's preimages; both names have six letters, which most have not.
            case .enumVariantName(let name, _) where name.utf8.count == 6:
                if name == "Lookup" || name == "Legacy" { leaf.marks.insert(.hidden) }
            case .text, .bytes: leaf.marks.insert(.holdsText)
            default: break
            }
        }
        return leaf
    }

    private mutating func read(_ name: String, at position: Int, _ value: Range<Int>) {
        guard let argument = method?.argument(name, at: position) else { return }
        if argument.hasParts {
            for (path, part) in tree.parts(of: value, in: name) { apply(method?.roles?.role(at: path), part) }
        } else {
            apply(argument.role, value)
        }
    }

    private mutating func apply(_ role: ArgumentRole?, _ value: Range<Int>) {
        switch role {
        case .party(let role): addParties(role, value)
        case .amount(let use, let asset, let countsNumbers): addAmounts(use, asset, countsNumbers, value)
        case .asset: asset = value
        case .opaqueCall, .callHash: if tree.holdsBytes(value) { leaf.marks.insert(.hidden) }
        case .structured(let role): readStructured(role, value)
        case .text, .shown: break
        case nil: noteUnclassified(value)
        }
    }

    // MARK: Accounts

    private mutating func addParties(_ role: Party.Role, _ value: Range<Int>) {
        var form = ""
        for index in value {
            switch tree.cards[index].kind {
            case .id(let account): leaf.parties.append(Party(role: role, account: account))
            case .enumVariantName(let name, _):
                form = name
                let next = index + 1
                // An index has no card of its own where it is empty.
                if AddressForm(name) != nil, next >= value.upperBound || !tree.isAccount(next) {
                    leaf.parties.append(Party(role: role, account: nil, words: name, isNoAccount: true))
                }
            case .bytes(let bytes, _) where bytes.count == 20 && AddressForm(form) == nil:
                let address = AccountAddress(accountID: bytes, prefix: network.base58Prefix)
                leaf.parties.append(Party(role: role, account: nil, words: address?.text ?? ""))
            default: break
            }
        }
    }

    // MARK: Amounts

    private mutating func addAmounts(
        _ use: AmountUse, _ asset: AssetReference, _ countsNumbers: Bool, _ value: Range<Int>
    ) {
        let isNative = asset == .ofCall && method?.namesAsset == false
        var found = 0
        for index in value {
            switch tree.cards[index].kind {
            case .balance(let amount) where isNative:
                if use.isCounted { leaf.amounts.append(AssetAmount(asset: .native, value: amount.value)) }
            case .balance: pending.append(PendingAmount(card: index, use: use, asset: asset))
            case .default where countsNumbers: pending.append(PendingAmount(card: index, use: use, asset: asset))
            default: continue
            }
            found += 1
        }
        if use.isLeftOut { leaf.uncounted += max(found, 1) } else if use.isCounted && found == 0 { leaf.uncounted += 1 }
    }

    /// Gives amounts the assets that other arguments name.
    private mutating func settleAmounts(_ node: CallTree.Node) {
        for amount in pending {
            let asset = asset(amount.asset, of: node)
            guard let value = tree.amount(at: amount.card) else {
                leaf.uncounted += amount.use.isCounted ? 1 : 0
                continue
            }
            if asset != .native { otherAssets[amount.card] = asset }
            if amount.use.isCounted { leaf.amounts.append(AssetAmount(asset: asset, value: value)) }
        }
        pending.removeAll(keepingCapacity: true)
    }

    private func asset(_ reference: AssetReference, of node: CallTree.Node) -> Asset {
        switch reference {
        case .ofCall: asset.flatMap { named($0) } ?? .native
        case .argument(let name):
            tree.argument(name, of: node).map { named($0) ?? .located("an unknown asset") } ?? .native
        case .firstItem(let name): item(of: name, node, \.first)
        case .lastItem(let name): item(of: name, node, \.last)
        case .pallet: .located("the token of \(leaf.pallet)")
        case .unknown: .located("an unknown asset")
        case .named(let name): .located("\(name) of \(leaf.pallet)")
        }
    }

    private func item(
        of argument: String, _ node: CallTree.Node, _ choose: ([Range<Int>]) -> Range<Int>?
    ) -> Asset {
        let items = tree.argument(argument, of: node).map { tree.items(in: $0) } ?? []
        return choose(items).flatMap { named($0) } ?? .located("an unknown asset")
    }

    private func named(_ value: Range<Int>) -> Asset? {
        tree.line(of: value).map { .other(pallet: leaf.pallet, id: $0) }
    }

    // MARK: The rest

    private mutating func readStructured(_ role: StructuredRole, _ value: Range<Int>) {
        // A treasury paid accounts before it paid places.
        if case .location(let use) = role, tree.isPlainAccount(value) {
            addParties(use == .rights ? .rights : .receiver, value)
            return
        }
        leaf.marks.insert(.notInWords)
        if case .assets(areSent: true) = role { leaf.uncounted += 1 }
    }

    /// A value without a role holds something that nobody judges. In a call without a line in the table that may be an account
    /// that is no card of its own, or a place.
    private mutating func noteUnclassified(_ value: Range<Int>) {
        let isUnknownCall = leaf.marks.contains(.unclassified)
        if isUnknownCall, tree.isPlace(value) { leaf.marks.insert(.holdsUnclassified) }
        for index in value {
            switch tree.cards[index].kind {
            case .id: leaf.marks.insert(.holdsUnclassified)
            case .balance:
                leaf.marks.insert(.holdsUnclassified)
                leaf.uncounted += 1
            case .bytes(let bytes, _) where isUnknownCall && (bytes.count == 20 || bytes.count == 32):
                leaf.marks.insert(.holdsUnclassified)
            default: break
            }
        }
    }
}
