/// What a transaction does: its calls without the wrapping around them, for whom each acts, and what is sent in all.
///
///     let effects = try TransactionEffects(call, signer: author, network: specs)
///     for leaf in effects.leaves { print(leaf.name, leaf.destination?.text ?? "") }
///
/// Source: `signer-product` section 12.1.
public struct TransactionEffects: Hashable, Sendable {
    /// The calls that do something, in the order in which the chain runs them.
    public let leaves: [CallLeaf]
    /// What leaves the account in all.
    public let sums: AssetTotals
    /// Calls around the innermost one.
    package let depth: Int
    /// Where the bytes of calls stand that go to a multisig: their hash is what its other members compare.
    package let multisigCalls: [Range<Int>]
    /// Assets of amounts, by card, where the card does not say them.
    private let otherAssets: [Int: Asset]
    /// Names of calls around others that take a deposit beside them.
    private let deposits: [String]

    /// Calls around each other at the most.
    package static let depthLimit = 16
    package static let leafLimit = 1000

    /// - Parameters:
    ///   - signer: the account that signs; nil leaves the addresses that hang on it open.
    ///   - network: of addresses that are computed, and of amounts.
    /// - Throws: ``DecodingError/callsTooDeep`` or ``DecodingError/tooManyCalls`` beyond the limits.
    public init(_ call: DecodedCall, signer: AccountAddress?, network: NetworkSpecs) throws(DecodingError) {
        let flat = try call.cards.withUnsafeBufferPointer { cards throws(DecodingError) in
            try Self.flatten(
                CallTree(cards, calls: call.calls), opaqueCalls: call.opaqueCalls, signer: signer, network: network)
        }
        leaves = flat.leaves
        depth = flat.depth
        multisigCalls = flat.multisigCalls
        otherAssets = flat.otherAssets
        deposits = flat.deposits
        sums = Self.totals(of: CollectionOfOne(flat.leaves), deposits: flat.deposits)
    }

    /// What the amount on a card is of where the card shows another asset, which is the network's token, or a number.
    ///
    /// - Parameter card: a position among the cards of the method.
    /// - Returns: nil where what the card shows is all that is known.
    package func asset(ofCard card: Int) -> Asset? { otherAssets.isEmpty ? nil : otherAssets[card] }

    /// The total of each asset, in the order of their first appearance.
    public var totals: [AssetAmount] { sums.amounts }

    /// What several transactions do together, like the members of a bulk.
    package static func totals(of effects: [TransactionEffects]) -> AssetTotals {
        totals(of: effects.lazy.map(\.leaves), deposits: effects.flatMap(\.deposits))
    }

    /// What one call takes.
    package static func totals(of leaf: CallLeaf) -> AssetTotals {
        totals(of: CollectionOfOne([leaf]), deposits: [])
    }

    private static func totals(of leaves: some Sequence<[CallLeaf]>, deposits: [String]) -> AssetTotals {
        var totals = AssetTotals()
        for leaves in leaves { totals.add(leaves) }
        for call in deposits { totals.leaveOut(1, of: call) }
        return totals
    }

    private struct Flat {
        let leaves: [CallLeaf]
        let depth: Int
        let multisigCalls: [Range<Int>]
        let otherAssets: [Int: Asset]
        let deposits: [String]
    }

    private static func flatten(
        _ tree: CallTree, opaqueCalls: [OpaqueCall], signer: AccountAddress?, network: NetworkSpecs
    ) throws(DecodingError) -> Flat {
        let resolver = OriginResolver(tree: tree, signer: signer, prefix: network.base58Prefix)
        var reader = LeafReader(tree: tree, network: network, opaqueCalls: opaqueCalls)
        /// The origin that the calls inside a call act for, by the call's position.
        var inside: [Int: CallOrigin] = [:]
        /// Programs that are executed here, by the call's position.
        var programs: [Int: OriginResolver.Program] = [:]
        var leaves: [CallLeaf] = []
        leaves.reserveCapacity(min(tree.nodes.count, leafLimit))
        // The calls of a batch stand behind each other: their origin is looked up once.
        var around: (parent: Int?, origin: CallOrigin, isSudo: Bool) = (nil, .signer, false)
        var multisigCalls: [Range<Int>] = []
        var deposits: [String] = []
        var depth = 0
        for (index, node) in tree.nodes.enumerated() {
            guard node.depth <= depthLimit else { throw .callsTooDeep }
            depth = max(depth, node.depth)
            if node.parent != around.parent {
                around = (
                    node.parent, node.parent.flatMap { inside[$0] } ?? .signer, tree.isUnderSudo(node)
                )
            }
            var origin = around.origin
            if !programs.isEmpty, let program = node.parent.flatMap({ programs[$0] }) {
                origin = resolver.origin(transacting: node, in: program)
            }
            if case .multisig = origin, let parent = node.parent, tree.isMultisig(parent) {
                multisigCalls.append(node.bytes)
            }
            if node.hasCallsInside {
                inside[index] = resolver.origin(inside: node, outer: origin)
                programs[index] = resolver.program(node, for: origin)
            }
            if !node.hasCallsInside || reader.hasEffects(node) {
                guard leaves.count < leafLimit else { throw .tooManyCalls }
                reader.read(node, origin: origin, isUnderSudo: around.isSudo, into: &leaves)
            } else if reader.takesDeposit(node) {
                deposits.append("\(tree.pallet(node)).\(tree.method(node))")
            }
        }
        return Flat(
            leaves: leaves, depth: depth, multisigCalls: multisigCalls, otherAssets: reader.otherAssets,
            deposits: deposits)
    }
}
