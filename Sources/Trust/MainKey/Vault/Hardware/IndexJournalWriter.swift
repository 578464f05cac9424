import HardwareKeys

/// Lists the TPM's indices of one change of a vault before the change can be final. Its owner holds the exclusive lock.
///
/// An index is listed as intended before it is made, and as made before anything depends on it. Nothing in an index
/// tells whose it is, and another vault might take the handle in between. So what is only intended is removed as long
/// as nothing was written to it; and a counter, whose value is known when it was written to, where it counts as one of
/// the new MainKey does, which nobody else has had. Under the old one a copy of the vault may have a counter there by
/// now. A PIN index is listed as made before it is written to.
final class IndexJournalWriter {
    private let indices: VaultIndices
    private let keys: [IndexJournalKey]
    private let takesBack: () -> Void
    private var journal: IndexJournal
    /// What was listed last as about to be made, until it is made.
    private var intention: IndexJournal.Entry?
    /// Why an index could not be listed while the TPM made it, which says no more than that.
    private(set) var refusal: MainKeyError?

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
        journal.authorisation = try new?.counterAuthorisation().withUnsafeBytes { Array($0) }
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
        journal.authorisation = try secrets.counterAuthorisation().withUnsafeBytes { Array($0) }
    }

    /// Lists an index that is going to be made, in place of one that another process took first.
    func intend(_ index: UInt32, in tpm: TPM) throws(HardwareKeyError) {
        try noting { () throws(MainKeyError) in
            if let intention { journal.remove(intention) }
            let entry = IndexJournal.Entry.intended(try Self.place(of: index, in: tpm))
            journal.add(entry)
            intention = entry
            try write()
        }
        CrashPoint.reach("indices.intended")
    }

    /// Lists an index that was made.
    ///
    /// - Parameter counterValue: nil for a PIN index.
    func add(_ index: UInt32, counterValue: UInt64?, in tpm: TPM) throws(HardwareKeyError) {
        try noting { () throws(MainKeyError) in
            let place = try Self.place(of: index, in: tpm)
            journal.add(IndexJournal.Entry(place: place, counterValue: counterValue))
            intention = nil
            try write()
        }
        CrashPoint.reach("indices.listed")
    }

    private static func place(of index: UInt32, in tpm: TPM) throws(MainKeyError) -> IndexJournal.Place {
        guard let storageKey = tpm.storageKeyName else {
            throw .internalFailure(reason: "an index was made in a TPM that is not known")
        }
        return IndexJournal.Place(storageKey: storageKey, index: index)
    }

    /// Runs what lists, within what the TPM does.
    private func noting(_ body: () throws(MainKeyError) -> Void) throws(HardwareKeyError) {
        do throws(MainKeyError) { try body() } catch {
            refusal = error
            throw .storageRefused(path: VaultDirectory.Name.indexJournal, reason: "\(error)")
        }
    }

    /// Lists what the key file of before depends on, for a change that makes some of it obsolete.
    func write() throws(MainKeyError) { try indices.store.directory.write(journal, under: keys) }

    /// Removes what was made for a change that cannot become final any more.
    func takeBack() { takesBack() }
}
