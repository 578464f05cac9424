import Substrate
import Synchronization

/// Metadata that were read before, and the trees made of them, so that neither is made again when the same transaction
/// is looked at once more, to be signed.
final class MetadataCache: Sendable {
    private struct CachedMetadata {
        let metadata: ChainMetadata
        var tree: MerkleizedMetadata?
    }

    /// Entries by the chain's name and version. An entry counts only while the stored blob is the one it was read from.
    private let entries = Mutex<[String: CachedMetadata]>([:])
    /// Blobs that are kept; a vault that is asked about more starts anew.
    private static let limit = 8

    func metadata(_ blob: [UInt8], name: String, version: UInt32) throws(MetadataError) -> ChainMetadata {
        let key = Self.key(name, version)
        if let known = entries.withLock({ $0[key]?.metadata }), known.blob == blob { return known }
        let metadata = try ChainMetadata(blob)
        entries.withLock { entries in
            if entries.count >= Self.limit { entries.removeAll() }
            entries[key] = CachedMetadata(metadata: metadata)
        }
        return metadata
    }

    /// The metadata hash of a chain: of stored metadata, with decimals and unit as the network has them.
    func metadataHash(
        _ metadata: RuntimeMetadata, _ network: NetworkSpecs
    ) throws(MerkleizationError) -> Hash256 {
        // A proof names the network as it likes: what its metadata say of themselves counts.
        let key = Self.key(metadata.specName, metadata.specVersion)
        let info = MetadataExtraInfo(metadata, network)
        if let tree = entries.withLock({ entries in
            entries[key].flatMap { $0.metadata.blob == metadata.blob ? $0.tree : nil }
        }) {
            return tree.digest(info).hash
        }
        let tree = try MerkleizedMetadata(metadata)
        entries.withLock { entries in
            if let entry = entries[key], entry.metadata.blob == metadata.blob { entries[key]?.tree = tree }
        }
        return tree.digest(info).hash
    }

    private static func key(_ name: String, _ version: UInt32) -> String { "\(name) \(version)" }
}
