import BasicFoundation
import Files

/// Cleartext of encrypted files for programs that read files only (`mainkey` section 23).
extension MainKeyVault {
    /// Decrypts a file into memory-backed storage for the time of `body`. It is emptied and removed when `body` ends,
    /// when the vault is locked, when the process ends, and, if it was killed, when the vault is opened again.
    ///
    ///     try vault.withCleartext(of: "letter.mkf", named: "letter.pdf") { show($0.url) }
    ///
    /// - Parameters:
    ///   - context: what the file was bound to when it was encrypted.
    ///   - name: for programs that want a path or go by what follows the last dot; nil for a file without a name, which
    ///     reaches others by its descriptor only.
    /// - Throws: `noSecureTemp` where no place of this user lies in memory; `locked`, also where the vault is locked
    ///   before the file is whole; what ``UnlockedVault/decryptFile(at:to:context:progress:)`` throws, and what `body`
    ///   throws.
    public func withCleartext<R>(
        of path: String, context: [UInt8] = [], named name: String? = nil,
        _ body: (borrowing CleartextFile) throws -> R
    ) throws -> R {
        // Before the vault is found unlocked, so that no lock is missed.
        let (files, removals) = (memory.cleartext, memory.cleartext.removals)
        return try withUnlocked { vault in
            let sealed = try vault.fresh(path)
            let clear =
                if let name {
                    try files.makeNamed(name, since: removals)
                } else {
                    try files.makeUnnamed(since: removals)
                }
            // The keys outlive a lock by the time in which something ends. What is written behind it nobody removes.
            var keys = try vault.fileKeys
            keys.isRevoked = { [isRevoked = keys.isRevoked] in isRevoked() || files.removals != removals }
            try FileDecryption(keys: keys, context: context).expecting(sealed)
                .run(from: sealed.source, to: OpenFile(borrowing: clear.fileDescriptor, named: "cleartext"))
            guard files.removals == removals else { throw MainKeyError.locked }
            guard lseek(clear.fileDescriptor, 0, SEEK_SET) == 0 else {
                throw MainKeyError.system(clear.url.path, failure: "it cannot be read from its start")
            }
            return try body(clear)
        }
    }
}
