import AppAttest
import GateRules
import StrictJSON

/// What the JSON file holds.
struct KeyFileContent {
    var table = KeyTable()
    /// Entries that are no keys, for whoever can mend them.
    var unreadable: [JSON.Member] = []
    var skipped = 0

    init() {}

    /// - Throws: `StoreError.corrupt` unless the bytes are a JSON object. An entry that is no key is skipped, and so is one
    ///   that names a key a second time in another spelling.
    init(_ bytes: [UInt8], _ defaults: KeyFileEntry.Defaults) throws(StoreError) {
        let json: JSON
        do throws(JSONError) {
            json = try JSONReader(maximumDepth: 64, maximumBytes: KeyFile.maximumBytes).read(bytes)
        } catch {
            throw .corrupt("the key file is no JSON: \(error)")
        }
        guard case .object(let members) = json else { throw .corrupt("the key file is no JSON object") }
        for member in members {
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
}
