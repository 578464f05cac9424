import SCALE

/// Why bytes are no metadata proof, or a proof does not prove what it says. Offsets count from the start of the bytes
/// that the proof was read from.
public enum MetadataProofError: Error, Hashable, Sendable {
    /// The encoding is malformed.
    case malformed(ScaleError)
    /// `found` is no index of `kind`.
    case unknownIndex(offset: Int, kind: String, found: UInt8)
    /// The proof has more of something than ``MetadataProofLimits`` allow.
    case limitExceeded(offset: Int, kind: String, found: Int, limit: Int)
    /// It has another number of leaves than of indices.
    case countMismatch(leaves: Int, indices: Int)
    /// A proof of one node alone leads to any root and describes nothing.
    case noLeaves
    /// The leaf at `position` does not stand behind the one before it in the tree, or below the tree's leaves.
    case leafOrder(position: Int)
    /// The tree asks for a node that is not there.
    case missingNode
    /// Leaves are left over when the root is made.
    case unconsumedLeaves(count: Int)
    /// Nodes are left over when the root is made.
    case unconsumedNodes(count: Int)
    /// Two leaves describe the same type, or the same variant.
    case duplicateType(id: UInt32)
}

extension MetadataProofError: CustomStringConvertible {
    /// What happened, in plain words.
    public var description: String {
        switch self {
        case .malformed(let error): error.description
        case .unknownIndex(let offset, let kind, let found): "at byte \(offset): \(found) is no \(kind)"
        case .limitExceeded(let offset, let kind, let found, let limit):
            "at byte \(offset): \(found) \(kind); at most \(limit) are read"
        case .countMismatch(let leaves, let indices): "\(leaves) leaves have \(indices) places in the tree"
        case .noLeaves: "it holds no leaf, so it describes nothing"
        case .leafOrder(let position): "leaf \(position) is out of order or out of place"
        case .missingNode: "a node of the tree is missing"
        case .unconsumedLeaves(let count): "\(count) leaves are not part of the tree: they are forged"
        case .unconsumedNodes(let count): "\(count) nodes are not part of the tree"
        case .duplicateType(let id): "type \(id) is described twice"
        }
    }
}

/// Bounds of a proof (`substrate-crypto` section 13.5).
package enum MetadataProofLimits {
    package static let byteCount = 512 << 10
    package static let leaves = 4096
    package static let leafByteCount = 16 << 10
    /// Path segments, fields, elements: each list of a leaf.
    package static let listItems = 1024
    package static let textByteCount = 4 << 10
    package static let extensions = 64

    static func nodes(leaves: Int) -> Int { 32 * leaves + 1 }
}

extension ScaleDecoder {
    /// Reads a SCALE value as part of a proof.
    mutating func forProof<T>(
        _ read: (inout ScaleDecoder) throws(ScaleError) -> T
    ) throws(MetadataProofError) -> T {
        do throws(ScaleError) { return try read(&self) } catch { throw .malformed(error) }
    }

    /// A count of items that each take at least `minimumItemSize` bytes, at most `limit`.
    mutating func proofCount(
        of kind: String, limit: Int, minimumItemSize: Int = 1
    ) throws(MetadataProofError) -> Int {
        let offset = position
        let count = try forProof { (decoder) throws(ScaleError) in
            try decoder.count(minimumItemSize: minimumItemSize)
        }
        guard count <= limit else { throw .limitExceeded(offset: offset, kind: kind, found: count, limit: limit) }
        return count
    }

    /// A string, as the place of its bytes without their length.
    mutating func proofText() throws(MetadataProofError) -> Range<Int> {
        let offset = position
        let range = try forProof { (decoder) throws(ScaleError) in try decoder.byteSequenceRange() }
        guard range.count <= MetadataProofLimits.textByteCount else {
            throw .limitExceeded(
                offset: offset, kind: "bytes of text", found: range.count, limit: MetadataProofLimits.textByteCount)
        }
        guard bytes.withUnsafeBytes({ String(validating: $0[range], as: UTF8.self) }) != nil else {
            throw .malformed(.invalidUTF8(offset: offset))
        }
        return range
    }

    mutating func proofOptionalText() throws(MetadataProofError) -> Range<Int>? {
        let offset = position
        let tag = try forProof { (decoder) throws(ScaleError) in try decoder.uint8() }
        guard tag <= 1 else { throw .malformed(.invalidOption(offset: offset, found: tag)) }
        return tag == 1 ? try proofText() : nil
    }

    mutating func proofList<T>(
        of kind: String, limit: Int = MetadataProofLimits.listItems,
        _ read: (inout ScaleDecoder) throws(MetadataProofError) -> T
    ) throws(MetadataProofError) -> [T] {
        let count = try proofCount(of: kind, limit: limit)
        var items: [T] = []
        items.reserveCapacity(count)
        for _ in 0..<count { items.append(try read(&self)) }
        return items
    }
}
