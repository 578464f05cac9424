/// Finds out what calls do, by the roles of their arguments.
///
/// Calls of one method mostly follow each other: its roles are looked up once for all of them.
struct LeafReader {
    let tree: CallTree
    let network: NetworkSpecs
    /// Calls that stay bytes.
    let opaqueCalls: [OpaqueCall]
    private var amounts: AmountReader
    private var method: MethodRoles?

    init(tree: CallTree, network: NetworkSpecs, opaqueCalls: [OpaqueCall]) {
        self.tree = tree
        amounts = AmountReader(tree)
        self.network = network
        self.opaqueCalls = opaqueCalls
    }

    /// Cards of amounts that show a number, or the network's token for something else, with what they are of.
    var otherAssets: [Int: Asset] { amounts.otherAssets }

    /// Whether a call around others also does something by itself; true for a call that is not in the table.
    func hasEffects(_ node: CallTree.Node) -> Bool {
        let roles = RoleTable.shared.roles(pallet: tree.pallet(node), method: tree.method(node))
        return roles?.hasEffects ?? true
    }

    /// Whether a call takes a deposit beside what the calls inside it do.
    func takesDeposit(_ node: CallTree.Node) -> Bool {
        let roles = RoleTable.shared.roles(pallet: tree.pallet(node), method: tree.method(node))
        return roles?.marks.contains(.deposits) ?? false
    }

    /// Adds what a call does. It is put together where it stands, since copying it would cost as much as reading it.
    mutating func read(
        _ node: CallTree.Node, origin: CallOrigin, isUnderSudo: Bool, into leaves: inout [CallLeaf]
    ) {
        leaves.append(
            CallLeaf(
                pallet: tree.pallet(node), method: tree.method(node), depth: node.depth, origin: origin,
                isUnderSudo: isUnderSudo, cards: node.cards, bytes: node.bytes))
        fill(&leaves[leaves.count - 1], node)
    }

    /// Arguments in which calls tell a contract what to do.
    private static let programNames: Set<String> = ["call_data", "calldata", "code", "data", "input", "payload"]

    private mutating func fill(_ leaf: inout CallLeaf, _ node: CallTree.Node) {
        if method?.isOf(pallet: leaf.pallet, method: leaf.method) != true {
            method = MethodRoles(pallet: leaf.pallet, method: leaf.method)
        }
        leaf.marks = method?.marks ?? []
        amounts.begin()
        var position = 0
        var holdsProgram = false
        for (name, value) in tree.arguments(of: node) {
            read(name, at: position, value, of: node, into: &leaf)
            position += 1
            if Self.programNames.contains(name), tree.holdsBytes(value) { holdsProgram = true }
        }
        // Nobody here knows what the destination makes of it.
        if holdsProgram, leaf.marks.contains(.unclassified), !leaf.parties.isEmpty { leaf.marks.insert(.hidden) }
        if !leaf.marks.isDisjoint(with: [.all, .pays, .deposits]) { leaf.uncounted += 1 }
        if leaf.marks.contains(.unclassified), node.hasCallsInside { leaf.marks.insert(.holdsUnclassified) }
        if opaqueCalls.contains(where: { node.cards.contains($0.card) }) { leaf.marks.insert(.hidden) }
        if amounts.hasPending { amounts.settle(assets(of: node, in: leaf.pallet), into: &leaf) }
        if leaf.marks.contains(.sells), !isOpenSale(node, leaf) { leaf.marks.remove(.sells) }
        // A price that others pay is none of what leaves the account.
        if leaf.marks.contains(.swaps), !paysInSwap(node) { leaf.removeAmounts() }
        amounts.applyFactor(to: &leaf)
        noteContents(of: node, in: &leaf)
    }

    private mutating func read(
        _ name: String, at position: Int, _ value: Range<Int>, of node: CallTree.Node, into leaf: inout CallLeaf
    ) {
        guard let index = method?.index(of: name, at: position), let plain = method?.arguments[index].plain else {
            return
        }
        switch plain {
        case .party(let role): addNamedParties(role, value, to: &leaf)
        case .native(let use): amounts.addNative(use, value, to: &leaf)
        case .other: if let argument = method?.arguments[index] { read(argument, value, of: node, into: &leaf) }
        }
    }

    private mutating func read(
        _ argument: MethodRoles.Argument, _ value: Range<Int>, of node: CallTree.Node, into leaf: inout CallLeaf
    ) {
        if argument.hasParts {
            for (path, part) in tree.parts(of: value, in: argument.name) {
                apply(method?.roles?.role(at: path), value: part, to: &leaf)
            }
        } else if case .structured(let role)? = argument.role {
            readStructured(role, name: argument.name, value: value, of: node, into: &leaf)
        } else {
            apply(argument.role, value: value, to: &leaf)
        }
    }

    private mutating func apply(_ role: ArgumentRole?, value: Range<Int>, to leaf: inout CallLeaf) {
        switch role {
        case .party(let role): addNamedParties(role, value, to: &leaf)
        case .amount(let use, let asset, let countsNumbers):
            addAmounts(use, of: asset, countsNumbers: countsNumbers, value, to: &leaf)
        case .asset:
            amounts.callAsset = value
            // Named so by its name alone, where the call has no rule: it may be an account.
            if leaf.marks.contains(.unclassified), !tree.accounts(in: value).isEmpty {
                noteUnclassified(value, in: &leaf)
            }
        case .opaqueCall, .callHash:
            if tree.holdsBytes(value), !tree.holdsCall(value) { leaf.marks.insert(.hidden) }
        case .structured: leaf.marks.insert(.notInWords)
        case .times: amounts.multiply(by: value, in: &leaf)
        case .flag(let mark): raise(mark, where: value, in: &leaf)
        case .text, .shown: break
        case nil: if !tree.holdsCall(value) { noteUnclassified(value, in: &leaf) }
        }
    }

