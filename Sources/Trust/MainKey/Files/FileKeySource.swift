import SecretMemory

/// What a file in work has in memory that must not outlive the lock, or the key of its epoch.
protocol Revocable: AnyObject, Sendable {
    /// Zeroises it, from any thread.
    ///
    /// - Parameter ending: what using it throws from now on.
    func revoke(_ ending: MainKeyError)
}

/// What an unlocked vault gives for files.
package struct FileKeySource {
    /// The epoch that new files are written in.
    var activeEpoch: UInt32
    /// The file subkey of an epoch; throws ``MainKeyError/unknownEpoch(_:)`` for one that is not held.
    var subkey: (_ epoch: UInt32) throws(MainKeyError) -> SecretBytes
    /// Whether the vault was locked meanwhile. It is asked before each piece, so that a long run ends soon.
    var isRevoked: () -> Bool = { false }
    /// Whether the key of an epoch is still held, likewise: a rotation may have dropped it.
    var isHeld: (_ epoch: UInt32) -> Bool = { _ in true }
    /// Takes note of what is to be destroyed when the vault locks or drops the epoch; throws what ``check(_:)`` does if
    /// that was so meanwhile.
    var onRevocation: (any Revocable, _ epoch: UInt32) throws(MainKeyError) -> Void = { _, _ in }

    /// - Throws: `locked`; `unknownEpoch` if a rotation dropped the epoch.
    func check(_ epoch: UInt32) throws(MainKeyError) {
        if isRevoked() { throw .locked }
        if !isHeld(epoch) { throw .unknownEpoch(epoch) }
    }
}

extension FileKeySource {
    /// The keys of an unlocked vault.
    package init(_ keys: EpochKeys) throws(MainKeyError) {
        self.init(
            activeEpoch: try keys.active,
            subkey: { (epoch) throws(MainKeyError) in try keys.fileKey(epoch: epoch) },
            isRevoked: { keys.isDestroyed },
            isHeld: { keys.isHeld($0) },
            onRevocation: { (memory, epoch) throws(MainKeyError) in try keys.register(memory, of: epoch) })
    }
}
