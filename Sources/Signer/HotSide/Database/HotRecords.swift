import SCALE
import Substrate

/// Where a network's node is reached.
///
/// Source: `signer-wire` section 8.1.
public struct AddressBookEntry: Hashable, Sendable {
    /// The name of the network's runtime.
    public var name: String
    /// The genesis of the network.
    public var genesisHash: Hash256
    /// The node's address.
    public var url: String
    /// The scheme of the network's keys.
    public var scheme: SignatureScheme
    /// Whether a release brings the entry.
    public var isDefault: Bool

    /// Makes it of its parts.
    public init(name: String, genesisHash: Hash256, url: String, scheme: SignatureScheme, isDefault: Bool) {
        self.name = name
        self.genesisHash = genesisHash
        self.url = url
        self.scheme = scheme
        self.isDefault = isDefault
    }

    /// What tells its network from others.
    public var networkKey: NetworkKey { NetworkKey(scheme: scheme, genesisHash: genesisHash) }
}

extension AddressBookEntry: ScaleCodable {
    /// Reads the SCALE encoding.
    public init(from decoder: inout ScaleDecoder) throws(ScaleError) {
        name = try decoder.string()
        genesisHash = try Hash256(from: &decoder)
        url = try decoder.string()
        scheme = try SignatureScheme(from: &decoder)
        isDefault = try decoder.bool()
    }

    /// Appends the SCALE encoding.
    public func encode(to encoder: inout ScaleEncoder) {
        encoder.string(name)
        encoder.value(genesisHash)
        encoder.string(url)
        encoder.value(scheme)
        encoder.bool(isDefault)
    }
}

/// An entry of the address book with its title.
public struct BookedNode: Hashable, Sendable {
    /// What the entry is called, `name-scheme` where nothing else was said.
    public var title: String
    /// Where the node is reached, and which network it is of.
    public var entry: AddressBookEntry

    /// The key under which an entry is stored.
    package static func key(title: String) -> [UInt8] {
        var key = ScaleEncoder()
        key.string(title)
        return key.bytes
    }
}

/// Metadata with the key that they are stored under.
public struct StoredMetadata: Sendable {
    /// Versions of a network that are kept: a newer one pushes out the older of two.
    package static let versionLimit = 2

    /// Name and version, which are those that the metadata state.
    public let key: MetadataName
    /// The metadata, read.
    public let metadata: ChainMetadata

    init(_ metadata: ChainMetadata) {
        key = MetadataName(name: metadata.specName, version: metadata.specVersion)
        self.metadata = metadata
    }

    /// - Throws: `HotSideError.databaseDamaged` for a blob that is no metadata of that name and version.
    init(_ key: MetadataName, blob: [UInt8]) throws {
        do { self.init(try ChainMetadata(blob)) } catch {
            throw HotSideError.databaseDamaged(reason: "metadata of \(key.name)\(key.version) are none: \(error)")
        }
        guard self.key == key else {
            throw HotSideError.databaseDamaged(
                reason: "metadata of \(key.name)\(key.version) are those of \(self.key.name)\(self.key.version)")
        }
    }
}

/// The blocks at which metadata were seen, from the oldest sight on.
package struct BlockHistory: Hashable, Sendable {
    /// How many are kept; the oldest go.
    package static let limit = 16

    /// Hashes of blocks, each once.
    package private(set) var blocks: [Hash256] = []

    init() {}

    mutating func add(_ block: Hash256) {
        blocks.removeAll { $0 == block }
        blocks.append(block)
        blocks.removeFirst(max(0, blocks.count - Self.limit))
    }
}

extension BlockHistory: ScaleCodable {
    /// Reads hashes up to the end: one of them is the form of the original.
    package init(from decoder: inout ScaleDecoder) throws(ScaleError) {
        repeat { blocks.append(try Hash256(from: &decoder)) } while !decoder.isAtEnd
    }

    /// Appends the hashes, one behind the other.
    package func encode(to encoder: inout ScaleEncoder) {
        for block in blocks { encoder.value(block) }
    }
}

extension StoredMetadata {
    /// What lists call them.
    package var line: String { "\(key.name) \(key.version), metadata hash \(metadata.blobHash.hex)" }
}
