import BigEndian
import Files
import SecretMemory

/// What the self-tests look for. The keys themselves leave the room masked, inside the scan.
extension MainKeyVault {
    /// How many keys lie in the clear beside the vault.
    package func clearKeyItemCount() throws(MainKeyError) -> Int { try store.items.files.labels(access: .always).count }

    /// The name of the file that holds a token, as it appears in the steps of a commit.
    package static func itemFile(ofToken name: String) -> String {
        let number = FileItemStore.number(VaultItems.tokenPrefix + name, service: ListedItems.service)
        return FileItemStore.fileName(number)
    }

    /// The TPM's indices that the vault depends on.
    package func usedIndices() throws(MainKeyError) -> Set<UInt32> {
        Set(try VaultIndices.places(of: store.load().file).map(\.index))
    }

    /// Adds every key of the unlocked vault to a scan: the MainKey, those of the epochs, and what is made of them for
    /// these places.
    ///
    /// - Parameters:
    ///   - table: with `column`, a sealed and indexed column.
    ///   - token: the name of a token.
    ///   - file: the path of an encrypted file without context.
    ///   - asText: adds them as hex and base64 too, to search files.
    package func addKeys(
        to scan: inout MemoryScan, table: String, column: String, token: String, file: String, asText: Bool = false
    ) throws(MainKeyError) {
        func add(_ name: String, _ key: SecretBytes) {
            key.withUnsafeBytes { bytes in
                scan.look(for: name, bytes)
                if asText { scan.lookForText(of: name, bytes) }
            }
        }
        let (keyFile, unlocked) = try memory.unlocked()
        add("MainKey", unlocked.secrets.mainKey)
        for record in keyFile.epochs {
            let salt = keyFile.vault.bytes + [UInt8](bigEndian: record.epoch)
            let key = try record.open(under: unlocked.secrets)
            add("key of epoch \(record.epoch)", key)
            let names = try lengthPrefixed(table) + lengthPrefixed(column)
            add(
                "key of a column", try HMACSHA256.derive(key, salt: salt, .subkey("db-attr"), context: names))
            add(
                "key of a blind index", try HMACSHA256.derive(key, salt: salt, .subkey("db-index"), context: names))
            add(
                "key of a token",
                try HMACSHA256.derive(key, salt: salt, .subkey("token"), context: lengthPrefixed(token)))
        }
        let header = try EncryptedFileHeader(reading: try OpenFile(reading: file))
        let keys = try FileKeySource(unlocked.keys)
        add("subkey of files", try keys.subkey(header.epoch))
        add("key of a file", try ChunkCipher.key(of: header, context: [], keys: keys))
    }
}
