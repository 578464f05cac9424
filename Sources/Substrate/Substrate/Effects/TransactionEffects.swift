/// What a transaction does: its calls without the wrapping around them, for whom each acts, and what is sent in all.
///
///     let effects = try TransactionEffects(call, signer: author, network: specs)
///     for leaf in effects.leaves { print(leaf.name, leaf.destination?.text ?? "") }
///
/// Source: `signer-product` section 12.1.
public struct TransactionEffects: Hashable, Sendable {
    /// In the order in which the chain runs them.
    public let leaves: [CallLeaf]
    /// Per asset, in the order of their first appearance.
    public let totals: [AssetAmount]
    /// Calls around the innermost one.
    public let depth: Int
    /// Where the bytes of calls stand that go to a multisig: their hash is what its other members compare.
    public let multisigCalls: [Range<Int>]

    /// Calls around each other at the most.
    public static let depthLimit = 16
    public static let leafLimit = 1000

    /// - Parameters:
    ///   - signer: the account that signs; nil leaves the addresses that hang on it open.
    ///   - prefix: of addresses that are computed.
    /// - Throws: ``DecodingError/callsTooDeep`` or ``DecodingError/tooManyCalls`` beyond the limits.
    public init(_ call: DecodedCall, signer: AccountAddress?, prefix: UInt16) throws(DecodingError) {
        (leaves, depth, multisigCalls) = try call.cards.withUnsafeBufferPointer { cards throws(DecodingError) in
            try Self.flatten(CallTree(cards, calls: call.calls), signer: signer, prefix: prefix)
        }
        totals = Self.totals(leaves)
    }

    private static func flatten(
        _ tree: CallTree, signer: AccountAddress?, prefix: UInt16
    ) throws(DecodingError) -> (leaves: [CallLeaf], depth: Int, multisigCalls: [Range<Int>]) {
        let resolver = OriginResolver(tree: tree, signer: signer, prefix: prefix)
        /// For whom the calls inside a call act, by the call's position.
        var inside: [Int: CallOrigin] = [:]
        var leaves: [CallLeaf] = []
        leaves.reserveCapacity(min(tree.nodes.count, leafLimit))
        // The calls of a batch stand behind each other: their origin is looked up once.
        var around: (parent: Int?, origin: CallOrigin, isSudo: Bool) = (nil, .signer, false)
        var multisigCalls: [Range<Int>] = []
        var depth = 0
        for (index, node) in tree.nodes.enumerated() {
            guard node.depth <= depthLimit else { throw .callsTooDeep }
            depth = max(depth, node.depth)
            if node.parent != around.parent {
                around = (
                    node.parent, node.parent.flatMap { inside[$0] } ?? .signer, tree.isUnderSudo(node)
                )
            }
            if case .multisig = around.origin, let parent = node.parent, tree.isMultisig(parent) {
                multisigCalls.append(node.bytes)
            }
            if node.hasCallsInside {
                inside[index] = resolver.origin(inside: node, outer: around.origin)
            } else {
                guard leaves.count < leafLimit else { throw .tooManyCalls }
                leaves.append(tree.leaf(node, origin: around.origin, isUnderSudo: around.isSudo))
            }
        }
        return (leaves, depth, multisigCalls)
    }

    /// A sum that 128 bits cannot hold stays at their largest number.
    private static func totals(_ leaves: [CallLeaf]) -> [AssetAmount] {
        var totals: [AssetAmount] = []
        for index in leaves.indices {
            for amount in leaves[index].amounts { add(amount, to: &totals) }
        }
        return totals
    }

    private static func add(_ amount: AssetAmount, to totals: inout [AssetAmount]) {
        if let index = totals.firstIndex(where: { $0.asset == amount.asset }) {
            let (sum, overflow) = totals[index].value.addingReportingOverflow(amount.value)
            totals[index].value = overflow ? .max : sum
        } else {
            totals.append(amount)
        }
    }
}
