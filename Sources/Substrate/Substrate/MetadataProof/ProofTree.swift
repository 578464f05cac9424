/// Places in a complete binary tree whose nodes are numbered level by level: the root is 0, the children of n are 2n+1
/// and 2n+2.
enum TreeNode {
    static func level(_ node: UInt32) -> Int {
        UInt64.bitWidth - 1 - (UInt64(node) + 1).leadingZeroBitCount
    }

    /// Whether `node` is `ancestor` or stands below it.
    static func isNode(_ node: UInt32, below ancestor: UInt32) -> Bool {
        let steps = level(node) - level(ancestor)
        return steps >= 0 && (UInt64(node) + 1) >> UInt64(steps) == UInt64(ancestor) + 1
    }

    /// Whether a leaf stands left of another: leaves of the deeper level come first.
    static func isNode(_ left: UInt32, leftOf right: UInt32) -> Bool {
        let (leftLevel, rightLevel) = (level(left), level(right))
        return leftLevel == rightLevel ? left < right : leftLevel > rightLevel
    }
}

extension MetadataProof {
    /// Nodes below this number exist: the depth of the walk stays within 31.
    private static let nodeLimit: UInt32 = 1 << 31

    /// The root of the tree, from leaves and nodes that must all be used up.
    func typesTreeRoot() throws(MetadataProofError) -> Hash256 {
        guard leaves.count == leafIndices.count else {
            throw .countMismatch(leaves: leaves.count, indices: leafIndices.count)
        }
        guard !leaves.isEmpty else { throw .noLeaves }
        try checkLeafOrder()
        try checkTypes()
        var walk = RootWalk(proof: self)
        let root = try walk.hash(of: 0)
        guard walk.nextLeaf == leaves.count else { throw .unconsumedLeaves(count: leaves.count - walk.nextLeaf) }
        guard walk.nextNode == nodes.upperBound else {
            throw .unconsumedNodes(count: (nodes.upperBound - walk.nextNode) / Hash256.byteCount)
        }
        return root
    }

    /// Checks that leaves come from left to right, each once, and all on the last two levels of one tree.
    private func checkLeafOrder() throws(MetadataProofError) {
        for position in leafIndices.indices {
            guard leafIndices[position] < Self.nodeLimit,
                position == 0 || TreeNode.isNode(leafIndices[position - 1], leftOf: leafIndices[position])
            else { throw .leafOrder(position: position) }
        }
        // The leaves of a tree with N leaves are its nodes N-1 to 2N-2.
        guard let least = leafIndices.min(), let most = leafIndices.firstIndex(where: { $0 > 2 * least }) else {
            return
        }
        throw .leafOrder(position: most)
    }

    /// A type is described once, an enum once for each variant.
    private func checkTypes() throws(MetadataProofError) {
        var isEnumeration: [UInt32: Bool] = [:]
        var variants: Set<UInt64> = []
        for leaf in leaves {
            let variant = leaf.variantIndex
            if let before = isEnumeration.updateValue(variant != nil, forKey: leaf.typeID) {
                guard before, variant != nil else { throw .duplicateType(id: leaf.typeID) }
            }
            guard let variant else { continue }
            guard variants.insert(UInt64(leaf.typeID) << 8 | UInt64(variant)).inserted else {
                throw .duplicateType(id: leaf.typeID)
            }
        }
    }
}

/// Hashes a tree from the left, taking leaves and nodes in the order in which it meets their places.
private struct RootWalk {
    let proof: MetadataProof
    var nextLeaf = 0
    /// Offset of the node that is next.
    var nextNode: Int

    init(proof: MetadataProof) {
        self.proof = proof
        nextNode = proof.nodes.lowerBound
    }

    /// Goes down only towards a leaf, so at most 31 calls are inside each other.
    mutating func hash(of node: UInt32) throws(MetadataProofError) -> Hash256 {
        guard nextLeaf < proof.leaves.count, TreeNode.isNode(proof.leafIndices[nextLeaf], below: node) else {
            return try takeNode()
        }
        if proof.leafIndices[nextLeaf] == node { return takeLeaf() }
        let left = try hash(of: 2 * node + 1)
        let right = try hash(of: 2 * node + 2)
        return MerkleTree.parent(left: left, right: right)
    }

    private mutating func takeLeaf() -> Hash256 {
        let range = proof.leaves[nextLeaf].range
        nextLeaf += 1
        return proof.bytes.withUnsafeBytes { Blake3.hash(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    private mutating func takeNode() throws(MetadataProofError) -> Hash256 {
        guard nextNode < proof.nodes.upperBound else { throw .missingNode }
        defer { nextNode += Hash256.byteCount }
        return Hash256(unchecked: Array(proof.bytes[nextNode..<nextNode + Hash256.byteCount]))
    }
}
