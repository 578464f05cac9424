import HardwareKeys

/// Lists the TPM's indices of one change of a vault before the change can be final. Its owner holds the exclusive lock.
///
/// An index is listed when it was made, and not before: nothing in an index tells whose it is, and in between another
/// vault might take the handle. A process that is killed between the two, within milliseconds, leaves the index behind.
final class IndexJournalWriter {
    private let indices: VaultIndices
    private let keys: [MainKeySecrets]
    private var journal: IndexJournal

    /// - Parameters:
    ///   - file: the key file that the change starts from.
    ///   - secrets: those of the vault before the change.
    ///   - new: those of the vault afterwards, if they are others.
    init(
        _ indices: VaultIndices, from file: KeyFile, under secrets: MainKeySecrets, and new: MainKeySecrets? = nil
    ) throws(MainKeyError) {
        self.indices = indices
        keys = [secrets] + (new.map { [$0] } ?? [])
        // What an earlier change left is still to be removed.
        journal = try indices.store.directory.indexJournal(under: secrets, of: file) ?? IndexJournal()
        for entry in try VaultIndices.indexEntries(of: file) { journal.add(entry) }
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
    func takeBack() { indices.removeListed(under: keys[0]) }
}
