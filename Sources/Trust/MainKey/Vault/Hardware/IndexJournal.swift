import BigEndian
import CSodium
import SecretMemory

/// The file `indices.mk`: what a change of the vault may leave behind in the TPM when its process is killed. It lists
/// every index that the change has made, and those that the key file of before depends on, so that the next
/// unlocking of the vault can tell which of them nothing depends on any more.
///
///     "MKN1" | vault ID 16 | count 1 | for each index: handle u32, value u64
///            | count 1 | for each MainKey: its ID 16, code 32
///
/// The value is that of a counter when it was listed, and 0 for a PIN index. A code is the HMAC-SHA-256 of all before
/// the second count, under a key that is derived from a MainKey. A rekey authenticates the list with the old MainKey
/// and the new one, for either may be the vault's when the process is killed.
struct IndexJournal: Equatable {
    struct Entry: Hashable {
        let index: UInt32
        /// What a counter had when it was listed: no other counter of this TPM ever has it. Nil for a PIN index.
        let counterValue: UInt64?
    }

    private static let magic = Array("MKN1".utf8)
    private static let entryByteCount = 12
    private static let codeByteCount = MainKeySecrets.idByteCount + HMACSHA256.byteCount
    /// The most entries of a list: more than a vault can leave behind before its next change finds it.
    static let entryLimit = 64
    static let byteLimit = magic.count + VaultID.byteCount + 2 + entryLimit * entryByteCount + 2 * codeByteCount

    private(set) var entries: [Entry] = []

    /// Lists an index, in place of one that had its handle before.
    mutating func add(_ entry: Entry) {
        entries.removeAll { $0.index == entry.index }
        entries = entries.suffix(Self.entryLimit - 1) + [entry]
    }

    func bytes(under keys: [MainKeySecrets]) throws(MainKeyError) -> [UInt8] {
        guard let vault = keys.first?.vault else { throw .internalFailure(reason: "nothing authenticates the list") }
        var listed = Self.magic + vault.bytes + [UInt8(entries.count)]
        for entry in entries { listed += [UInt8](bigEndian: entry.index) + [UInt8](bigEndian: entry.counterValue ?? 0) }
        var bytes = listed + [UInt8(keys.count)]
        for secrets in keys { bytes += secrets.id + HMACSHA256.code(key: try secrets.indexJournalKey(), [listed]) }
        return bytes
    }

    /// - Returns: nil for what was not written under this MainKey, or was changed.
    static func verified(_ bytes: [UInt8], under secrets: MainKeySecrets) throws(MainKeyError) -> IndexJournal? {
        var reader = ByteReader(bytes[...])
        let head = magic + secrets.vault.bytes
        guard reader.remaining > head.count, reader.array(head.count) == head else { return nil }
        let count = Int(reader.integer(UInt8.self))
        guard count <= entryLimit, reader.remaining > count * entryByteCount else { return nil }
        var journal = IndexJournal()
        for _ in 0..<count {
            let index = reader.integer(UInt32.self)
            let value = reader.integer(UInt64.self)
            journal.entries.append(Entry(index: index, counterValue: value == 0 ? nil : value))
        }
        let listed = Array(bytes.prefix(reader.offset))
        let codes = Int(reader.integer(UInt8.self))
        guard reader.remaining == codes * codeByteCount else { return nil }
        let code = HMACSHA256.code(key: try secrets.indexJournalKey(), [listed])
        for _ in 0..<codes {
            let id = reader.array(MainKeySecrets.idByteCount)
            let found = reader.array(HMACSHA256.byteCount)
            if id == secrets.id, sodium_memcmp(found, code, code.count) == 0 { return journal }
        }
        return nil
    }
}

extension VaultDirectory {
    /// - Returns: nil if there is none, or none that this MainKey has authenticated.
    func indexJournal(under secrets: MainKeySecrets) throws(MainKeyError) -> IndexJournal? {
        guard let bytes = try files.read(Name.indexJournal, limit: IndexJournal.byteLimit) else { return nil }
        return try IndexJournal.verified(bytes, under: secrets)
    }

    /// Replaces it; an empty one is removed. What is written is on the disk when this returns.
    func write(_ journal: IndexJournal, under keys: [MainKeySecrets]) throws(MainKeyError) {
        guard journal.entries.isEmpty else {
            return try files.write(journal.bytes(under: keys), to: Name.indexJournal)
        }
        try files.remove(Name.indexJournal)
        try files.sync()
    }
}
