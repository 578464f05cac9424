import Foundation
import HardwareKeys
import SecretMemory

extension VaultEngine {
    /// Replaces ways to open the vault, all at once: the old and the new ways never both open what is on disk. Ends the
    /// session.
    ///
    /// - Parameters:
    ///   - kept: numbers of slots that stay as they are.
    ///   - added: ways that are made.
    ///   - credential: one that opens the vault now; the attempt is counted.
    ///   - options: for the new ways: cost, rules for PINs, whether recovery may be missing. The vault's settings stay.
    package func replaceProtections(
        keeping kept: Set<UInt32>, adding added: [Protection], authenticatedBy credential: Credential,
        _ options: VaultOptions = VaultOptions()
    ) throws(MainKeyError) {
        try exclusively { () throws(MainKeyError) in
            let (_, unlocked) = try unlocked()
            let opened = try authenticate(credential)
            let lock = try HeldLock(.exclusive, of: directory, patience: self.options.lockTimeout)
            defer { withExtendedLifetime(lock) {} }
            let old = try current(unlocked).file
            guard old.generation == opened.keyring.file.generation else {
                throw .stale(expected: opened.keyring.file.generation, found: old.generation)
            }
            var authenticated = unlocked
            authenticated.take(opened.hardware.map { (opened.slot, $0) }, of: old)
            try replaceSlots(of: old, authenticated, keeping: kept, adding: added, options)
        }
    }

    private func replaceSlots(
        of old: KeyFile, _ unlocked: Unlocked, keeping kept: Set<UInt32>, adding added: [Protection],
        _ options: VaultOptions
    ) throws(MainKeyError) {
        for pin in added.compactMap(\.pin) { try options.pinPolicy.check(pin) }
        let staying = old.slots.filter { kept.contains($0.id) }
        guard staying.count == kept.count else { throw .noSuchSlot("a number that is to stay") }
        try Self.check(
            staying.map(\.kind) + added.map(\.kind), requiresHardware: old.flags.contains(.requireHardware),
            allowsNoRecovery: options.allowsNoRecovery)
        let isMoved = isBoundElsewhere(old)
        let journal = try IndexJournalWriter(self, from: old, under: unlocked.secrets, isMoved: isMoved)
        var making = try slotMaking(unlocked.secrets, old, options, journal)
        if isMoved { making.counter = nil }
        try removeSession()
        CrashPoint.reach("protect.slots")
        let made = try making.make(added, besides: staying)
        CrashPoint.reach("protect.made")
        var change = KeyFileChange(file: old, secrets: unlocked.secrets)
        change.file.slots = staying + made.slots
        change.file.flags.note(made, among: change.file.slots)
        change.file.anchor =
            if made.anchor != .absent { made.anchor } else if staying.contains(where: { $0.hardwareKind == .tpm2 }) {
                old.anchor
            } else if case .external = old.anchor { old.anchor } else { .absent }
        if made.advancesCounter, case .tpm(let index, _) = made.anchor {
            change.advancing = index
            change.counterAuthorisation = try unlocked.secrets.counterAuthorisation()
        }
        do throws(MainKeyError) {
            // A TPM slot that stays has to move too.
            if made.anchor == .absent { try resealIfStrict(&change, unlocked) }
            try removeGuardedItems(in: &change)
            if try !Self.indices(of: old).isSubset(of: Self.indices(of: change.file)) { try journal.write() }
        } catch {
            making.undo(made)
            throw error
        }
        let file = try commit(change, from: old.generation) { making.undo(made) }
        var renewed = unlocked
        renewed.take(made.bound, of: file)
        try takeOver(file, renewed)
    }

    /// Goes on with what was committed; nothing that fails behind a commit makes it undone.
    private func takeOver(_ file: KeyFile, _ renewed: Unlocked) throws(MainKeyError) {
        state.withLock { state in if state.unlocked != nil { state.unlocked = renewed } }
        try adopt(file, renewed)
        remember(file)
        // What was allowed only under a lock is not kept where there is none.
        if !file.isProtected { removeItems { $0.access == .whenPasscodeSetThisDeviceOnly } }
        do throws(MainKeyError) { try limiter(file).reset() } catch {
            hub.post(.hardwareLeftover("the count of wrong attempts: \(error)"))
        }
    }

    private func slotMaking(
        _ secrets: MainKeySecrets, _ old: KeyFile, _ options: VaultOptions, _ journal: IndexJournalWriter
    ) throws(MainKeyError) -> SlotMaking {
        var counter: (index: UInt32, value: UInt64)?
        if case .tpm(let index, _) = old.anchor, let value = try? anchorValue(of: old) { counter = (index, value) }
        let usual = old.slots.compactMap(\.cost).first { $0.isWritable }
        let cost = try Self.cost(options.cost, usual)
        return SlotMaking(
            secrets: secrets, cost: cost, now: UInt64(max(0, Date().timeIntervalSince1970)),
            attemptLimit: old.attemptLimit, counter: counter, items: items, journal: journal, tpm: enrollingTPM)
    }

