import BasicFoundation
import MainKey

/// What a program needs of a vault that stays open while the person does other things.
extension Vault {
    /// Whether what opens the vault for seeds is in memory.
    package var isUnlocked: Bool { key?.isConfirmed ?? true }

    /// Tells from now on whether somebody has asked to lock the vault since. The time of autolock is not meant, which
    /// runs while a person writes down what is shown.
    package func lockRequested() -> () -> Bool {
        guard let engine = key?.engine else { return { false } }
        let before = engine.lockRequests
        return { engine.lockRequests != before }
    }

    /// Locks the vault for this program alone.
    package func lock() {
        database.forgetKeys()
        key?.engine.lock()
    }

    /// Whether a person has to type something to open the vault in a folder.
    package static func asksPerson(in folder: URL, opening: OpenOptions) throws -> Bool {
        try openingStatus(of: folder, opening: opening).ways.allSatisfy { !["none", "tpm"].contains($0.kind) }
    }

    /// What can be said of the ways to open a vault without any secret.
    package static func openingStatus(of folder: URL, opening: OpenOptions) throws -> VaultStatus {
        try VaultKey.look(at: folder, Unlocking(opening) { _ in throw SignerError.vaultKey(.locked) }).status()
    }

    /// Makes sure that a person can open the vault now, whatever is open already. A wrong credential is counted.
    package func authenticate() throws { try key?.authenticate() }

    /// Brings what was noted of the network while the vault was closed into its log.
    package func takeUpEncounters() throws { try logWaitingEncounters() }

    /// The files that were opened, told apart from others of their names.
    struct Place: Equatable, Sendable {
        private var numbers: [[UInt64]]

        /// - Throws: ``SignerError/storageUnavailable(path:reason:)`` where one of them is gone.
        init(of vault: URL) throws {
            numbers = try ["vault.sqlite", "lock"].map { name in
                let file = vault.appending(path: name)
                do {
                    let facts = try FileManager.default.attributesOfItem(atPath: file.path)
                    return [.systemNumber, .systemFileNumber].map { facts[$0] as? UInt64 ?? 0 }
                } catch {
                    throw SignerError.storageUnavailable(path: file.path, reason: error.reasonOfSystem)
                }
            }
        }
    }

    /// Makes sure that the files are still those that were opened: what is written into files that were replaced would
    /// be lost without a word.
    ///
    /// - Throws: ``SignerError/storageUnavailable(path:reason:)``.
    package func checkPlace() throws {
        guard let place else { return }
        guard try Place(of: folder) == place else {
            throw SignerError.storageUnavailable(
                path: folder.path,
                reason:
                    "its files were replaced while it was open. It is locked; open it again to see what is there now")
        }
    }
}

extension VaultKey {
    /// Makes sure that the person knows what opens the vault, now. Nothing is asked where nothing would be.
    func authenticate() throws {
        guard try status().ways.allSatisfy({ !["none", "tpm"].contains($0.kind) }) else { return }
        let typed = try ask(.protections)
        try trying(typed) { try engine.verify(typed.credential) }
    }
}
