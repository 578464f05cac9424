import KnownAnswers
import MainKey
import SecretMemory

/// The vault and epoch keys that the answers of a file are made with.
struct KnownKeys {
    let vault: VaultID
    let byEpoch: [UInt32: SecretBytes]

    init(_ content: JSON) throws {
        guard let vault = VaultID(content["vaultID"].hex ?? []) else { throw RowError.missing("vaultID") }
        self.vault = vault
        byEpoch = try Self.keys(content["epochKeys"])
        if byEpoch.isEmpty { throw RowError.missing("epochKeys") }
    }

    /// Keys in hex by the number of their epoch.
    static func keys(_ json: JSON) throws -> [UInt32: SecretBytes] {
        var keys: [UInt32: SecretBytes] = [:]
        for (epoch, key) in json.object {
            guard let number = UInt32(epoch), let bytes = key.hex else {
                throw RowError.missing("the key of epoch \(epoch)")
            }
            keys[number] = try SecretBytes(copying: bytes)
        }
        return keys
    }

    /// - Parameter active: nil for the newest.
    func open(active: UInt32? = nil) throws -> EpochKeys {
        guard let active = active ?? byEpoch.keys.max(), byEpoch[active] != nil else {
            throw RowError.missing("the key of epoch \(active ?? 0)")
        }
        return EpochKeys(byEpoch, active: active, vault: vault)
    }
}
