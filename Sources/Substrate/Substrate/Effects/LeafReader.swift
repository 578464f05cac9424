/// Finds out what calls do, by the roles of their arguments.
///
/// Calls of one method mostly follow each other: its roles are looked up once for all of them.
struct LeafReader {
    let tree: CallTree
    let network: NetworkSpecs
    /// Calls that stay bytes.
    let opaqueCalls: [OpaqueCall]
    /// Cards that show amounts of something else than the network's token, with what they are of.
    private(set) var otherAssets: [Int: Asset] = [:]
    private var method: MethodRoles?
    /// The cards of the argument that names the call's asset.
    private var asset: Range<Int>?
    /// Amounts whose asset is known only when all arguments were seen.
    private var pending: [PendingAmount] = []

    private struct PendingAmount {
        let card: Int
        let use: AmountUse
        let asset: AssetReference
    }

    init(tree: CallTree, network: NetworkSpecs, opaqueCalls: [OpaqueCall]) {
        self.tree = tree
        self.network = network
        self.opaqueCalls = opaqueCalls
    }

    /// Whether a call around others also does something by itself, or nobody knows that it does not.
    func hasEffects(_ node: CallTree.Node) -> Bool {
        let roles = RoleTable.shared.roles(pallet: tree.pallet(node), method: tree.method(node))
        return roles?.hasEffects ?? true
    }

