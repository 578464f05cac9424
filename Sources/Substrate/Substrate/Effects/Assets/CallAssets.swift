/// What the amounts of one call are of, as far as its arguments name it.
struct CallAssets {
    let tree: CallTree
    let network: NetworkSpecs
    let node: CallTree.Node
    let pallet: String
    /// The cards of the argument that names the call's asset; nil where there is none.
    let callAsset: Range<Int>?
    /// Whether the roles of the method say that an argument names it.
    let namesAsset: Bool

    /// - Parameter reference: nil for an amount that no role speaks of.
    func asset(of reference: AssetReference?) -> Asset { reference.map { asset($0) } ?? guess }

    private func asset(_ reference: AssetReference) -> Asset {
        switch reference {
        case .ofCall: callAsset.map { named($0, \.first) } ?? (namesAsset ? .unknown : .native)
        case .argument(let name): tree.argument(name, of: node).map { named($0, \.first) } ?? .unknown
        case .firstItem(let name): tree.argument(name, of: node).map { named($0, \.first) } ?? .unknown
        case .lastItem(let name): tree.argument(name, of: node).map { named($0, \.last) } ?? .unknown
        case .pallet: .located("the token of \(pallet)")
        case .unknown: .unknown
        case .named(let name, let arguments): .located(title(of: name, by: arguments))
        }
    }

    /// What the pallet keeps under a name, and of what: `shares of Stableswap 100`, `shares of Dex Token A/Token B`.
    private func title(of name: String, by arguments: [String]) -> String {
        let parts = arguments.compactMap { tree.argument($0, of: node) }.map { value -> String in
            let asset = named(value, \.first)
            return if case .other(pallet, let id) = asset { id } else { asset.title(on: network) }
        }
        return "\(name) of \(pallet)" + (parts.isEmpty ? "" : " \(parts.joined(separator: "/"))")
    }

    /// What an amount is of that no role speaks of: the network's token only where nothing in the call hints at another
    /// asset, and the one that the call names only where nothing hints at a second one.
    private var guess: Asset {
        let hints = node.cards.contains { card in
            callAsset?.contains(card + 1) != true && tree.cards[card].argument.map(Self.hintsAtAsset) == true
        }
        if hints { return .unknown }
        return callAsset.map { named($0, \.first) } ?? .native
    }

    private static let assetHints = [
        "asset", "coin", "collateral", "currency", "debt", "market", "pair", "path", "pool", "route", "share", "token",
    ]

    private static func hintsAtAsset(_ name: String) -> Bool { assetHints.contains { name.contains($0) } }

    /// The asset that an argument names by a location or an id, or one of several.
    private func named(_ value: Range<Int>, _ choose: ([Asset]) -> Asset?) -> Asset {
        let assets = StructuredArguments(node, in: tree, network: network).assets(named: value)
        return assets.flatMap { choose($0) } ?? tree.line(of: value).map { .other(pallet: pallet, id: $0) }
            ?? .unknown
    }
}
