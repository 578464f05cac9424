import HardwareKeys

/// Lists the TPM's indices of one change of a vault before the change can be final. Its owner holds the exclusive lock.
///
/// An index is listed when it was made, and not before: nothing in an index tells whose it is, and in between another
/// vault might take the handle. A process that is killed between the two, within milliseconds, leaves the index behind.
final class IndexJournalWriter {
    private let indices: VaultIndices
    private let keys: [IndexJournalKey]
    private let takesBack: () -> Void
    private var journal: IndexJournal

    /// - Parameters:
    ///   - file: the key file that the change starts from.
    ///   - secrets: those of the vault before the change.
    ///   - new: those of the vault afterwards, if they are others.
    init(
        _ indices: VaultIndices, from file: KeyFile, under secrets: MainKeySecrets, and new: MainKeySecrets? = nil
    ) throws(MainKeyError) {
        self.indices = indices
        let key = try IndexJournalKey(secrets)
        keys = [key] + (try new.map { (new) throws(MainKeyError) in [try IndexJournalKey(new)] } ?? [])
        takesBack = { indices.removeListed(under: secrets) }
        let own = try VaultIndices.indexEntries(of: file)
        // What an earlier change left is still to be removed.
        journal = try indices.store.directory.indexJournal(under: key, besides: own) ?? IndexJournal()
        for entry in own { journal.add(entry) }
    }

    /// The list of a vault that is being made.
    ///
    /// - Parameter known: whose key authenticates it until there is a key file.
    /// - Returns: nil where that cannot be had, and nobody could tell afterwards whose the indices are.
    init?(_ indices: VaultIndices, making secrets: MainKeySecrets, _ known: KnownVaults?) throws(MainKeyError) {
        guard let account = (try? known?.wipeKey(.creating)) ?? nil else { return nil }
        self.indices = indices
        keys = [try IndexJournalKey(ofAccount: account, making: secrets.vault), try IndexJournalKey(secrets)]
        takesBack = { indices.removeUnfinished(known) }
        journal = IndexJournal()
    }

    /// Lists an index that was just made.
    func add(_ entry: IndexJournal.Entry) throws(MainKeyError) {
        journal.add(entry)
        try write()
        CrashPoint.reach("indices.listed")
    }

    /// Lists what the key file of before depends on, for a change that makes some of it obsolete.
    func write() throws(MainKeyError) { try indices.store.directory.write(journal, under: keys) }

    /// Removes what was made for a change that cannot become final any more.
    func takeBack() { takesBack() }
}
