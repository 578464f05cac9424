import BasicFoundation
import HardwareKeys
import SecretMemory

/// Changes the ways to open a vault, and its MainKey.
struct VaultProtections: Sendable {
    let store: VaultStore
    let memory: VaultMemory
    let hardware: VaultHardware
    let indices: VaultIndices
    let commits: VaultCommits
    let authentication: VaultAuthentication
    let session: VaultSession

    // MARK: Slots

    func replace(
        keeping kept: Set<UInt32>, adding added: [Protection], authenticatedBy credential: Credential,
        _ options: VaultOptions
    ) throws(MainKeyError) {
        try changing(authenticatedBy: credential) { (old, unlocked, opened) throws(MainKeyError) in
            var authenticated = unlocked
            authenticated.take(opened.bound, of: old)
            try replaceSlots(of: old, authenticated, keeping: kept, adding: added, options)
        }
    }

    /// Runs a change of an unlocked vault after its person showed to be allowed to make it.
    ///
    /// - Parameters:
    ///   - other: the same PIN for a slot of another kind.
    ///   - body: given the key file as it is on disk, what is unlocked, and what the credential opened.
    private func changing(
        authenticatedBy credential: Credential, or other: Credential? = nil,
        _ body: (KeyFile, UnlockedKeys, VaultAuthentication.Opened) throws(MainKeyError) -> Void
    ) throws(MainKeyError) {
        memory.turns.lock()
        defer { memory.turns.unlock() }
        let unlocked = try memory.unlocked().keys
        let opened = try authentication.authenticate(credential, or: other)
        let lock = try store.lock(.exclusive)
        defer { withExtendedLifetime(lock) {} }
        let old = try store.load(under: unlocked.secrets).file
        guard old.generation == opened.keyring.file.generation else {
            throw .stale(expected: opened.keyring.file.generation, found: old.generation)
        }
        try body(old, unlocked, opened)
    }

