import SecretMemory

/// What the account remembers of one vault outside its folder.
struct RememberedVault: Sendable {
    /// Where a vault is that is remembered.
    enum Place {
        /// The vault stays in the folder that it was opened in.
        case here
        case folder(String)
        /// The vault is being made, and gets another place.
        case unsettled
    }

    private let known: KnownVaults?
    private let path: String
    private let changesNothing: Bool
    private let hub: EventHub

    init(_ known: KnownVaults?, of store: VaultStore, hub: EventHub) {
        self.known = known
        path = store.path
        changesNothing = store.changesNothing
        self.hub = hub
    }

    /// Remembers whether a vault asks for something. That it cannot be is told, and nothing fails by it.
    func note(_ file: KeyFile, _ place: Place = .here) {
        guard !changesNothing else { return }
        let folder: String? =
            switch place {
            case .here: path
            case .folder(let path): path
            case .unsettled: nil
            }
        do throws(MainKeyError) {
            try known?.remember(file.vault, at: folder, asksForSomething: file.slots(of: .none).isEmpty)
        } catch {
            hub.post(.hardwareLeftover("what this vault asks for cannot be remembered outside of it (\(error))"))
        }
    }

    /// Refuses a vault that opens by itself where one asked for something before: somebody may have put their own in
    /// its place, to be given what is stored from now on.
    ///
    /// - Throws: `tampered`; `io` if it cannot be told.
    func check(_ file: KeyFile) throws(MainKeyError) {
        guard !file.slots(of: .none).isEmpty, let note = try known?.protectionNote(of: file.vault, at: path) else {
            return
        }
        throw .tampered(
            reason:
                "the vault in \(path) asked for a PIN or hardware before, and what is there now opens by itself. If you "
                + "know why, remove \(note), which remembers it")
    }

    /// What lists the indices of a vault that is being made; nil where this account keeps nothing.
    func indexJournal(
        _ indices: VaultIndices, making secrets: MainKeySecrets
    ) throws(MainKeyError) -> IndexJournalWriter? {
        try IndexJournalWriter(indices, making: secrets, known)
    }

    /// Removes from the TPM what was made for a vault of this folder that was not finished.
    func removeUnfinished(_ indices: VaultIndices) { indices.removeUnfinished(known) }

    func forget(_ file: KeyFile) { try? known?.forget(file.vault, at: path) }

    /// The key that signs the mark of a wipe. A wipe goes on without it: only its process can finish it then, or
    /// somebody who asks for it by name.
    func wipeKey() -> SecretBytes? {
        do throws(MainKeyError) { return try known?.wipeKey(.creating) } catch {
            hub.post(.hardwareLeftover("the wipe cannot be signed; if it is interrupted, ask for it again (\(error))"))
            return nil
        }
    }
}
