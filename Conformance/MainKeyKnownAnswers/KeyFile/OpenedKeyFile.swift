import MainKey
import SecretMemory

/// A key file that a credential has opened and that was found whole.
struct OpenedKeyFile {
    let file: KeyFile
    let secrets: MainKeySecrets
    let epochs: [UInt32: SecretBytes]

    /// Opens the first slot that takes the credential.
    ///
    /// - Parameter anchor: what the rollback anchor says; nil to leave it.
    init(_ bytes: [UInt8], with credential: KnownCredential, anchor: UInt64? = nil) throws(MainKeyError) {
        file = try KeyFile(parsing: bytes)
        var refusal = MainKeyError.noSuchSlot("this credential")
        var found: SecretBytes?
        for slot in file.slots {
            guard let parts = try credential.parts(for: slot) else { continue }
            do {
                found = try slot.open(parts, vault: file.vault, mainKeyID: file.mainKeyID)
                break
            } catch {
                guard case .wrongCredential = error else { throw error }
                refusal = error
            }
        }
        guard let found else { throw refusal }
        secrets = try MainKeySecrets(found, vault: file.vault)
        epochs = try file.verify(bytes, under: secrets)
        if let anchor { try file.verify(anchorValue: anchor) }
    }
}

extension [UInt32: SecretBytes] {
    /// The keys as known answers give them.
    var revealed: [UInt32: [UInt8]] { mapValues(\.revealed) }
}
