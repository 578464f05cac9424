import MainKey
import SecretMemory

/// The mark under the key, which is compared with the record as soon as the vault is open, and which every change of
/// the PIN keeps up.
extension VaultKey {
    private static let markLabel = "vigil"

    /// - Throws: `bindingDiffers` where it is missing or malformed.
    func mark() throws -> SealedMark {
        let sealed: SecretBytes?
        do {
            sealed = try sealedItem(Self.markLabel)
        } catch SignerError.vaultKey(.unknownEpoch), SignerError.vaultKey(.rolledBack),
            SignerError.vaultKey(.tampered)
        {
            // An older one of itself, or beside the key file of another time.
            throw SignerError.vigil(.bindingDiffers(.mark))
        }
        guard let sealed else { throw SignerError.vigil(.bindingDiffers(.mark)) }
        return try SealedMark(sealedForm: sealed)
    }

    func sealedItem(_ label: String) throws -> SecretBytes? {
        do throws(MainKeyError) { return try engine.item(label) } catch {
            guard case .unknownEpoch = error else { throw SignerError.vaultKey(error) }
            // A rotation of another process was between the item and its key.
            engine.refresh()
            return try onKey { try engine.item(label) }
        }
    }

    func write(_ mark: SealedMark) throws {
        let sealed = try mark.sealedForm()
        try onKey { try engine.setItem(Self.markLabel, sealed) }
    }

    /// The mark, which agrees with the record and with the key file.
    ///
    /// - Throws: `bindingDiffers`.
    func checkedMark() throws -> SealedMark {
        let slot = try pinWay()?.id
        let mark = try mark().settled(pinSlot: slot)
        guard mark.slot == slot else { throw SignerError.vigil(.bindingDiffers(.mark)) }
        guard try mark.isBound == (binding() != nil) else {
            throw SignerError.vigil(.bindingDiffers(mark.isBound ? .recordMissing : .recordInvented))
        }
        return mark
    }

    /// Changes ways to open the vault. The mark says before that a change begins and how it ends, so that killed at any
    /// moment it is known which it is. Nothing that fails behind the change is its failure: the next one settles the
    /// mark.
    ///
    /// - Parameters:
    ///   - mark: as it is now.
    ///   - outcome: what else is so once the change is over; nil for nothing.
    func marking(
        _ mark: SealedMark, becomingBound isBound: Bool, outcome: SealedMark.Outcome? = nil,
        _ change: () throws -> Void
    ) throws {
        var begun = mark
        begun.becomesBound = isBound
        begun.outcome = outcome
        try write(begun)
        do { try change() } catch {
            // It may have become final all the same.
            try? write(begun.settled(pinSlot: pinWay()?.id))
            throw error
        }
        behindChange("the note of how the change ended") { try write(begun.settled(pinSlot: try pinWay()?.id)) }
    }

    /// Does what is left behind a change that is final. What fails of it is told: thrown, it would pass for a failure
    /// of the change, and its person would go on with what opens nothing any more.
    func behindChange(_ what: String, _ body: () throws -> Void) {
        do { try body() } catch { engine.postLeftover("\(what): \(error)") }
    }

    /// Ends the session behind a change, with what other programs have open.
    func endSessionBehindChange() {
        behindChange("others that have the vault open were not told to lock") { try onKey { try engine.endSession() } }
    }

    /// Notes that the vault is opened only with this validator's word from now on. Where another process is changing
    /// the vault just now, the next opening does.
    func require(_ account: Verdict.Account) throws {
        let lock: VaultLock
        do { lock = try changeLock() } catch SignerError.vaultBusy { return }
        defer { withExtendedLifetime(lock) {} }
        var mark = try mark().settled(pinSlot: try pinWay()?.id)
        guard mark.validatorKeyID == nil, !mark.isReleased else { return }
        mark.validatorKeyID = account.validatorKeyID
        try write(mark)
        unlocking.validatorRequired(account)
    }

    // MARK: Schema

    /// The least schema that the vault's database has. A vault that its recovery code opens in spite of a mark that is
    /// missing is taken for one that has an inventory.
    func leastSchema() throws -> UInt32 {
        do { return try mark().schema ?? FirstForm.schemaVersion } catch SignerError.vigil(.bindingDiffers) {
            return ColdDatabase.secondSchema
        }
    }

    /// Notes that nothing older is this vault's database from now on. Where another process is changing the mark just
    /// now, the next opening does.
    func noteSchema() throws {
        guard try leastSchema() < ColdDatabase.schemaVersion else { return }
        let lock: VaultLock
        do { lock = try changeLock() } catch SignerError.vaultBusy { return }
        defer { withExtendedLifetime(lock) {} }
        var mark = try mark()
        mark.schema = ColdDatabase.schemaVersion
        try write(mark)
    }
}
