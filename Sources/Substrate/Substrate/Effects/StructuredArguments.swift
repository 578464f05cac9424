/// Reads the arguments of one call that only ``ArgumentReader`` can put in words.
struct StructuredArguments {
    let tree: CallTree
    let node: CallTree.Node
    private let reader: ArgumentReader

    init(_ node: CallTree.Node, in tree: CallTree, network: NetworkSpecs) {
        self.tree = tree
        self.node = node
        reader = ArgumentReader(cards: tree.cards, network: network)
    }

    /// - Parameter role: says what the value is where its type does not.
    /// - Returns: nil for a value of another kind, and for one that cannot be read.
    func reading(_ name: String, _ value: Range<Int>, role: ArgumentRole?) -> ArgumentReading? {
        guard var kind = tree.typePath(of: value).flatMap({ StructuredKind(typePath: $0) }) ?? kind(of: role) else {
            return nil
        }
        let isSentAway = isSentAway(name, role)
        if kind == .location, isSentAway, role == .structured(.location(.receiver)) { kind = .beneficiary }
        return reader.read(
            value, as: kind, sentTo: isSentAway ? destination : nil, bringsAssets: name == "custom_xcm_on_dest")
    }

    /// The argument that names the chain on which others are understood: where they go, or where a treasury has what it
    /// pays.
    private var destination: Range<Int>? {
        tree.argument("dest", of: node) ?? tree.argument("asset_kind", of: node)
    }

    /// What ids of assets stand for.
    func assets(named value: Range<Int>) -> [Asset]? { reader.assets(named: value) }

    private func kind(of role: ArgumentRole?) -> StructuredKind? {
        guard case .structured(let role)? = role else { return nil }
        return switch role {
        case .location: .location
        case .path: .assetIDs
        case .assets: .assets
        case .program: .program
        case .vote: .vote
        }
    }

    /// Whether a value is understood on the chain that the argument `dest` names.
    private func isSentAway(_ name: String, _ role: ArgumentRole?) -> Bool {
        guard name != "dest", case .structured(let role)? = role else { return false }
        return switch role {
        case .location(.receiver), .program: true
        case .location, .path, .assets, .vote: false
        }
    }
}
