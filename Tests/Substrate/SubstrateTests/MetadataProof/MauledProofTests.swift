import SCALE
import TestSupport
import Testing

@testable import Substrate

@Suite("Mauled metadata proofs")
struct MauledProofTests {
    private let original: ProofParts
    private let hash: Hash256

    init() throws {
        original = try ProofParts(ProofChain.proof(TestChain.transfer))
        hash = try original.digest().hash
    }

    private var parts: ProofParts { original }

    private func mauled(_ change: (inout ProofParts) -> Void) -> ProofParts {
        var parts = original
        change(&parts)
        return parts
    }

    private static let forged = MerkleTreeTests.leaf(typeID: 5000)

    // MARK: Places in the tree

    @Test("a forged leaf without a place of its own is refused", arguments: [0, 1, nil, .max] as [UInt32?])
    func forgedLeaf(index: UInt32?) throws {
        let parts = mauled { parts in
            parts.leaves.append(Self.forged)
            parts.indices.append(index ?? parts.indices[parts.indices.count - 1])
        }
        let error = #expect(throws: MetadataProofError.self) { try parts.digest() }
        guard case .leafOrder = error else {
            Issue.record("refused as \(String(describing: error))")
            return
        }
    }

    @Test("a forged leaf in any other place leads to another hash or is refused")
    func forgedLeafAnywhere() throws {
        let leafCount = try ProofChain.tree().leafCount
        for index in UInt32(leafCount - 1)...UInt32(2 * leafCount - 2) {
            let parts = mauled { parts in
                let place = parts.indices.firstIndex { TreeNode.isNode(index, leftOf: $0) } ?? parts.indices.count
                parts.leaves.insert(Self.forged, at: place)
                parts.indices.insert(index, at: place)
            }
            #expect((try? parts.digest().hash) != hash)
        }
    }

