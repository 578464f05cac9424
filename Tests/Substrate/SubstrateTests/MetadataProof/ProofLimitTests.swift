import SCALE
import Testing

@testable import Substrate

@Suite("Bounds of metadata proofs")
struct ProofLimitTests {
    @Test("as many leaves as are read, and one more")
    func leaves() {
        let leaf = MerkleTreeTests.leaf(typeID: 0)
        let limit = MetadataProofLimits.leaves
        let most = ProofParts(leaves: Array(repeating: leaf, count: limit), indices: [])
        #expect(throws: Never.self) { try MetadataProof(most.bytes) }
        var over = most
        over.leaves.append(leaf)
        expectLimit("leaves", found: limit + 1, limit: limit, parts: over)
        over = most
        over.indices = Array(repeating: 0, count: limit + 1)
        expectLimit("leaf indices", found: limit + 1, limit: limit, parts: over)
    }

    @Test("more nodes than leaves can use are refused")
    func nodes() {
        var parts = ProofParts(leaves: [MerkleTreeTests.leaf(typeID: 0)], indices: [0])
        parts.nodes = Array(repeating: [UInt8](repeating: 0, count: 32), count: 33)
        #expect(throws: Never.self) { try MetadataProof(parts.bytes) }
        parts.nodes.append(parts.nodes[0])
        expectLimit("nodes", found: 34, limit: 33, parts: parts)
    }

    @Test("lists, texts and leaves have their bounds")
    func insideLeaves() {
        let items = MetadataProofLimits.listItems
        expectLimit("elements", items: items) { encoder, count in
            encoder.raw([0, 4])
            encoder.sequence(Array(repeating: UInt8(0x15), count: count)) { $0.integer($1) }
        }
        expectLimit("fields", items: items) { encoder, count in
            encoder.raw([0, 0])
            encoder.sequence(Array(repeating: [0, 0x15, 0], count: count)) { $0.raw($1) }
        }
        expectLimit("path segments", items: items) { encoder, count in
            encoder.sequence(Array(repeating: "", count: count)) { $0.string($1) }
            encoder.raw([4, 0])
        }
        expectLimit("bytes of text", items: MetadataProofLimits.textByteCount) { encoder, count in
            encoder.compact(1)
            encoder.string(String(repeating: "a", count: count))
            encoder.raw([4, 0])
        }
    }

    @Test("a leaf has its bound in bytes")
    func leafBytes() {
        let text = String(repeating: "a", count: MetadataProofLimits.textByteCount)
        let leaf = leaf { encoder in
            encoder.sequence(Array(repeating: text, count: 4)) { $0.string($1) }
            encoder.raw([4, 0])
        }
        expectLimit("bytes of a leaf", found: leaf.count, limit: MetadataProofLimits.leafByteCount, leaves: [leaf])
    }

    @Test("as many extensions as are read, and one more")
    func extensions() {
        let limit = MetadataProofLimits.extensions
        #expect(throws: Never.self) { try MetadataProof(proof(extensionCount: limit).bytes) }
        expectLimit("extensions", found: limit + 1, limit: limit, parts: proof(extensionCount: limit + 1))
    }

    private func proof(extensionCount: Int) -> ProofParts {
        var encoder = ScaleEncoder()
        encoder.raw([4, 0x15, 0x15, 0x15])
        encoder.sequence(Array(repeating: "Check", count: extensionCount)) { encoder, name in
            encoder.string(name)
            encoder.raw([0x15, 0x15])
        }
        var parts = ProofParts(leaves: [MerkleTreeTests.leaf(typeID: 0)], indices: [0])
        parts.extrinsic = encoder.bytes
        return parts
    }

    @Test("nothing is read beyond the greatest size of a proof")
    func proofBytes() {
        let text = String(repeating: "a", count: MetadataProofLimits.textByteCount)
        let leaf = leaf { encoder in
            encoder.sequence(Array(repeating: text, count: 3)) { $0.string($1) }
            encoder.raw([4, 0])
        }
        let parts = ProofParts(
            leaves: Array(repeating: leaf, count: MetadataProofLimits.byteCount / leaf.count + 1), indices: [])
        let error = #expect(throws: MetadataProofError.self) { try MetadataProof(parts.bytes) }
        guard case .malformed = error else {
            Issue.record("refused as \(String(describing: error))")
            return
        }
    }

    @Test(
        "indices of nothing are refused by kind",
        arguments: [
            ([0, 6], "type definition"), ([0, 2, 0x17], "type reference"), ([0, 2, 0xff], "type reference"),
            ([0, 5, 3], "size of a bit store"), ([0, 5, 0], "size of a bit store"),
        ] as [([UInt8], String)])
    func unknownIndices(leaf: [UInt8], kind: String) {
        #expect(throws: MetadataProofError.unknownIndex(offset: leaf.count, kind: kind, found: leaf.last ?? 0)) {
            try MetadataProof([4] + leaf + [UInt8](repeating: 0, count: 64))
        }
    }

    @Test(
        "text that is no UTF-8, options and bools that are none, and variants above 255 are refused",
        arguments: [
            ([4, 4, 0xff, 4, 0, 0], ScaleError.invalidUTF8(offset: 2)),
            ([0, 0, 4, 2], .invalidOption(offset: 4, found: 2)), ([0, 5, 1, 2], .invalidBool(offset: 4, found: 2)),
            ([0, 1, 0, 0, 1, 4], .malformedCompact(offset: 5, reason: .tooWide)),
        ] as [([UInt8], ScaleError)])
    func malformed(leaf: [UInt8], error: ScaleError) {
        #expect(throws: MetadataProofError.malformed(error)) {
            try MetadataProof([4] + leaf + [UInt8](repeating: 0, count: 64))
        }
    }

    // MARK: Making and expecting

    /// A leaf with type id 0.
    private func leaf(_ write: (inout ScaleEncoder) -> Void) -> [UInt8] {
        var encoder = ScaleEncoder()
        write(&encoder)
        encoder.compact(0)
        return encoder.bytes
    }

    /// Reads a leaf with `items` of a kind, and refuses one with one more.
    private func expectLimit(_ kind: String, items: Int, _ write: (inout ScaleEncoder, Int) -> Void) {
        #expect(throws: Never.self) {
            try MetadataProof(ProofParts(leaves: [leaf { write(&$0, items) }], indices: []).bytes)
        }
        expectLimit(kind, found: items + 1, limit: items, leaves: [leaf { write(&$0, items + 1) }])
    }

    private func expectLimit(_ kind: String, found: Int, limit: Int, leaves: [[UInt8]]) {
        expectLimit(kind, found: found, limit: limit, parts: ProofParts(leaves: leaves, indices: []))
    }

    private func expectLimit(_ kind: String, found: Int, limit: Int, parts: ProofParts) {
        let error = #expect(throws: MetadataProofError.self) { try MetadataProof(parts.bytes) }
        guard case .limitExceeded(_, kind, found, limit) = error else {
            Issue.record("\(found) \(kind) are refused as \(String(describing: error))")
            return
        }
    }
}
