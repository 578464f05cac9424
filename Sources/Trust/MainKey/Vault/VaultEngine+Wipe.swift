import Foundation
import HardwareKeys
import SecretMemory

extension VaultEngine {
    private static let wipeMagic = Array("MKW1".utf8)

    /// Destroys every key, so that no data of the vault can be opened by anybody, and then what is left of the vault
    /// (`mainkey` section 16). A crash anywhere is finished at the next opening.
    ///
    /// - Parameter data: folders and files of the application to remove too.
    package func wipe(data: [String] = []) throws(MainKeyError) {
        try exclusively { () throws(MainKeyError) in
            let lock = try HeldLock(.exclusive, of: directory, patience: options.lockTimeout)
            defer { withExtendedLifetime(lock) {} }
            try wipeLocked(data: data)
        }
    }

    /// The caller holds the exclusive lock.
    func wipeLocked(data: [String]) throws(MainKeyError) {
        let secrets = state.withLock { $0.unlocked?.secrets }
        let file = state.withLock { $0.file }
        CrashPoint.reach("wipe.1")
        try directory.files.write(Self.wipeMagic + file.vault.bytes, to: Name.wipe)
        CrashPoint.reach("wipe.2")
        lock(.wiped)
        itemCache.removeAll()
        CrashPoint.reach("wipe.3")
        // With the key at hand the counter moves once more: copies of the vault die even if its index cannot be removed.
        if let secrets, case .tpm(let index, _) = file.anchor, let tpm = try? tpm(),
            let authorisation = try? secrets.counterAuthorisation()
        {
            _ = try? tpm.incrementCounter(index, auth: authorisation)
        }
        CrashPoint.reach("wipe.4")
        removeIndices((try? Self.indices(of: file).sorted()) ?? [])
        try Self.finishWipe(directory, tpm: nil)
        for path in data where FileManager.default.fileExists(atPath: path) {
            do { try FileManager.default.removeItem(atPath: path) } catch {
                throw .io(path: path, reason: "it cannot be removed: \(error.localizedDescription)")
            }
        }
        CrashPoint.reach("wipe.9")
    }

    /// What is left after the hardware: no step needs the ones before it to have been finished in this process.
    static func finishWipe(_ directory: VaultDirectory, tpm: TPMAddress?) throws(MainKeyError) {
        if let tpm, let bytes = try directory.files.read(Name.keyFile, limit: KeyFile.byteCounts.upperBound),
            let file = try? KeyFile(parsing: bytes), let indices = try? indices(of: file),
            let connection = try? TPM(at: tpm)
        {
            for index in indices { try? connection.undefine(index) }
        }
        CrashPoint.reach("wipe.5")
        try directory.files.overwriteAndRemove(Name.keyFile)
        CrashPoint.reach("wipe.6")
        try directory.files.overwriteAndRemove(Name.stagedKeyFile)
        try directory.files.overwriteAndRemove(Name.session)
        try FileItemStore(in: directory, service: VaultEngine.itemService).wipe()
        CrashPoint.reach("wipe.7")
        try directory.files.remove(Name.attempts)
        try directory.files.remove(Name.owner)
        CrashPoint.reach("wipe.8")
        try directory.files.remove(Name.wipe)
    }
}
