import BigEndian
import CSodium
import HardwareKeys
import SecretMemory

/// The file `indices.mk`: what a change of the vault may leave behind in the TPM when its process is killed. It lists
/// every index that the change has made, and those that the key file of before depends on, so that the next
/// unlocking of the vault can tell which of them nothing depends on any more.
///
///     "MKN2" | vault ID 16 | count 1 | for each index: Name of the TPM's storage key 34, handle u32, value u64
///            | count 1 | for each MainKey: its ID 16, code 32
///
/// The value is that of a counter when it was listed, 0 for a PIN index, and 2^64 - 1 for an index of either kind that
/// is about to be made. A code is the HMAC-SHA-256 of all before the second count, under a key that is derived from a
/// MainKey. A rekey authenticates the list with the old MainKey and the new one, for either may be the vault's when the
/// process is killed; the making of a vault with the new one and with a key of the account (``IndexJournalKey``).
///
/// As long as an index is about to be made under a new MainKey, it is "MKN3", and behind each code 32 bytes follow:
/// what counting takes of that MainKey's counter, exclusive-or with the HMAC-SHA-256, under the same key, of all before
/// the second count and the IDs of all MainKeys.
///
/// "MKN1" had no storage keys: handles and values are alike in all TPMs, so that such a list is taken for one of the
/// key file's TPM only if it lists the key file's counter, and is of no use else.
struct IndexJournal: Equatable {
    /// Where an index is. In another TPM the same handle is somebody else's.
    struct Place: Hashable {
        /// The Name of the TPM's storage key.
        let storageKey: [UInt8]
        let index: UInt32
    }

    struct Entry: Hashable {
        let place: Place
        /// What a counter had when it was listed: no other counter of its TPM ever has it. Nil for a PIN index.
        let counterValue: UInt64?

        /// In the place of a value that no counter has: the index was about to be made, and may never have been. What
        /// has its handle now is not taken for it, unless nothing was written to that, or it counts as that would.
        private static let intention = UInt64.max

        static func intended(_ place: Place) -> Entry { Entry(place: place, counterValue: intention) }

        var isIntended: Bool { counterValue == Self.intention }

        /// Whether this is the counter of `other`, or one step behind it.
        fileprivate func leads(to other: Entry) -> Bool {
            guard place.index == other.place.index, let counterValue, let value = other.counterValue else {
                return false
            }
            return value == counterValue || value == counterValue &+ 1
        }
    }

    private static let magic = Array("MKN2".utf8)
    private static let firstMagic = Array("MKN1".utf8)
    private static let intendingMagic = Array("MKN3".utf8)
    private static let firstEntryByteCount = 12
    private static let entryByteCount = TPMIdentity.nameByteCount + firstEntryByteCount
    private static let codeByteCount = MainKeySecrets.idByteCount + HMACSHA256.byteCount
    /// The most entries of a list: more than a vault can leave behind before its next change finds it.
    static let entryLimit = 64
    static let byteLimit = magic.count + VaultID.byteCount + 2 + entryLimit * entryByteCount + 2 * codeByteCount
    /// How many bytes are read.
    fileprivate static let readLimit = byteLimit + 2 * HMACSHA256.byteCount

    private(set) var entries: [Entry] = []
    /// What counting takes of a counter that is about to be made under a new MainKey; nil where there is none. It opens
    /// nothing: who has it can count, so that the counter's vault needs its recovery code.
    var authorisation: [UInt8]?

    init(_ entries: [Entry] = []) {
        for entry in entries { add(entry) }
    }

    /// Lists an index, in place of one that had its handle before.
    mutating func add(_ entry: Entry) {
        entries.removeAll { $0.place == entry.place }
        entries = entries.suffix(Self.entryLimit - 1) + [entry]
    }

    mutating func remove(_ entry: Entry) { entries.removeAll { $0 == entry } }

    /// The same list with some of its entries alone.
    func keeping(_ kept: [Entry]) -> IndexJournal {
        var journal = self
        journal.entries = kept
        return journal
    }

    func bytes(under keys: [IndexJournalKey]) throws(MainKeyError) -> [UInt8] {
        guard let vault = keys.first?.vault else { throw .internalFailure(reason: "nothing authenticates the list") }
        let authorisation = entries.contains(where: \.isIntended) ? self.authorisation : nil
        var listed = (authorisation == nil ? Self.magic : Self.intendingMagic) + vault.bytes + [UInt8(entries.count)]
        for entry in entries {
            listed += entry.place.storageKey
            listed += [UInt8](bigEndian: entry.place.index) + [UInt8](bigEndian: entry.counterValue ?? 0)
        }
        var bytes = listed + [UInt8(keys.count)]
        let ids = keys.flatMap(\.id)
        for key in keys {
            bytes += key.id + HMACSHA256.code(key: key.key, [listed])
            if let authorisation { bytes += Self.masked(authorisation, by: key, [listed, ids]) }
        }
        return bytes
    }

    /// Masks an authorisation, or takes its mask off.
    private static func masked(_ bytes: [UInt8], by key: IndexJournalKey, _ parts: [[UInt8]]) -> [UInt8] {
        zip(bytes, HMACSHA256.code(key: key.key, parts)).map { $0 ^ $1 }
    }

