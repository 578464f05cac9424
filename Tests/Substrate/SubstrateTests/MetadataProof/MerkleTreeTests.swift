import SCALE
import TestSupport
import Testing
import TextForms

@testable import Substrate

@Suite("Trees of metadata")
struct MerkleTreeTests {
    @Test("roots are those of the reference model", arguments: KnownTrees.roots.indices)
    func roots(position: Int) {
        let known = KnownTrees.roots[position]
        #expect(MerkleTree(leafHashes: Self.leaves(known.leafCount)).root.hex == known.root)
    }

    @Test("a leaf reads to its end and hashes as the reference model says", arguments: KnownTrees.leaves.indices)
    func leaves(position: Int) throws {
        let known = KnownTrees.leaves[position]
        let leaf = try #require(Hex.decode(known.leaf))
        // Alone in its tree, a leaf is the root.
        let parts = ProofParts(leaves: [leaf], indices: [0])
        #expect(try MetadataProof(parts.bytes).leaves[0].range.count == leaf.count)
        #expect(try parts.digest().typesTreeRoot.hex == known.hash)
    }

    @Test("the root comes back from any leaves with their nodes", arguments: [1, 2, 3, 5, 8, 13, 33, 100])
    func selections(leafCount: Int) throws {
        let leaves = (0..<leafCount).map { Self.leaf(typeID: UInt32($0)) }
        let tree = MerkleTree(leafHashes: leaves.map { Blake3.hash($0) })
        var random = SplitMix64(state: UInt64(leafCount))
        for _ in 0..<50 {
            var chosen = leaves.indices.filter { _ in random.next() % 3 == 0 }
            if chosen.isEmpty { chosen = [Int(random.next() % UInt64(leafCount))] }
            chosen.sort { TreeNode.isNode(tree.node(ofLeaf: $0), leftOf: tree.node(ofLeaf: $1)) }
            let indices = chosen.map { tree.node(ofLeaf: $0) }
            let parts = ProofParts(
                leaves: chosen.map { leaves[$0] }, indices: indices, nodes: tree.proofNodes(for: indices).map(\.bytes))
            #expect(try parts.digest().typesTreeRoot == tree.root)
        }
    }

    @Test("the last place that a leaf can have is read, one beyond is not")
    func deepestLeaf() throws {
        let leaf = Self.leaf(typeID: 0)
        let nodes = Array(repeating: [UInt8](repeating: 7, count: 32), count: 31)
        #expect(throws: Never.self) {
            try ProofParts(leaves: [leaf], indices: [(1 << 31) - 1], nodes: nodes).digest()
        }
        #expect(throws: MetadataProofError.leafOrder(position: 0)) {
            try ProofParts(leaves: [leaf], indices: [1 << 31], nodes: nodes).digest()
        }
    }

    private static func leaves(_ count: Int) -> [Hash256] {
        (0..<count).map { number in
            var encoder = ScaleEncoder()
            encoder.integer(UInt32(number))
            return Blake3.hash(encoder.bytes)
        }
    }

    /// An array of as many bytes as its type id says.
    static func leaf(typeID: UInt32) -> [UInt8] {
        var encoder = ScaleEncoder()
        encoder.raw([0, 3])
        encoder.integer(typeID)
        encoder.integer(PrimitiveType.u8.rawValue)
        encoder.compact(Int(typeID))
        return encoder.bytes
    }
}
