/// A tree of the hot database: pairs of key and value in a table of its own.
///
/// Source: `signer-wire` section 8.1.
enum HotTree: String, CaseIterable {
    /// Network key to network record.
    case specs = "chainspecs_prep"
    /// Name and version to metadata.
    case metadata
    /// Name and version to the hashes of the blocks at which the metadata were seen, oldest first.
    case history = "metadata_history"
    /// Title to address-book entry.
    case addressBook = "address_book"
    /// What there is one of.
    case settings

    /// The statement that makes its table, as SQLite keeps it.
    var statement: String {
        "CREATE TABLE \"\(rawValue)\" (key BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID"
    }
}

/// A key of ``HotTree/settings``.
enum HotSetting: String {
    /// The version of the database, 4 bytes.
    case schemaVersion = "schema_version"
    /// The types that metadata 12 and 13 name.
    case types

    var key: [UInt8] { Array(rawValue.utf8) }
}
