import SecretMemory

/// What the self-test of memory looks for. The keys themselves leave the room masked, inside the scan.
extension VaultEngine {
    /// Adds every key of the unlocked vault to a scan: the MainKey, those of the epochs, and what is made of them for these
    /// places.
    ///
    /// - Parameters:
    ///   - table: with `column`, a sealed and indexed column.
    ///   - token: the name of a token.
    ///   - file: the path of an encrypted file without context.
    package func addKeys(
        to scan: inout MemoryScan, table: String, column: String, token: String, file: String
    ) throws(MainKeyError) {
        let (keyFile, unlocked) = try unlocked()
        Self.add("MainKey", unlocked.secrets.mainKey, to: &scan)
        for record in keyFile.epochs {
            let salt = keyFile.vault.bytes + bigEndian(record.epoch)
            let key = try record.open(under: unlocked.secrets)
            Self.add("key of epoch \(record.epoch)", key, to: &scan)
            let names = try lengthPrefixed(table) + lengthPrefixed(column)
            Self.add(
                "key of a column", try HMACSHA256.derive(key, salt: salt, .subkey("db-attr"), context: names), to: &scan
            )
            Self.add(
                "key of a blind index", try HMACSHA256.derive(key, salt: salt, .subkey("db-index"), context: names),
                to: &scan)
            Self.add(
                "key of a token",
                try HMACSHA256.derive(key, salt: salt, .subkey("token"), context: lengthPrefixed(token)), to: &scan)
        }
        let header = try EncryptedFileHeader(reading: try OpenFile(reading: file))
        let keys = try FileKeySource(unlocked.keys)
        Self.add("subkey of files", try keys.subkey(header.epoch), to: &scan)
        Self.add("key of a file", try ChunkCipher.key(of: header, context: [], keys: keys), to: &scan)
    }

    private static func add(_ name: String, _ key: SecretBytes, to scan: inout MemoryScan) {
        key.withUnsafeBytes { scan.look(for: name, $0) }
    }
}