    /// Whether a price is set, and nobody is named as the only buyer.
    private func isOpenSale(_ node: CallTree.Node, _ leaf: CallLeaf) -> Bool {
        leaf.parties.isEmpty && node.cards.contains { amounts.otherAssets[$0] != nil }
    }

    /// Whether an offer to swap adds money to what it gives, and does not ask for any.
    private func paysInSwap(_ node: CallTree.Node) -> Bool { !tree.holdsVariant(in: node.cards, ["Receive"]) }

    /// What the mark stands for takes an amount that no argument says.
    private func raise(_ mark: CallMarks, where value: Range<Int>, in leaf: inout CallLeaf) {
        guard let last = value.last, case .default("true") = tree.cards[last].kind else { return }
        leaf.marks.insert(mark)
        leaf.uncounted += 1
    }

    private func noteContents(of node: CallTree.Node, in leaf: inout CallLeaf) {
        for index in node.cards {
            switch tree.cards[index].kind {
            case .text, .bytes: leaf.marks.insert(.holdsText)
            default: break
            }
        }
    }

    // MARK: Accounts

    /// A destination of a call without a rule may be no account that is a card of its own: a place, or bare bytes.
    private mutating func addNamedParties(_ role: Party.Role, _ value: Range<Int>, to leaf: inout CallLeaf) {
        guard leaf.marks.contains(.unclassified) else { return addParties(role, value, to: &leaf) }
        let before = leaf.parties.count
        addParties(role, value, to: &leaf)
        if leaf.parties.count == before { noteUnclassified(value, in: &leaf) }
    }

    private func addParties(_ role: Party.Role, _ value: Range<Int>, to leaf: inout CallLeaf) {
        // Nearly always an account behind the name of its form, or alone.
        if let last = value.last, value.count <= 2, case .id(let account) = tree.cards[last].kind {
            return leaf.add(Party(role: role, account: account))
        }
        var form = ""
        for index in value {
            switch tree.cards[index].kind {
            case .id(let account): leaf.add(Party(role: role, account: account))
            case .enumVariantName(let name, _):
                form = name
                let next = index + 1
                // An index has no card of its own where it is empty.
                if AddressForm(name) != nil, next >= value.upperBound || !tree.isAccount(next) {
                    leaf.add(Party(role: role, account: nil, words: name, isNoAccount: true))
                }
            case .bytes(let bytes, _) where bytes.count == 20 && AddressForm(form) == nil:
                let address = AccountAddress(accountID: bytes, prefix: network.base58Prefix)
                leaf.add(Party(role: role, account: nil, words: address?.text ?? ""))
            default: break
            }
        }
    }

    // MARK: Amounts

    private mutating func addAmounts(
        _ use: AmountUse, of asset: AssetReference, countsNumbers: Bool, _ value: Range<Int>, to leaf: inout CallLeaf
    ) {
        guard asset != .ofCall || countsNumbers || method?.namesAsset != false else {
            return amounts.addNative(use, value, to: &leaf)
        }
        amounts.addAmounts(use, of: asset, countsNumbers: countsNumbers, value, to: &leaf)
    }

    private func assets(of node: CallTree.Node, in pallet: String) -> CallAssets {
        CallAssets(
            tree: tree, network: network, node: node, pallet: pallet, callAsset: amounts.callAsset,
            namesAsset: method?.namesAsset == true)
    }

    // MARK: The rest

    private func readStructured(
        _ role: StructuredRole, name: String, value: Range<Int>, of node: CallTree.Node,
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
        leaf.marks.formUnion(reading.marks)
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
            leaf.add(
                Party(
                    role: role, account: place.account, words: place.words,
                    isNoAccount: place.isNoAccount && role == .receiver))
        }
    }

    private func addMoved(_ reading: ArgumentReading, to leaf: inout CallLeaf) {
        for moved in reading.amounts {
            if let value = moved.value {
                leaf.add(AssetAmount(asset: moved.asset, value: value))
            } else {
                leaf.uncounted += 1
            }
        }
    }

    /// A value without a role holds something that no rule judges. In a call without a line in the table that may be an
    /// account that is no card of its own, or a place.
    private mutating func noteUnclassified(_ value: Range<Int>, in leaf: inout CallLeaf) {
        let isUnknownCall = leaf.marks.contains(.unclassified)
        // A call that is looked up among the chain's preimages.
        if tree.holdsVariant(in: value, ["Lookup", "Legacy"]) { leaf.marks.insert(.hidden) }
        if isUnknownCall, tree.typePath(of: value)?.contains("xcm") == true { leaf.marks.insert(.holdsUnclassified) }
        if tree.wideNumber(in: value) != nil {
            leaf.marks.insert(.holdsUnclassified)
            leaf.uncounted += 1
        }
        for index in value {
            switch tree.cards[index].kind {
            case .id: leaf.marks.insert(.holdsUnclassified)
            case .balance:
                leaf.marks.insert(.holdsUnclassified)
                leaf.uncounted += 1
                amounts.addUnclassified(card: index)
            case .bytes(let bytes, _) where isUnknownCall && (bytes.count == 20 || bytes.count == 32):
                leaf.marks.insert(.holdsUnclassified)
            default: break
            }
        }
    }
}

extension CallLeaf {
    fileprivate mutating func removeAmounts() {
        firstAmount = nil
        otherAmounts = []
    }
}