    private func replaceSlots(
        of old: KeyFile, _ unlocked: UnlockedKeys, keeping kept: Set<UInt32>, adding added: [Protection],
        _ options: VaultOptions
    ) throws(MainKeyError) {
        for pin in added.compactMap(\.pin) { try options.pinPolicy.check(pin) }
        let staying = old.slots.filter { kept.contains($0.id) }
        guard staying.count == kept.count else { throw .noSuchSlot("a number that is to stay") }
        try SlotRules.check(
            staying.map(\.kind) + added.map(\.kind), requiresHardware: old.flags.contains(.requireHardware),
            allowsNoRecovery: options.allowsNoRecovery)
        let journal = try IndexJournalWriter(indices, from: old, under: unlocked.secrets)
        var making = try slotMaking(
            unlocked.secrets, from: old, for: added, besides: staying, options, listingIn: journal)
        if added.contains(where: \.kind.isHardware) { making.counter = try hardware.counter(goingOnFrom: old) }
        try session.remove()
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
            if made.anchor == .absent { try hardware.resealIfStrict(&change, unlocked) }
            try commits.removeGuardedItems(in: &change)
            if try !VaultIndices.places(of: old).isSubset(of: VaultIndices.places(of: change.file)) {
                try journal.write()
            }
        } catch {
            making.undo(made)
            throw error
        }
        let file = try commits.commit(change, from: old.generation) { making.undo(made) }
        var renewed = unlocked
        renewed.take(made.bound, of: file)
        try takeOver(file, renewed)
    }

    /// Goes on with what was committed; nothing that fails behind a commit makes it undone.
    private func takeOver(_ file: KeyFile, _ renewed: UnlockedKeys) throws(MainKeyError) {
        memory.replace(by: renewed)
        try memory.adopt(file, renewed)
        commits.remembered.note(file)
        // What was allowed only under a lock is not kept where there is none.
        if !file.isProtected { commits.removeItems { $0.access == .whenPasscodeSetThisDeviceOnly } }
        do throws(MainKeyError) { try authentication.limiter(of: file).reset() } catch {
            memory.hub.post(.hardwareLeftover("the count of wrong attempts: \(error)"))
        }
    }

    private func slotMaking(
        _ secrets: MainKeySecrets, from old: KeyFile, for protections: [Protection], besides staying: [Slot],
        _ options: VaultOptions, listingIn journal: IndexJournalWriter
    ) throws(MainKeyError) -> SlotMaking {
        let usual = old.slots.compactMap(\.cost).first { $0.isWritable }
        let cost = try SlotRules.cost(of: protections, besides: staying.compactMap(\.cost), options.cost, usual)
        return SlotMaking(
            secrets: secrets, cost: cost, now: UInt64(max(0, Date().timeIntervalSince1970)),
            attemptLimit: old.attemptLimit, counter: nil, items: store.items.files, journal: journal,
            tpm: hardware.enrollingTPM)
    }

    // MARK: PIN and settings

    /// - Parameter old: opens the slot that gets the new one, of whichever kind it is. The hardware counts a wrong one,
    ///   and is asked last.
    func changePIN(from old: SecretBytes, to new: SecretBytes, _ options: VaultOptions) throws(MainKeyError) {
        try changePIN(to: new, authenticatedBy: .pin(old), or: .hardwareAndPIN(old), options)
    }

    func changePIN(
        to new: SecretBytes, authenticatedBy credential: Credential, or other: Credential? = nil,
        _ options: VaultOptions
    ) throws(MainKeyError) {
        guard try !memory.unlocked().file.slotsWithPIN.isEmpty else { throw .noSuchSlot("a PIN") }
        var options = options
        options.allowsNoRecovery = true
        try changing(authenticatedBy: credential, or: other) { (old, unlocked, opened) throws(MainKeyError) in
            let slot = try old.slotOfPIN(openedBy: opened.slot)
            let protection: Protection
            switch slot.kind {
            case .hardwareAndPIN:
                protection = .hardwareAndPIN(new, try slot.bindingToKeep())
            default: protection = .pin(new)
            }
            var authenticated = unlocked
            authenticated.take(opened.bound, of: old)
            try replaceSlots(
                of: old, authenticated, keeping: Set(old.slots.map(\.id)).subtracting([slot.id]), adding: [protection],
                options)
        }
    }

    func setAutolock(_ timeout: AutolockTimeout) throws(MainKeyError) {
        guard timeout.isAllowed else {
            throw .configError(reason: "the vault can lock after 1 to 10080 minutes")
        }
        memory.turns.lock()
        defer { memory.turns.unlock() }
        try commits.change { file, _ in file.autolockMinutes = Int32(timeout.rawValue) }
    }

    // MARK: A new MainKey

    func rekey(
        _ protections: [Protection], authenticatedBy credential: Credential, _ options: VaultOptions
    ) throws(MainKeyError) {
        try changing(authenticatedBy: credential) { (old, unlocked, opened) throws(MainKeyError) in
            for pin in protections.compactMap(\.pin) { try options.pinPolicy.check(pin) }
            try SlotRules.check(
                protections.map(\.kind), requiresHardware: old.flags.contains(.requireHardware),
                allowsNoRecovery: options.allowsNoRecovery)
            if old.isRotating { try old.checkRoomForEpoch(program: try? store.owner()) }
            try session.remove()
            try rekey(old, unlocked, epochs: opened.epochs, openedBy: protections, options: options)
        }
    }

    private func rekey(
        _ old: KeyFile, _ unlocked: UnlockedKeys, epochs: [UInt32: SecretBytes], openedBy protections: [Protection],
        options: VaultOptions
    ) throws(MainKeyError) {
        let secrets = try MainKeySecrets.random(vault: old.vault)
        let journal = try IndexJournalWriter(indices, from: old, under: unlocked.secrets, and: secrets)
        // Without a counter to go on with: that of before obeys the old MainKey only.
        let making = try slotMaking(secrets, from: old, for: protections, besides: [], options, listingIn: journal)
        CrashPoint.reach("rekey.slots")
        let made = try making.make(protections, besides: [])
        CrashPoint.reach("rekey.made")
        var change = KeyFileChange(file: old, secrets: secrets)
        change.file.mainKeyID = secrets.id
        change.file.slots = made.slots
        change.file.flags.note(made, among: made.slots)
        if case .external = old.anchor, made.anchor == .absent {} else { change.file.anchor = made.anchor }
        do throws(MainKeyError) {
            try commits.removeGuardedItems(in: &change)
            change.file.epochs = []
            for record in old.epochs {
                guard let key = epochs[record.epoch] else { throw .unknownEpoch(record.epoch) }
                change.file.epochs.append(
                    try EpochRecord(
                        epoch: record.epoch, createdAt: record.createdAt, state: record.state, key: key, under: secrets)
                )
            }
            // The rotation that ends this one goes on into the active epoch, whose key old copies have already.
            if old.isRotating { try change.file.beginEpoch(under: secrets) }
            if try !VaultIndices.places(of: old).isSubset(of: VaultIndices.places(of: change.file)) {
                try journal.write()
            }
        } catch {
            making.undo(made)
            throw error
        }
        let file = try commits.commit(change, from: old.generation) { making.undo(made) }
        var renewed = unlocked
        renewed.secrets = secrets
        renewed.slot = made.slots[0].id
        renewed.hardware = nil
        renewed.take(made.bound, of: file)
        try takeOver(file, renewed)
    }
}

extension KeyFile {
    fileprivate var slotsWithPIN: [Slot] { slots(of: .hardwareAndPIN, .pin) }

    /// The slot that gets another PIN: the one that was opened, or the only one with a PIN where that has none.
    ///
    /// - Throws: `noSuchSlot`; `configError` where nobody says which PIN is meant.
    fileprivate func slotOfPIN(openedBy id: UInt32) throws(MainKeyError) -> Slot {
        let slots = slotsWithPIN
        if let opened = slots.first(where: { $0.id == id }) { return opened }
        guard let first = slots.first else { throw .noSuchSlot("a PIN") }
        guard slots.count == 1 else {
            throw .configError(reason: "the vault has \(slots.count) PINs: unlock with the one that is to be changed")
        }
        return first
    }
}