    /// Changes the PIN of the slot that the old one opens; the other ways to open the vault stay.
    package func changePIN(
        from old: SecretBytes, to new: SecretBytes, _ options: VaultOptions = VaultOptions()
    ) throws(MainKeyError) {
        let isBound = try !unlocked().file.slots(of: .hardwareAndPIN).isEmpty
        try changePIN(to: new, authenticatedBy: isBound ? .hardwareAndPIN(old) : .pin(old), options)
    }

    /// Gives the slot that a PIN opens another PIN: the slot of the credential's kind, or, where that has no PIN, the
    /// first that has one.
    package func changePIN(
        to new: SecretBytes, authenticatedBy credential: Credential, _ options: VaultOptions = VaultOptions()
    ) throws(MainKeyError) {
        let file = try unlocked().file
        let withPIN = file.slots(of: .hardwareAndPIN) + file.slots(of: .pin)
        guard let slot = withPIN.first(where: { $0.kind == credential.kind }) ?? withPIN.first else {
            throw .noSuchSlot("a PIN")
        }
        let protection: Protection
        switch slot.kind {
        case .hardwareAndPIN:
            let blob = try onHardware { () throws(HardwareKeyError) in try TPMSealedBlob(parsing: slot.hardwareBlob) }
            protection = .hardwareAndPIN(new, HardwareBinding(of: blob) ?? .counter)
        default: protection = .pin(new)
        }
        var options = options
        options.allowsNoRecovery = true
        try replaceProtections(
            keeping: Set(file.slots.filter { $0.id != slot.id }.map(\.id)), adding: [protection],
            authenticatedBy: credential, options)
    }

    package func setAutolock(_ timeout: AutolockTimeout) throws(MainKeyError) {
        guard timeout.isAllowed else {
            throw .configError(reason: "the vault can lock after 1 to 10080 minutes")
        }
        try exclusively { () throws(MainKeyError) in
            try change { file, _ in file.autolockMinutes = Int32(timeout.rawValue) }
        }
    }

    /// A new MainKey: whoever has an old copy of the vault and an old PIN has the old one, which opens nothing any more
    /// that is written from now on. Data is to be rotated afterwards.
    ///
    /// - Parameter protections: all ways to open the vault from now on; none of the old stays.
    package func rekey(
        _ protections: [Protection], authenticatedBy credential: Credential, _ options: VaultOptions = VaultOptions()
    ) throws(MainKeyError) {
        try exclusively { () throws(MainKeyError) in
            let (_, unlocked) = try unlocked()
            let opened = try authenticate(credential)
            let lock = try HeldLock(.exclusive, of: directory, patience: self.options.lockTimeout)
            defer { withExtendedLifetime(lock) {} }
            let old = try current(unlocked).file
            guard old.generation == opened.keyring.file.generation else {
                throw .stale(expected: opened.keyring.file.generation, found: old.generation)
            }
            for pin in protections.compactMap(\.pin) { try options.pinPolicy.check(pin) }
            try Self.check(
                protections.map(\.kind), requiresHardware: old.flags.contains(.requireHardware),
                allowsNoRecovery: options.allowsNoRecovery)
            try removeSession()
            try rekey(old, unlocked, opened.epochs, protections, options)
        }
    }

    private func rekey(
        _ old: KeyFile, _ unlocked: Unlocked, _ epochs: [UInt32: SecretBytes], _ protections: [Protection],
        _ options: VaultOptions
    ) throws(MainKeyError) {
        let secrets = try MainKeySecrets.random(vault: old.vault)
        let journal = try IndexJournalWriter(
            self, from: old, under: unlocked.secrets, and: secrets, isMoved: isBoundElsewhere(old))
        var making = try slotMaking(secrets, old, options, journal)
        // The counter obeys the old MainKey only.
        making.counter = nil
        CrashPoint.reach("rekey.slots")
        let made = try making.make(protections, besides: [])
        CrashPoint.reach("rekey.made")
        var change = KeyFileChange(file: old, secrets: secrets)
        change.file.mainKeyID = secrets.id
        change.file.slots = made.slots
        change.file.flags.note(made, among: made.slots)
        if case .external = old.anchor, made.anchor == .absent {} else { change.file.anchor = made.anchor }
        do throws(MainKeyError) {
            try removeGuardedItems(in: &change)
            change.file.epochs = []
            for record in old.epochs {
                guard let key = epochs[record.epoch] else { throw .unknownEpoch(record.epoch) }
                change.file.epochs.append(
                    try EpochRecord(
                        epoch: record.epoch, createdAt: record.createdAt, state: record.state, key: key, under: secrets)
                )
            }
            if try !Self.indices(of: old).isSubset(of: Self.indices(of: change.file)) { try journal.write() }
        } catch {
            making.undo(made)
            throw error
        }
        let file = try commit(change, from: old.generation) { making.undo(made) }
        var renewed = unlocked
        renewed.secrets = secrets
        renewed.slot = made.slots[0].id
        renewed.hardware = nil
        renewed.take(made.bound, of: file)
        try takeOver(file, renewed)
    }
}
