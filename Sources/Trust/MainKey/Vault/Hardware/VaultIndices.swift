import HardwareKeys
import SecretMemory

/// What a vault has in the TPM, and what it leaves there no longer than it is needed.
struct VaultIndices: Sendable {
    let store: VaultStore
    let hardware: VaultHardware
    let hub: EventHub

    /// Where a file depends on indices of a TPM.
    static func places(of file: KeyFile) throws(MainKeyError) -> Set<IndexJournal.Place> {
        Set(try indexEntries(of: file).map(\.place))
    }

    static func indexEntries(of file: KeyFile) throws(MainKeyError) -> [IndexJournal.Entry] {
        var entries: [IndexJournal.Entry] = []
        for slot in file.slots where slot.hardwareKind == .tpm2 { entries += Self.entries(of: try slot.tpmBlob()) }
        return entries
    }

    static func entries(of blob: TPMSealedBlob) -> [IndexJournal.Entry] {
        func entry(_ index: UInt32, _ value: UInt64?) -> IndexJournal.Entry {
            IndexJournal.Entry(
                place: IndexJournal.Place(storageKey: blob.parentName, index: index), counterValue: value)
        }
        return [blob.policy.counter.map { entry($0.index, $0.value) }, blob.policy.pin.map { entry($0.index, nil) }]
            .compactMap { $0 }
    }

    /// Removes from the TPM what a change listed and nothing depends on, which is all that it made if it did not become
    /// final.
    ///
    /// What cannot be done, also because the TPM does not answer, is told and not thrown; the list stays for the next
    /// time. The caller holds the exclusive lock.
    ///
    /// - Parameter secrets: of the MainKey that the key file on disk is of.
    func removeListed(under secrets: MainKeySecrets) {
        do throws(MainKeyError) { try removeUnused(under: secrets) } catch {
            hub.post(.hardwareLeftover("what nothing needs any more in the TPM: \(error)"))
        }
    }

    private func removeUnused(under secrets: MainKeySecrets) throws(MainKeyError) {
        // Beside the key file another may lie that depends on them.
        guard store.directory.hasIndexJournal, try !store.hasLeftovers() else { return }
        let file = try store.load(under: secrets).file
        let (own, key) = (try Self.indexEntries(of: file), try IndexJournalKey(secrets))
        guard let journal = try store.directory.indexJournal(under: key, besides: own) else { return }
        try removeUnused(of: journal, besides: Set(own.map(\.place)), under: key)
    }

    /// Removes what was listed for a vault that was not finished: there is no key file, and nobody has used one. The
    /// caller holds the exclusive lock.
    ///
    /// - Parameter known: whose key authenticates such a list.
    func removeUnfinished(_ known: KnownVaults?) {
        do throws(MainKeyError) {
            guard store.directory.hasIndexJournal, try !store.hasLeftovers(), try store.directory.keyFile() == nil,
                let vault = try store.directory.vaultOfIndexJournal, let known, try !known.remembers(vault),
                let account = try known.wipeKey(.existing)
            else { return }
            let key = try IndexJournalKey(ofAccount: account, making: vault)
            guard let journal = try store.directory.indexJournal(under: key, besides: []) else { return }
            try removeUnused(of: journal, besides: [], under: key)
        } catch {
            hub.post(.hardwareLeftover("what a vault that was not finished has in the TPM: \(error)"))
        }
    }

    private func removeUnused(
        of journal: IndexJournal, besides used: Set<IndexJournal.Place>, under key: IndexJournalKey
    ) throws(MainKeyError) {
        let (unused, others) = try self.unused(in: journal, besides: used)
        let elsewhere = try others + removeIntended(of: journal, besides: used.union(others.map(\.place)))
        let counters = unused.filter { $0.counterValue != nil }
        let pins = unused.filter { $0.counterValue == nil }
        // PIN indices have nothing that tells them from another vault's, which may take a handle as soon as it is free:
        // they leave the list before they leave the TPM. A counter's value tells.
        if !pins.isEmpty { try store.directory.write(journal.keeping(elsewhere + counters), under: [key]) }
        guard remove(pins.map(\.place)).isEmpty else { return try store.directory.write(journal, under: [key]) }
        CrashPoint.reach("indices.pins")
        guard remove(counters.map(\.place)).isEmpty else { return }
        CrashPoint.reach("indices.counters")
        let rest = journal.keeping(elsewhere)
        if rest.entries.isEmpty || rest != journal { try store.directory.write(rest, under: [key]) }
    }

    /// Removes what was about to be made when the process ended that listed it. What has its handle and was written to
    /// is a counter of that change only if it counts so; else it is somebody's.
    ///
    /// - Returns: those of another TPM than the one that answers, which may have what it is said to have.
    @discardableResult
    func removeIntended(
        of journal: IndexJournal, besides used: Set<IndexJournal.Place>
    ) throws(MainKeyError) -> [IndexJournal.Entry] {
        var elsewhere: [IndexJournal.Entry] = []
        for entry in journal.entries where entry.isIntended && !used.contains(entry.place) {
            let tpm = try hardware.tpm().pinned(to: entry.place.storageKey)
            do throws(HardwareKeyError) {
                let index = entry.place.index
                guard try !tpm.undefineUnwritten(index), index.isMultiple(of: 2),
                    let authorisation = journal.authorisation
                else { continue }
                try tpm.undefine(index, countingWith: authorisation)
            } catch {
                guard case .unavailable(.otherHardware) = error else { throw MainKeyError(error) }
                elsewhere.append(entry)
            }
        }
        return elsewhere
    }

