import HardwareKeys

/// What a vault has in the TPM, and what it leaves there no longer than it is needed.
struct VaultIndices: Sendable {
    let store: VaultStore
    let hardware: VaultHardware
    let hub: EventHub

    /// The TPM's indices that a file depends on.
    static func indices(of file: KeyFile) throws(MainKeyError) -> Set<UInt32> {
        Set(try indexEntries(of: file).map(\.index))
    }

    static func indexEntries(of file: KeyFile) throws(MainKeyError) -> [IndexJournal.Entry] {
        var entries: [IndexJournal.Entry] = []
        for slot in file.slots where slot.hardwareKind == .tpm2 {
            let blob = try slot.tpmBlob()
            if let counter = blob.policy.counter {
                entries.append(IndexJournal.Entry(index: counter.index, counterValue: counter.value))
            }
            if let pin = blob.policy.pin { entries.append(IndexJournal.Entry(index: pin.index, counterValue: nil)) }
        }
        return entries
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
        guard let journal = try store.directory.indexJournal(under: secrets), try !store.hasLeftovers() else {
            return
        }
        let file = try store.load(under: secrets).file
        guard !hardware.isBoundElsewhere(file) else { return }
        let unused = try self.unused(in: journal, besides: Self.indices(of: file))
        // PIN indices have nothing that tells them from another vault's, which may take a handle as soon as it is free:
        // they leave the list before they leave the TPM. A counter's value tells.
        var rest = IndexJournal()
        for entry in unused where entry.counterValue != nil { rest.add(entry) }
        let pins = unused.filter { $0.counterValue == nil }.map(\.index)
        if !pins.isEmpty { try store.directory.write(rest, under: [secrets]) }
        guard remove(pins).isEmpty else { return try store.directory.write(journal, under: [secrets]) }
        CrashPoint.reach("indices.pins")
        guard remove(rest.entries.map(\.index)).isEmpty else { return }
        CrashPoint.reach("indices.counters")
        try store.directory.write(IndexJournal(), under: [secrets])
    }

    /// The same at an unlocking, without a word where it cannot be done now, or somebody else uses the vault: else each
    /// unlocking on a machine without that TPM would tell. The next one tries again.
    func removeLeft(under secrets: MainKeySecrets) {
        guard (try? store.directory.indexJournal(under: secrets)) ?? nil != nil,
            let lock = try? store.lock(.exclusive, patience: .zero)
        else { return }
        defer { withExtendedLifetime(lock) {} }
        try? removeUnused(under: secrets)
    }

    /// Listed indices that are certainly still those that were listed, and that nothing depends on.
    ///
    /// A TPM that was cleared, or whose owner removed an index, may have given its handle to another vault. A counter
    /// with the value that was listed is the same one, for a new counter begins above all there ever were. A PIN index
    /// is taken for the same if one of the counters that were listed with it is; one that the key file uses may have
    /// moved by the change's step.
    ///
    /// - Throws: `hardwareUnavailable` if the TPM does not answer.
    func unused(
        in journal: IndexJournal, besides used: Set<UInt32>
    ) throws(MainKeyError) -> [IndexJournal.Entry] {
        var unused: [IndexJournal.Entry] = []
        var isSameTPM = false
        for entry in journal.entries {
            guard let listed = entry.counterValue, let value = try counterValue(at: entry.index) else { continue }
            if used.contains(entry.index) {
                isSameTPM = isSameTPM || value == listed || value == listed &+ 1
            } else if value == listed {
                isSameTPM = true
                unused.append(entry)
            }
        }
        guard isSameTPM else { return [] }
        return unused + journal.entries.filter { $0.counterValue == nil && !used.contains($0.index) }
    }

    /// - Returns: nil if there is no such counter.
    private func counterValue(at index: UInt32) throws(MainKeyError) -> UInt64? {
        let tpm = try hardware.tpm()
        do throws(HardwareKeyError) { return try tpm.readCounter(index) } catch {
            if case .unavailable = error { throw MainKeyError(error) }
            return nil
        }
    }

    /// What is left here is of no use to anybody, so that a failure is told and not thrown.
    ///
    /// - Returns: what could not be removed, in words.
    @discardableResult
    func remove(_ indices: [UInt32]) -> [String] {
        var leftovers: [String] = []
        for index in indices {
            do throws(MainKeyError) {
                let tpm = try hardware.tpm()
                try onHardware(try tpm.undefine(index))
            } catch {
                if case .hardwareDead = error { continue }
                leftovers.append("the TPM's index 0x\(String(index, radix: 16)): \(error)")
            }
        }
        for leftover in leftovers { hub.post(.hardwareLeftover(leftover)) }
        return leftovers
    }
}