    mutating func leaf(_ node: CallTree.Node, origin: CallOrigin, isUnderSudo: Bool) -> CallLeaf {
        var leaf = CallLeaf(
            pallet: tree.pallet(node), method: tree.method(node), depth: node.depth, origin: origin,
            isUnderSudo: isUnderSudo, cards: node.cards, bytes: node.bytes)
        if method?.isOf(leaf) != true { method = MethodRoles(leaf) }
        leaf.marks = method?.marks ?? []
        asset = nil
        var position = 0
        for (name, value) in tree.arguments(of: node) {
            read(name, at: position, value, of: node, into: &leaf)
            position += 1
        }
        if leaf.marks.contains(.all) { leaf.uncounted += 1 }
        if leaf.marks.contains(.unclassified), node.hasCallsInside { leaf.marks.insert(.holdsUnclassified) }
        if opaqueCalls.contains(where: { node.cards.contains($0.card) }) { leaf.marks.insert(.hidden) }
        if !pending.isEmpty { settleAmounts(of: node, into: &leaf) }
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

    private mutating func read(
        _ name: String, at position: Int, _ value: Range<Int>, of node: CallTree.Node, into leaf: inout CallLeaf
    ) {
        guard let argument = method?.argument(name, at: position) else { return }
        if argument.hasParts {
            for (path, part) in tree.parts(of: value, in: name) { apply(method?.roles?.role(at: path), part, &leaf) }
        } else if case .structured(let role)? = argument.role {
            readStructured(role, name, value, of: node, into: &leaf)
        } else {
            apply(argument.role, value, &leaf)
        }
    }

    private mutating func apply(_ role: ArgumentRole?, _ value: Range<Int>, _ leaf: inout CallLeaf) {
        switch role {
        case .party(let role): addParties(role, value, to: &leaf)
        case .amount(let use, let asset, let countsNumbers):
            addAmounts(use, of: asset, countsNumbers: countsNumbers, value, to: &leaf)
        case .asset: asset = value
        case .opaqueCall, .callHash:
            if tree.holdsBytes(value), !tree.holdsCall(value) { leaf.marks.insert(.hidden) }
        case .structured: leaf.marks.insert(.notInWords)
        case .text, .shown: break
        case nil: if !tree.holdsCall(value) { noteUnclassified(value, in: &leaf) }
        }
    }

    // MARK: Accounts

    private func addParties(_ role: Party.Role, _ value: Range<Int>, to leaf: inout CallLeaf) {
        var form = ""
        for index in value {
            switch tree.cards[index].kind {
            case .id(let account): leaf.storedParties.append(Party(role: role, account: account))
            case .enumVariantName(let name, _):
                form = name
                let next = index + 1
                // An index has no card of its own where it is empty.
                if AddressForm(name) != nil, next >= value.upperBound || !tree.isAccount(next) {
                    leaf.storedParties.append(Party(role: role, account: nil, words: name, isNoAccount: true))
                }
            case .bytes(let bytes, _) where bytes.count == 20 && AddressForm(form) == nil:
                let address = AccountAddress(accountID: bytes, prefix: network.base58Prefix)
                leaf.storedParties.append(Party(role: role, account: nil, words: address?.text ?? ""))
            default: break
            }
        }
    }

    // MARK: Amounts

    private mutating func addAmounts(
        _ use: AmountUse, of asset: AssetReference, countsNumbers: Bool, _ value: Range<Int>, to leaf: inout CallLeaf
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
    private mutating func settleAmounts(of node: CallTree.Node, into leaf: inout CallLeaf) {
        for amount in pending {
            let asset = asset(amount.asset, of: node, in: leaf.pallet)
            guard let value = tree.amount(at: amount.card) else {
                leaf.uncounted += amount.use.isCounted ? 1 : 0
                continue
            }
            if asset != .native { otherAssets[amount.card] = asset }
            if amount.use.isCounted { leaf.amounts.append(AssetAmount(asset: asset, value: value)) }
        }
        pending.removeAll(keepingCapacity: true)
    }

    private func asset(_ reference: AssetReference, of node: CallTree.Node, in pallet: String) -> Asset {
        switch reference {
        case .ofCall: asset.map { named($0, \.first, of: node, in: pallet) } ?? .native
        case .argument(let name):
            tree.argument(name, of: node).map { named($0, \.first, of: node, in: pallet) } ?? .native
        case .firstItem(let name):
            tree.argument(name, of: node).map { named($0, \.first, of: node, in: pallet) } ?? Self.unknown
        case .lastItem(let name):
            tree.argument(name, of: node).map { named($0, \.last, of: node, in: pallet) } ?? Self.unknown
        case .pallet: .located("the token of \(pallet)")
        case .unknown: Self.unknown
        case .named(let name): .located("\(name) of \(pallet)")
        }
    }

    private static let unknown = Asset.located("an unknown asset")

    /// The asset that an argument names by a location or an id, or one of several.
    private func named(
        _ value: Range<Int>, _ choose: ([Asset]) -> Asset?, of node: CallTree.Node, in pallet: String
    ) -> Asset {
        let assets = StructuredArguments(node, in: tree, network: network).assets(named: value)
        return assets.flatMap { choose($0) } ?? tree.line(of: value).map { .other(pallet: pallet, id: $0) }
            ?? Self.unknown
    }

    // MARK: The rest

    private func readStructured(
        _ role: StructuredRole, _ name: String, _ value: Range<Int>, of node: CallTree.Node,
        into leaf: inout CallLeaf
    ) {
        // A treasury paid accounts before it paid places.
        if case .location(let use) = role, tree.isPlainAccount(value) {
            return addParties(use == .rights ? .rights : .receiver, value, to: &leaf)
        }
        let arguments = StructuredArguments(node, in: tree, network: network)
        guard let reading = arguments.reading(name, value, role: .structured(role)) else {
            leaf.marks.insert(.notInWords)
            leaf.uncounted += role.movesValue ? 1 : 0
            return
        }
        if reading.hidesCall { leaf.marks.insert(.hidden) }
        switch role {
        case .location(.receiver): addPlaces(.receiver, reading, to: &leaf)
        case .location(.rights): addPlaces(.rights, reading, to: &leaf)
        case .assets(areSent: true): addMoved(reading, to: &leaf)
        case .program:
            addPlaces(.receiver, reading, to: &leaf)
            addMoved(reading, to: &leaf)
        case .vote: leaf.uncounted += 1
        case .location(.shown), .path, .assets(areSent: false): break
        }
    }

    private func addPlaces(_ role: Party.Role, _ reading: ArgumentReading, to leaf: inout CallLeaf) {
        for place in reading.accounts {
            leaf.storedParties.append(Party(role: role, account: place.account, words: place.words))
        }
    }

    private func addMoved(_ reading: ArgumentReading, to leaf: inout CallLeaf) {
        for moved in reading.amounts {
            if let value = moved.value {
                leaf.amounts.append(AssetAmount(asset: moved.asset, value: value))
            } else {
                leaf.uncounted += 1
            }
        }
    }

    /// A value without a role holds something that nobody judges. In a call without a line in the table that may be an account
    /// that is no card of its own, or a place.
    private mutating func noteUnclassified(_ value: Range<Int>, in leaf: inout CallLeaf) {
        let isUnknownCall = leaf.marks.contains(.unclassified)
        if isUnknownCall, tree.typePath(of: value)?.contains("xcm") == true { leaf.marks.insert(.holdsUnclassified) }
        for index in value {
            switch tree.cards[index].kind {
            case .id: leaf.marks.insert(.holdsUnclassified)
            case .balance:
                leaf.marks.insert(.holdsUnclassified)
                leaf.uncounted += 1
                // Never in the network's token where the call names an asset.
                pending.append(PendingAmount(card: index, use: .limit, asset: .ofCall))
            case .bytes(let bytes, _) where isUnknownCall && (bytes.count == 20 || bytes.count == 32):
                leaf.marks.insert(.holdsUnclassified)
            default: break
            }
        }
    }
}