    /// - Parameter own: what the key file depends on: it tells which TPM a list of the first version is of.
    /// - Returns: nil for what was not written under this key, or was changed.
    static func verified(
        _ bytes: [UInt8], under key: IndexJournalKey, besides own: [Entry]
    ) throws(MainKeyError) -> IndexJournal? {
        var reader = ByteReader(bytes[...])
        let isFirst = bytes.starts(with: firstMagic)
        let isIntending = bytes.starts(with: intendingMagic)
        let head = (isFirst ? firstMagic : isIntending ? intendingMagic : magic) + key.vault.bytes
        guard reader.remaining > head.count, reader.array(head.count) == head else { return nil }
        let count = Int(reader.integer(UInt8.self))
        let byteCount = isFirst ? firstEntryByteCount : entryByteCount
        guard count <= entryLimit, reader.remaining > count * byteCount else { return nil }
        var journal = IndexJournal()
        for _ in 0..<count {
            let storageKey = isFirst ? [] : reader.array(TPMIdentity.nameByteCount)
            let place = Place(storageKey: storageKey, index: reader.integer(UInt32.self))
            let value = reader.integer(UInt64.self)
            journal.entries.append(Entry(place: place, counterValue: value == 0 ? nil : value))
        }
        let listed = Array(bytes.prefix(reader.offset))
        let codes = Int(reader.integer(UInt8.self))
        guard reader.remaining == codes * (codeByteCount + (isIntending ? HMACSHA256.byteCount : 0)) else { return nil }
        let code = HMACSHA256.code(key: key.key, [listed])
        var ids: [UInt8] = []
        var masked: [UInt8]?
        for _ in 0..<codes {
            let id = reader.array(MainKeySecrets.idByteCount)
            let found = reader.array(HMACSHA256.byteCount)
            let authorisation = isIntending ? reader.array(HMACSHA256.byteCount) : []
            ids += id
            if id == key.id, sodium_memcmp(found, code, code.count) == 0 { masked = masked ?? authorisation }
        }
        guard let masked else { return nil }
        // Nothing covers the mask: what comes of another one counts nowhere.
        if isIntending { journal.authorisation = Self.masked(masked, by: key, [listed, ids]) }
        return isFirst ? journal.attributed(by: own) : journal
    }

    /// A list of the first version with the storage key of the counter that the key file depends on; empty if it does
    /// not list that.
    private func attributed(by own: [Entry]) -> IndexJournal {
        let counter = own.first { counter in entries.contains { $0.leads(to: counter) } }
        guard let storageKey = counter?.place.storageKey else { return IndexJournal() }
        var journal = IndexJournal()
        journal.entries = entries.map {
            Entry(place: Place(storageKey: storageKey, index: $0.place.index), counterValue: $0.counterValue)
        }
        return journal
    }
}

/// What authenticates a list: a MainKey; and as long as the vault has no key file by which that could be had, a key
/// that the account keeps outside of every vault.
struct IndexJournalKey {
    let vault: VaultID
    fileprivate let id: [UInt8]
    fileprivate let key: SecretBytes

    init(_ secrets: MainKeySecrets) throws(MainKeyError) {
        (vault, id, key) = (secrets.vault, secrets.id, try secrets.indexJournalKey())
    }

    /// - Parameter key: that which signs wipes.
    init(ofAccount key: SecretBytes, making vault: VaultID) throws(MainKeyError) {
        self.vault = vault
        id = [UInt8](repeating: 0, count: MainKeySecrets.idByteCount)
        self.key = try HMACSHA256.derive(key, salt: vault.bytes, .indexJournal)
    }
}

extension VaultDirectory {
    /// - Parameter own: what the vault's key file depends on.
    /// - Returns: nil if there is none, or none that this key has authenticated.
    func indexJournal(
        under key: IndexJournalKey, besides own: [IndexJournal.Entry]
    ) throws(MainKeyError) -> IndexJournal? {
        guard let bytes = try files.read(Name.indexJournal, limit: IndexJournal.readLimit) else { return nil }
        return try IndexJournal.verified(bytes, under: key, besides: own)
    }

    /// The vault that a list says it is of, which nobody has authenticated yet.
    var vaultOfIndexJournal: VaultID? {
        get throws(MainKeyError) {
            try files.read(Name.indexJournal, limit: IndexJournal.readLimit).flatMap { bytes in
                VaultID(Array(bytes.dropFirst(4).prefix(VaultID.byteCount)))
            }
        }
    }

    /// Whether there is one, of whomever.
    var hasIndexJournal: Bool { (try? files.read(Name.indexJournal, limit: IndexJournal.readLimit)) != nil }

    /// Replaces it; an empty one is removed. What is written is on the disk when this returns.
    func write(_ journal: IndexJournal, under keys: [IndexJournalKey]) throws(MainKeyError) {
        guard journal.entries.isEmpty else {
            return try files.write(journal.bytes(under: keys), to: Name.indexJournal)
        }
        try files.remove(Name.indexJournal)
        try files.sync()
    }
}
