import SecretMemory

/// A change of the key file that is ready to be written.
struct KeyFileChange {
    var file: KeyFile
    /// The MainKey under which the new file is written; another than before only after a rekey.
    var secrets: MainKeySecrets
    /// The counter that moves when the change becomes final.
    var advancing: UInt32?
    /// The authorisation to move it; the key file's MainKey made it.
    var counterAuthorisation: SecretBytes?
    /// The change of the items that goes with it; nil for none.
    var items: ItemChange?
}
