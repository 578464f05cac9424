internal import StrictJSON

/// What the JSON file holds.
struct KeyFileContent {
    var table = KeyTable()
    /// Entries that are no keys, kept so that they can be mended.
    var unreadable: [JSON.Member] = []
    var skipped = 0

    init() {}

    /// The member that holds banned accounts. It is no key's name, since that is Base64 of 32 bytes.
    static let bansName = "bannedAccounts"

    /// - Throws: `StoreError.corrupt` unless the bytes are a JSON object, or if its bans cannot be read: they would be
    ///   lost. An entry that is no key is skipped, and so is one that names a key a second time in another spelling.
    init(_ bytes: [UInt8], _ defaults: KeyFileEntry.Defaults) throws(StoreError) {
        let json: JSON
        do throws(JSONError) {
            json = try JSONReader(maximumDepth: 64, maximumBytes: KeyFile.maximumBytes).read(bytes)
        } catch {
            throw .corrupt("the key file is no JSON: \(error)")
        }
        guard case .object(let members) = json else { throw .corrupt("the key file is no JSON object") }
        for member in members {
            if member.name == Self.bansName {
                try readBans(member.value)
                continue
            }
            guard let entry = KeyFileEntry(name: member.name, value: member.value, defaults: defaults) else {
                unreadable.append(member)
                skipped += 1
                continue
            }
            guard table[entry.key.id] == nil else {
                skipped += 1
                continue
            }
            table.insert(entry.key, others: entry.others)
        }
    }

    private mutating func readBans(_ value: JSON) throws(StoreError) {
        guard case .object(let members) = value else { throw .corrupt("\(Self.bansName) is no JSON object") }
        for (index, member) in members.enumerated() {
            guard let account = AccountTag(hex: member.name),
                let at = member.value["bannedAt"]?.string.flatMap({ Timestamp(rfc3339: $0) }),
                let reason = member.value["reason"]?.string
            else { throw .corrupt("entry \(index + 1) of \(Self.bansName) is no ban of an account") }
            _ = table.ban(AccountBan(account: account, at: at, reason: reason))
        }
    }
}
