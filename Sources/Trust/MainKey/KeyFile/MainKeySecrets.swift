import CSodium
import SecretMemory

/// A MainKey, with the keys that are derived from it. It encrypts no data, only the keys of epochs.
package struct MainKeySecrets: Sendable {
    static let idByteCount = 16

    let vault: VaultID
    package let mainKey: SecretBytes
    /// What names the MainKey in the file.
    package let id: [UInt8]
    package let fileCode: SecretBytes
    package let epochWrapping: SecretBytes

    package init(_ mainKey: SecretBytes, vault: VaultID) throws(MainKeyError) {
        self.vault = vault
        self.mainKey = mainKey
        let pseudorandom = try HMACSHA256.extract(salt: vault.bytes, mainKey)
        let id = try HMACSHA256.expand(pseudorandom, .keyID, context: [], count: Self.idByteCount)
        self.id = id.withUnsafeBytes { Array($0) }
        fileCode = try HMACSHA256.expand(pseudorandom, .fileCode, context: [])
        epochWrapping = try HMACSHA256.expand(pseudorandom, .epochWrapping, context: [])
    }

    static func random(vault: VaultID) throws(MainKeyError) -> MainKeySecrets {
        try MainKeySecrets(try secret { try SecretBytes.drawn(count: AEAD.keyByteCount) }, vault: vault)
    }

    /// What authorises moving the TPM's counter: nobody but an unlocked vault can.
    package func counterAuthorisation() throws(MainKeyError) -> SecretBytes {
        try HMACSHA256.derive(mainKey, salt: vault.bytes, .counterAuthorisation)
    }

    /// What authenticates the list of indices that may be removed from the TPM.
    func indexJournalKey() throws(MainKeyError) -> SecretBytes {
        try HMACSHA256.derive(mainKey, salt: vault.bytes, .indexJournal)
    }
}
