import SecretMemory

/// A MainKey, with the keys that are derived from it. It encrypts no data, only the keys of epochs.
package struct MainKeySecrets: Sendable {
    static let idByteCount = 16

    let vault: VaultID
    package let mainKey: SecretBytes
    /// The identifier by which the file names the MainKey.
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

    /// The authorisation to move the TPM's counter: only an unlocked vault has it.
    package func counterAuthorisation() throws(MainKeyError) -> SecretBytes {
        try HMACSHA256.derive(mainKey, salt: vault.bytes, .counterAuthorisation)
    }

    /// The key that authenticates the list of indices that may be removed from the TPM.
    func indexJournalKey() throws(MainKeyError) -> SecretBytes {
        try HMACSHA256.derive(mainKey, salt: vault.bytes, .indexJournal)
    }
}
