/// The complete binary tree over the leaves of RFC-0078: node i is BLAKE3 of its children 2i+1 and 2i+2, leaf j of N is
/// node N-1+j. No leaves have 32 zero bytes as root.
package struct MerkleTree: Sendable {
    /// The nodes by their numbers.
    private let nodes: [Hash256]
    let leafCount: Int

    package init(leafHashes: [Hash256]) {
        leafCount = leafHashes.count
        guard leafCount > 0 else {
            nodes = []
            return
        }
        let zero = Hash256(unchecked: Array(repeating: 0, count: Hash256.byteCount))
        var nodes = Array(repeating: zero, count: leafCount - 1) + leafHashes
        for node in (0..<leafCount - 1).reversed() {
            nodes[node] = Self.parent(left: nodes[2 * node + 1], right: nodes[2 * node + 2])
        }
        self.nodes = nodes
    }

    package var root: Hash256 { nodes.first ?? Hash256(unchecked: Array(repeating: 0, count: Hash256.byteCount)) }

    /// The number of the node that is leaf `position`.
    func node(ofLeaf position: Int) -> UInt32 { UInt32(leafCount - 1 + position) }

    /// The hashes beside the ways from some leaves to the root, from the left, each subtree without such a leaf once.
    ///
    /// - Parameter leaves: node numbers, left to right.
    func proofNodes(for leaves: [UInt32]) -> [Hash256] {
        var proof: [Hash256] = []
        var next = 0
        func visit(_ node: UInt32) {
            guard next < leaves.count, TreeNode.isNode(leaves[next], below: node) else {
                proof.append(nodes[Int(node)])
                return
            }
            if leaves[next] == node {
                next += 1
            } else {
                visit(2 * node + 1)
                visit(2 * node + 2)
            }
        }
        if leafCount > 0 { visit(0) }
        return proof
    }

    static func parent(left: Hash256, right: Hash256) -> Hash256 {
        withUnsafeTemporaryAllocation(byteCount: 2 * Hash256.byteCount, alignment: 4) { buffer in
            buffer.copyBytes(from: left.bytes)
            UnsafeMutableRawBufferPointer(rebasing: buffer[Hash256.byteCount...]).copyBytes(from: right.bytes)
            return Blake3.hash(UnsafeRawBufferPointer(buffer))
        }
    }
}