    @Test("a leaf without an index and an index without a leaf are refused")
    func counts() {
        let count = original.leaves.count
        #expect(throws: MetadataProofError.countMismatch(leaves: count + 1, indices: count)) {
            try mauled { $0.leaves.append(Self.forged) }.digest()
        }
        #expect(throws: MetadataProofError.countMismatch(leaves: count, indices: count + 1)) {
            try mauled { $0.indices.append(.max) }.digest()
        }
    }

    @Test("a node too many and a node too few are refused")
    func nodes() {
        #expect(throws: MetadataProofError.unconsumedNodes(count: 1)) {
            try mauled { $0.nodes.append([UInt8](repeating: 1, count: 32)) }.digest()
        }
        #expect(throws: MetadataProofError.missingNode) { try mauled { $0.nodes.removeLast() }.digest() }
        #expect(throws: MetadataProofError.missingNode) { try mauled { $0.nodes = [] }.digest() }
    }

    @Test("leaves out of order are refused, leaves and nodes in each other's places lead to another hash")
    func order() throws {
        #expect(throws: MetadataProofError.leafOrder(position: 1)) {
            try mauled { parts in
                parts.leaves.reverse()
                parts.indices.reverse()
            }.digest()
        }
        #expect(try mauled { $0.leaves.reverse() }.digest().hash != hash)
        #expect(try mauled { $0.nodes.swapAt(0, 1) }.digest().hash != hash)
        #expect(try mauled { $0.leaves[0] = Self.forged }.digest().hash != hash)
    }

    @Test("a leaf left out leads to another hash or is refused, whichever it is")
    func leftOut() {
        for position in original.leaves.indices {
            let parts = mauled { parts in
                parts.leaves.remove(at: position)
                parts.indices.remove(at: position)
            }
            #expect((try? parts.digest().hash) != hash)
        }
    }

    @Test("a proof without leaves, of which one node is the root, is refused")
    func noLeaves() throws {
        let root = try original.digest().typesTreeRoot
        #expect(throws: MetadataProofError.noLeaves) {
            try mauled { parts in
                parts.leaves = []
                parts.indices = []
                parts.nodes = [root.bytes]
            }.digest()
        }
    }

    @Test("a type that is described twice is refused")
    func twice() throws {
        let leaf = MerkleTreeTests.leaf(typeID: 3)
        let variant: [UInt8] = [0, 1, 4, 0x61, 0, 0, 12]
        for leaves in [[leaf, leaf], [leaf, variant], [variant, leaf], [variant, variant]] {
            #expect(throws: MetadataProofError.duplicateType(id: 3)) {
                try ProofParts(leaves: leaves, indices: [1, 2]).digest()
            }
        }
        let other: [UInt8] = [0, 1, 4, 0x62, 0, 4, 12]
        #expect(throws: Never.self) { try ProofParts(leaves: [variant, other], indices: [1, 2]).digest() }
    }

    // MARK: What the chain says of itself

    @Test("what the chain says of itself is part of the hash")
    func extraInfo() throws {
        let changed: [ProofParts] = [
            mauled { $0.extraInfo.decimals = 10 }, mauled { $0.extraInfo.tokenSymbol = "DOT" },
            mauled { $0.extraInfo.base58Prefix = 0 }, mauled { $0.extraInfo.specVersion += 1 },
            mauled { $0.extraInfo.specName = "tesu" },
        ]
        for parts in changed { #expect(try parts.digest().hash != hash) }
        #expect(try mauled { $0.extrinsic[0] = 5 }.digest().hash != hash)
    }

    // MARK: Bytes

    @Test("every flipped bit leads to another hash or is refused")
    func flips() {
        let bytes = original.bytes
        for position in 0..<bytes.count * 8 {
            guard let found = try? MetadataProof(bytes.flipping(bit: position)).digest().hash else { continue }
            if found == hash { Issue.record("bit \(position) does not count") }
        }
    }

    @Test("every cut is refused")
    func cuts() {
        let bytes = original.bytes
        for end in bytes.indices {
            #expect(throws: MetadataProofError.self) { try MetadataProof(Array(bytes[..<end])) }
        }
    }

    @Test(
        "a count in a longer form, or beyond the bytes, is refused before anything is made of it",
        arguments: [
            ([UInt8(0x35), 0x00], ScaleError.malformedCompact(offset: 0, reason: .notShortest)),
            ([0xfe, 0xff, 0xff, 0xff], .lengthExceedsInput(offset: 0, claimed: (1 << 30) - 1, available: 0)),
            ([0x03, 0xff, 0xff, 0xff, 0xff], .lengthExceedsInput(offset: 0, claimed: Int(UInt32.max), available: 0)),
            ([UInt8](repeating: 0xff, count: 68), .malformedCompact(offset: 0, reason: .tooWide)),
        ])
    func counts(count: [UInt8], error: ScaleError) {
        let rest = original.bytes.dropFirst()
        let thrown = #expect(throws: MetadataProofError.self) { try MetadataProof(count + rest) }
        guard case .malformed(let found)? = thrown else {
            Issue.record("refused as \(String(describing: thrown))")
            return
        }
        if case .lengthExceedsInput(let offset, let claimed, _) = error {
            #expect(found == .lengthExceedsInput(offset: offset, claimed: claimed, available: rest.count))
        } else {
            #expect(found == error)
        }
    }

    @Test("counts and lengths inside a leaf that are beyond the bytes are refused")
    func bombsInLeaves() {
        let bomb: [UInt8] = [0x03, 0xff, 0xff, 0xff, 0xff]
        let leaves: [[UInt8]] = [
            bomb, [4] + bomb, [0, 0] + bomb, [0, 1] + bomb, [0, 1, 0] + bomb, [0, 4] + bomb, [0, 0, 4, 1] + bomb,
            [0, 0, 4, 0, 0x15, 1] + bomb,
        ]
        for leaf in leaves {
            let error = #expect(throws: MetadataProofError.self) {
                try MetadataProof([4] + leaf + [UInt8](repeating: 0, count: 64))
            }
            guard case .malformed(.lengthExceedsInput) = error else {
                Issue.record("\(leaf) is refused as \(String(describing: error))")
                continue
            }
        }
    }

    private static let known = "substrate-crypto/rfc78/proofs_mauled.json"

    @Test("no known forgery leads to the hash that it claims", .enabled(if: SharedData.has(known)))
    func knownForgeries() throws {
        for item in try SharedData.json(Self.known).array {
            let bytes = try #require(item["metadata_proof"].hex)
            let found = try? MetadataProof(bytes).digest().hash.hex
            #expect(found != item["claimed_metadata_hash"].string, "\(item["base"]): \(item["desc"])")
        }
    }
}
