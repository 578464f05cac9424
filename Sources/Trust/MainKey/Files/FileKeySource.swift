import SecretMemory

/// What an unlocked vault gives for files.
package struct FileKeySource {
    /// The epoch that new files are written in.
    var activeEpoch: UInt32
    /// The file subkey of an epoch; throws ``MainKeyError/unknownEpoch(_:)`` for one that is not held.
    var subkey: (_ epoch: UInt32) throws(MainKeyError) -> SecretBytes
    /// Whether the vault was locked meanwhile. It is asked before each piece, so that a long run ends soon.
    var isRevoked: () -> Bool = { false }
    /// Takes note of what is to be destroyed when the vault locks; throws `locked` if it was locked meanwhile.
    var onRevocation: (ReaderMemory) throws(MainKeyError) -> Void = { _ in }

    func checkNotRevoked() throws(MainKeyError) {
        if isRevoked() { throw .locked }
    }
}

extension FileKeySource {
    /// The keys of an unlocked vault.
    package init(_ keys: EpochKeys) throws(MainKeyError) {
        self.init(
            activeEpoch: try keys.active,
            subkey: { (epoch) throws(MainKeyError) in try keys.fileKey(epoch: epoch) },
            isRevoked: { keys.isDestroyed },
            onRevocation: { (memory) throws(MainKeyError) in try keys.register(memory) })
    }
}
