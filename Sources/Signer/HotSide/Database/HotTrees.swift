import SCALE
import SQLite
import Substrate

/// The trees of a hot database within one transaction.
struct HotTrees {
    let connection: SQLiteConnection

    // MARK: Pairs

    private func value(_ tree: HotTree, _ key: [UInt8]) throws -> [UInt8]? {
        let rows = try connection.rows("SELECT value FROM \"\(tree.rawValue)\" WHERE key = ?", [.bytes(key)])
        return try rows.first.map { try bytes($0[0], in: tree) }
    }

    private func pairs(_ tree: HotTree) throws -> [(key: [UInt8], value: [UInt8])] {
        try connection.rows("SELECT key, value FROM \"\(tree.rawValue)\" ORDER BY key").map { row in
            (try bytes(row[0], in: tree), try bytes(row[1], in: tree))
        }
    }

    private func bytes(_ value: SQLiteValue, in tree: HotTree) throws -> [UInt8] {
        guard let bytes = value.bytes else {
            throw HotSideError.databaseDamaged(reason: "a row of \(tree.rawValue) holds no bytes")
        }
        return bytes
    }

    func put(_ tree: HotTree, key: [UInt8], value: [UInt8]) throws {
        let sql = "INSERT OR REPLACE INTO \"\(tree.rawValue)\" (key, value) VALUES (?, ?)"
        try connection.execute(sql, .bytes(key), .bytes(value))
    }

    private func remove(_ tree: HotTree, key: [UInt8]) throws {
        try connection.execute("DELETE FROM \"\(tree.rawValue)\" WHERE key = ?", .bytes(key))
    }

    private func decode<T: ScaleDecodable>(_ tree: HotTree, _ bytes: [UInt8]) throws -> T {
        do { return try T(scaleEncoded: bytes) } catch {
            throw HotSideError.databaseDamaged(reason: "a row of \(tree.rawValue) is none: \(error)")
        }
    }

    // MARK: Settings

    func schemaVersion() throws -> UInt32? {
        try value(.settings, HotSetting.schemaVersion.key).map { try decode(.settings, $0) as SchemaVersion }?.number
    }

    func types() throws -> TypesTable? {
        try value(.settings, HotSetting.types.key).map { try decode(.settings, $0) }
    }

    func put(_ types: TypesTable) throws {
        try put(.settings, key: HotSetting.types.key, value: types.scaleEncoded)
    }

    // MARK: Address book

    /// All entries in the order of their titles.
    func addressBook() throws -> [BookedNode] {
        try pairs(.addressBook).map { pair in
            BookedNode(
                title: (try decode(.addressBook, pair.key) as Title).text, entry: try decode(.addressBook, pair.value))
        }.sorted { $0.title < $1.title }
    }

    func entry(_ title: String) throws -> AddressBookEntry? {
        try value(.addressBook, BookedNode.key(title: title)).map { try decode(.addressBook, $0) }
    }

    func put(_ entry: AddressBookEntry, title: String) throws {
        try put(.addressBook, key: BookedNode.key(title: title), value: entry.scaleEncoded)
    }

    func removeEntry(_ title: String) throws {
        try remove(.addressBook, key: BookedNode.key(title: title))
    }

    // MARK: Networks

    func specs(_ key: NetworkKey) throws -> NetworkSpecs? {
        try value(.specs, key.scaleEncoded).map { try decode(.specs, $0) }
    }

    func put(_ specs: NetworkSpecs) throws {
        try put(.specs, key: specs.key.scaleEncoded, value: specs.scaleEncoded)
    }

    func removeSpecs(_ key: NetworkKey) throws { try remove(.specs, key: key.scaleEncoded) }

    /// The record that an entry of the address book is for.
    func specs(of entry: AddressBookEntry) throws -> NetworkSpecs {
        guard let specs = try specs(entry.networkKey) else {
            throw HotSideError.databaseDamaged(reason: "there is no record for the network \(entry.name)")
        }
        return specs
    }

    // MARK: Metadata

    /// All metadata, by name and then from the oldest version on.
    func metadata() throws -> [StoredMetadata] {
        try pairs(.metadata).map { pair in
            let key: MetadataName = try decode(.metadata, pair.key)
            return try StoredMetadata(key, blob: pair.value)
        }.sorted { one, two in
            // By name as its encoding sorts, which begins with its length.
            (one.key.name.utf8.count, one.key.name, one.key.version)
                < (two.key.name.utf8.count, two.key.name, two.key.version)
        }
    }

    /// The metadata of a network's name from the oldest version on, two at the most.
    func metadata(of name: String) throws -> [StoredMetadata] {
        let found = try metadata().filter { $0.key.name == name }
        guard found.count <= StoredMetadata.versionLimit else {
            throw HotSideError.overTwoEntries(name: name, count: found.count)
        }
        return found
    }

    func put(_ metadata: StoredMetadata) throws {
        try put(.metadata, key: metadata.key.scaleEncoded, value: metadata.metadata.blob)
    }

    func removeMetadata(_ key: MetadataName) throws {
        try remove(.metadata, key: key.scaleEncoded)
        try remove(.history, key: key.scaleEncoded)
    }

    // MARK: Blocks

    /// The blocks at which metadata were seen, by name and version.
    func history() throws -> [(key: MetadataName, blocks: BlockHistory)] {
        try pairs(.history).map { (try decode(.history, $0.key), try decode(.history, $0.value)) }
    }

    func note(_ block: Hash256, for key: MetadataName) throws {
        var blocks: BlockHistory =
            try value(.history, key.scaleEncoded).map { try decode(.history, $0) } ?? BlockHistory()
        blocks.add(block)
        try put(.history, key: key.scaleEncoded, value: blocks.scaleEncoded)
    }
}

/// A title as the key of a tree.
private struct Title: ScaleDecodable {
    let text: String

    init(from decoder: inout ScaleDecoder) throws(ScaleError) { text = try decoder.string() }
}

private struct SchemaVersion: ScaleDecodable {
    let number: UInt32

    init(from decoder: inout ScaleDecoder) throws(ScaleError) { number = try decoder.uint32() }
}