    /// The same at an unlocking, without a word where it cannot be done now, or somebody else uses the vault: else each
    /// unlocking on a machine without that TPM would tell. The next one tries again.
    func removeLeft(under secrets: MainKeySecrets) {
        guard store.directory.hasIndexJournal, let lock = try? store.lock(.exclusive, patience: .zero) else { return }
        defer { withExtendedLifetime(lock) {} }
        try? removeUnused(under: secrets)
    }

    /// Listed indices that are certainly still those that were listed, and that nothing depends on; and those of
    /// another TPM than the one that answers, which stay listed until it does.
    ///
    /// A TPM whose owner removed an index may have given its handle to another vault. A counter with the value that was
    /// listed is the same one, for a new counter begins above all there ever were in its TPM. A PIN index is taken for
    /// the same if one of the counters that were listed with it is; one that the key file uses may have moved by the
    /// change's step.
    ///
    /// - Throws: what keeps the TPM from being asked.
    func unused(
        in journal: IndexJournal, besides used: Set<IndexJournal.Place>
    ) throws(MainKeyError) -> (unused: [IndexJournal.Entry], elsewhere: [IndexJournal.Entry]) {
        var unused: [IndexJournal.Entry] = []
        var elsewhere: [IndexJournal.Entry] = []
        for storageKey in Set(journal.entries.map(\.place.storageKey)) {
            let entries = journal.entries.filter { $0.place.storageKey == storageKey }
            if let values = try counterValues(of: entries, in: storageKey) {
                unused += Self.unused(entries, values: values, besides: used)
            } else {
                elsewhere += entries
            }
        }
        return (unused, elsewhere)
    }

    /// - Parameters:
    ///   - entries: all that a list has of one TPM.
    ///   - values: what the counters among them have now.
    private static func unused(
        _ entries: [IndexJournal.Entry], values: [IndexJournal.Place: UInt64], besides used: Set<IndexJournal.Place>
    ) -> [IndexJournal.Entry] {
        var unused: [IndexJournal.Entry] = []
        var isSame = false
        for entry in entries {
            guard let listed = entry.counterValue, let value = values[entry.place] else { continue }
            if used.contains(entry.place) {
                isSame = isSame || value == listed || value == listed &+ 1
            } else if value == listed {
                isSame = true
                unused.append(entry)
            }
        }
        guard isSame else { return [] }
        return unused + entries.filter { $0.counterValue == nil && !used.contains($0.place) }
    }

    /// What the counters among `entries` have now, as far as there are such.
    ///
    /// - Returns: nil if another TPM answers than the one with this storage key.
    func counterValues(
        of entries: [IndexJournal.Entry], in storageKey: [UInt8]
    ) throws(MainKeyError) -> [IndexJournal.Place: UInt64]? {
        let tpm = try hardware.tpm().pinned(to: storageKey)
        var values: [IndexJournal.Place: UInt64] = [:]
        for entry in entries where entry.counterValue != nil && !entry.isIntended {
            do throws(HardwareKeyError) { values[entry.place] = try tpm.readCounter(entry.place.index) } catch {
                switch error {
                case .unavailable(.otherHardware): return nil
                case .dead: continue
                default: throw MainKeyError(error)
                }
            }
        }
        return values
    }

    /// What is left here is of no use to anybody, so that a failure is told and not thrown.
    ///
    /// - Returns: what could not be removed, in words.
    @discardableResult
    func remove(_ places: some Sequence<IndexJournal.Place>) -> [String] {
        let leftovers = places.compactMap { $0.remove(from: hardware.tpm) }
        for leftover in leftovers { hub.post(.hardwareLeftover(leftover)) }
        return leftovers
    }
}

extension TPM {
    /// Removes a counter that counts with this authorisation, and nothing else: that it counts proves that it is it.
    fileprivate func undefine(_ index: UInt32, countingWith authorisation: [UInt8]) throws(HardwareKeyError) {
        let authorisation = try SecretBytes.guarded { () throws(SecretMemoryError) in
            try SecretBytes(copying: authorisation)
        }
        do throws(HardwareKeyError) { try incrementCounter(index, auth: authorisation) } catch {
            switch error {
            case .dead, .wrongCredential: return
            // Something of another kind.
            case .unexpectedResponse(_, let code) where TPMResponse.refuses(code): return
            default: throw error
            }
        }
        try undefine(index)
    }
}

extension IndexJournal.Place: CustomStringConvertible {
    var description: String { "the TPM's index 0x\(String(index, radix: 16))" }

    /// Removes the index, if the TPM is the one that it is in.
    ///
    /// - Returns: what keeps it there, in words.
    func remove(from tpm: () throws(MainKeyError) -> TPM) -> String? {
        do throws(MainKeyError) {
            let tpm = try tpm().pinned(to: storageKey)
            try onHardware(try tpm.undefine(index))
            return nil
        } catch {
            if case .hardwareDead = error { return nil }
            return "\(self): \(error)"
        }
    }
}
