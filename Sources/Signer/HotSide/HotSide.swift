import Airgap
import Files
import SCALE
import Substrate
import TextForms

/// The connected side of an air gap: fetches what vaults need to know of networks, keeps it, and makes updates of it.
///
///     let hot = HotSide(database: try HotDatabase(at: path), nodes: Nodes())
///     let fetched = try await hot.loadMetadata(.total, .name("polkadot"))
///
/// Nothing here holds a secret, and nothing is believed because it is here: a vault takes an update by a signature, or
/// by what its person compares. Programs that hold keys do not link this room.
/// Source: `signer-wire` section 8.
public struct HotSide: Sendable {
    /// What is kept.
    public let database: HotDatabase
    /// Who is asked.
    let nodes: any NodeConnecting
    /// Whether a node on another machine may be asked without TLS.
    let allowsPlain: Bool

    /// - Parameters:
    ///   - database: what is kept.
    ///   - nodes: who is asked.
    ///   - allowsPlain: whether a node on another machine may be asked without TLS.
    public init(database: HotDatabase, nodes: any NodeConnecting, allowsPlain: Bool = false) {
        self.database = database
        self.nodes = nodes
        self.allowsPlain = allowsPlain
    }

    func url(of entry: AddressBookEntry) throws -> NodeURL { try NodeURL(entry.url, allowsPlain: allowsPlain) }

    // MARK: What there is

    /// The entries of the address book in the order of their titles.
    public func addressBook() throws -> [BookedNode] { try database.read { try $0.addressBook() } }

    /// The record of a network.
    ///
    /// - Parameter title: as the address book has it.
    public func specs(titled title: String) throws -> NetworkSpecs {
        try database.read { trees in
            guard let entry = try trees.entry(title) else { throw HotSideError.titleNotFound(title) }
            return try trees.specs(of: entry)
        }
    }

    /// The address book as people read it: four lines for each entry.
    public func addressBookLines() throws -> [String] {
        try database.read { trees in
            try trees.addressBook().flatMap { node in
                [
                    "title \(node.title)", "  url \(node.entry.url)", "  encryption \(node.entry.scheme.name)",
                    "  Vault title \(try trees.specs(of: node.entry).title)",
                ]
            }
        }
    }

    /// All stored metadata, by name and then from the oldest version on.
    public func metadata() throws -> [StoredMetadata] { try database.read { try $0.metadata() } }

    /// The newest metadata of a network, or those of one version.
    public func metadata(of name: String, version: UInt32? = nil) throws -> StoredMetadata {
        let found = try database.read { try $0.metadata(of: name) }.last { version == nil || $0.key.version == version }
        guard let found else { throw HotSideError.metadataNotFound(name: name, version: version) }
        return found
    }

    /// The blocks at which metadata were seen.
    package func blockHistory() throws -> [(key: MetadataName, blocks: BlockHistory)] {
        try database.read { try $0.history() }
    }

    /// The types that metadata 12 and 13 name.
    public func types() throws -> TypesTable {
        guard let types = try database.read({ try $0.types() }) else { throw HotSideError.typesNotFound }
        return types
    }

    /// Stores the types that metadata 12 and 13 name.
    ///
    /// - Parameter content: the encoded table, and nothing else.
    public func store(types content: [UInt8]) throws {
        let types: TypesTable
        do { types = try TypesTable(scaleEncoded: content) } catch {
            throw HotSideError.payloadFileBroken(kind: "a table of types", reason: "\(error)")
        }
        try database.write { try $0.put(types) }
    }

    /// Puts metadata into the database that come from elsewhere than a node, by the rules for fetched ones.
    ///
    /// - Parameters:
    ///   - blob: the metadata.
    ///   - block: at which they were seen, where that is known.
    /// - Returns: their name, and whether they are new.
    @discardableResult
    public func store(metadata blob: [UInt8], seenAt block: Hash256? = nil) throws -> (name: MetadataName, isNew: Bool)
    {
        let metadata: ChainMetadata
        do { metadata = try ChainMetadata(blob) } catch { throw HotSideError.metadataBroken(error) }
        return try database.write { trees in
            guard let known = try trees.addressBook().first(where: { $0.entry.name == metadata.specName }) else {
                throw HotSideError.networkNotFound(name: metadata.specName)
            }
            try metadata.checkAgrees(with: trees.specs(of: known.entry))
            let isNew = try trees.isNews(metadata)
            try trees.take(metadata, isNew: isNew, seenAt: block)
            return (MetadataName(name: metadata.specName, version: metadata.specVersion), isNew)
        }
    }

    // MARK: What goes

    /// Removes an entry of the address book and its record; with the last entry of a name also its metadata.
    public func remove(title: String) throws {
        try database.write { trees in
            guard let entry = try trees.entry(title) else { throw HotSideError.titleNotFound(title) }
            try trees.removeEntry(title)
            let others = try trees.addressBook().map(\.entry)
            if !others.contains(where: { $0.networkKey == entry.networkKey }) {
                try trees.removeSpecs(entry.networkKey)
            }
            guard !others.contains(where: { $0.name == entry.name }) else { return }
            for stored in try trees.metadata() where stored.key.name == entry.name {
                try trees.removeMetadata(stored.key)
            }
        }
    }

    /// Removes one version of a network's metadata, with the blocks at which they were seen.
    public func remove(metadata name: MetadataName) throws {
        try database.write { trees in
            guard try trees.metadata().contains(where: { $0.key == name }) else {
                throw HotSideError.metadataNotFound(name: name.name, version: name.version)
            }
            try trees.removeMetadata(name)
        }
    }
}
