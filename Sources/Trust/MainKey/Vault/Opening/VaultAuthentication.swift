import HardwareKeys
import SecretMemory

/// Opens a vault with a credential: finds the slot, releases its key, and verifies the whole file behind it.
struct VaultAuthentication: Sendable {
    let store: VaultStore
    let memory: VaultMemory
    let hardware: VaultHardware
    let indices: VaultIndices
    let remembered: RememberedVault
    let wiping: VaultWipe

    /// What a credential opened.
    struct Opened {
        var keyring: Keyring
        var secrets: MainKeySecrets
        var epochs: [UInt32: SecretBytes]
        var slot: UInt32
        var hardware: HardwareParts?

        /// The slot, if it is bound to the TPM.
        var bound: BoundSlot? { hardware.map { BoundSlot(slot: slot, parts: $0) } }
    }

    /// Unlocks the vault.
    func unlock(_ credential: Credential) throws(MainKeyError) {
        try memory.unlocking { (requests) throws(MainKeyError) in
            let opened = try authenticate(credential)
            let file = opened.keyring.file
            try memory.install(
                UnlockedKeys(
                    secrets: opened.secrets, keys: memory.epochKeys(opened.epochs, of: file), slot: opened.slot,
                    hardware: file.flags.contains(.strictAnchor) ? opened.hardware : nil),
                of: file, unlessAskedToLockSince: requests)
            remembered.note(file)
            if !store.changesNothing { indices.removeLeft(under: opened.secrets) }
        }
    }

    /// Checks a credential, and everything that it opens, without changing whether the vault is unlocked.
    func verify(_ credential: Credential) throws(MainKeyError) {
        memory.turns.lock()
        defer { memory.turns.unlock() }
        _ = try authenticate(credential)
    }

    /// Opens a slot with a credential and verifies the whole file behind it. Counts the attempt where a person types.
    func authenticate(_ credential: Credential) throws(MainKeyError) -> Opened {
        try authenticate(credential, or: nil)
    }

    /// The same with what a person typed once for slots of two kinds, which is one attempt.
    ///
    /// - Parameter other: tried where the first opens nothing.
    func authenticate(_ credential: Credential, or other: Credential?) throws(MainKeyError) -> Opened {
        let isLeft = try store.changesNothing ? false : store.hasLeftovers()
        let lock = try store.lock(credential.kind.isStretched || isLeft ? .exclusive : .shared)
        defer { withExtendedLifetime(lock) {} }
        if isLeft { try store.recover(telling: memory.hub) }
        let keyring = try store.load()
        let file = keyring.file
        if file.flags.contains(.requireHardware), file.slots(of: .hardware, .hardwareAndPIN).isEmpty {
            throw .tampered(reason: "the vault requires hardware and has no slot for it")
        }
        try remembered.check(file)
        let slots = [credential, other].compactMap { $0 }.flatMap { credential in
            file.slots(of: credential.kind).map { ($0, credential) }
        }
        guard !slots.isEmpty else { throw .noSuchSlot(credential.kind.title) }
        guard credential.kind.isStretched else { return try open(slots, of: keyring) }
        let limiter = limiter(of: file)
        do throws(MainKeyError) {
            return try limiter.attempt(credential.kind == .recovery ? .recoveryCode : .pin) {
                () throws(MainKeyError) in
                try open(slots, of: keyring)
            }
        } catch {
            guard file.flags.contains(.wipeOnLimit),
                isLimit(error, ofTrying: slots.map { $0.0 }, isWipeDue: limiter.isWipeDue)
            else { throw error }
            try wiping.wipeLocked(data: [])
            // Not what reached the limit: that would name a recovery code, which opens nothing any more.
            throw .notFound(
                "vault any more: the limit of wrong attempts is reached, and it was wiped, as it was made to be")
        }
    }

    /// Whether the attempts are used up, so that a vault that was made to be is wiped.
    ///
    /// That an attempt was wrong, and that no more are taken, a TPM says in answers that nobody signs. Where it counts
    /// by itself, its count decides, which it alone can tell: else whoever sits on the bus, or a fault on it, could
    /// wipe a vault that was given its right PIN.
    ///
    /// - Parameter isWipeDue: whether a wrong credential reached the limit by the count in the vault's folder, which
    ///   counts attempts that were interrupted, too.
    private func isLimit(_ error: MainKeyError, ofTrying slots: [Slot], isWipeDue: Bool) -> Bool {
        let counting = slots.filter { $0.hardwareKind == .tpm2 }.compactMap { try? $0.tpmBlob() }
            .filter { $0.policy.pin != nil }
        // Of the others, the count in the vault's folder is all there is.
        let hasOthers = counting.count < slots.count
        switch error {
        case .wrongCredential(attemptsLeft: 0) where hasOthers: return true
        case .attemptsExhausted(byHardware: false) where hasOthers: return isWipeDue
        case .wrongCredential(attemptsLeft: 0), .attemptsExhausted:
            return counting.contains { hardware.countedAttempts($0)?.left == 0 }
        default: return false
        }
    }

    /// What counts wrong credentials.
    func limiter(of file: KeyFile) -> AttemptLimiter<DirectoryAttempts> {
        AttemptLimiter(
            vaultID: file.vault.bytes, limit: Int(file.attemptLimit),
            wipesAtLimit: file.flags.contains(.wipeOnLimit),
            store: DirectoryAttempts(directory: store.directory), now: BootInstant.now,
            stateLost: { [hub = memory.hub] in hub.post(.attemptStateLost) })
    }

    /// The hardware's own count of wrong PINs, where it has one and answers.
    func attemptsCountedByHardware(of file: KeyFile) -> VaultHardware.CountedAttempts? {
        guard let blob = try? file.tpmSlot?.tpmBlob() else { return nil }
        return hardware.countedAttempts(blob)
    }

    // MARK: Slots

    private func open(_ slots: [(Slot, Credential)], of keyring: Keyring) throws(MainKeyError) -> Opened {
        var refusal = MainKeyError.wrongCredential(attemptsLeft: nil)
        for (slot, credential) in slots {
            do throws(MainKeyError) {
                return try open(slot, of: keyring, with: credential)
            } catch {
                // Another slot may be the right one; anything else is told.
                guard case .wrongCredential = error else { throw error }
                refusal = error
            }
        }
        throw refusal
    }

    private func open(
        _ slot: Slot, of keyring: Keyring, with credential: Credential
    ) throws(MainKeyError) -> Opened {
        let file = keyring.file
        let (parts, bound) = try currentParts(of: slot, in: file, credential)
        let mainKey = try slot.open(parts, vault: file.vault, mainKeyID: file.mainKeyID)
        let secrets = try MainKeySecrets(mainKey, vault: file.vault)
        let epochs = try file.verify(keyring.bytes, under: secrets)
        try hardware.verifyAnchor(of: file, isRecovery: slot.kind == .recovery)
        return Opened(keyring: keyring, secrets: secrets, epochs: epochs, slot: slot.id, hardware: bound)
    }

    /// What an older file depends on in the hardware was removed when it was replaced: that it is older is what to tell
    /// then.
    private func currentParts(
        of slot: Slot, in file: KeyFile, _ credential: Credential
    ) throws(MainKeyError) -> ([Slot.Part], HardwareParts?) {
        do throws(MainKeyError) {
            return try parts(of: slot, in: file, credential)
        } catch {
            if case .hardwareDead = error, let now = try? hardware.anchorValue(of: file) {
                try file.verify(anchorValue: now)
            }
            throw error
        }
    }

    private func parts(
        of slot: Slot, in file: KeyFile, _ credential: Credential
    ) throws(MainKeyError) -> ([Slot.Part], HardwareParts?) {
        switch credential {
        case .none:
            guard let key = try store.items.files.read(NoneProtection.label(slot: slot.id)) else {
                throw .notFound("key item of this vault: a backup without it opens nothing")
            }
            return ([.item(key)], nil)
        case .pin(let pin):
            return ([.pin(try slot.stretch(pin))], nil)
        case .recovery(let code):
            return ([.recovery(try slot.stretch(code.bytes))], nil)
        case .hardware:
            let released = try release(slot, of: file, authorisation: nil)
            let parts: [Slot.Part] = [.hardware(released)]
            return (parts, HardwareParts(parts: parts, authorisation: nil, released: released))
        case .hardwareAndPIN(let pin):
            let stretched = try slot.stretch(pin)
            let authorisation = try Slot.hardwareAuthorisation(
                pin: stretched, salt: slot.salt, vault: file.vault, id: slot.id, kind: slot.kind)
            let released = try release(slot, of: file, authorisation: authorisation)
            let parts: [Slot.Part] = [.pin(stretched), .hardware(released)]
            return (parts, HardwareParts(parts: parts, authorisation: authorisation, released: released))
        }
    }

    private func release(
        _ slot: Slot, of file: KeyFile, authorisation: SecretBytes?
    ) throws(MainKeyError) -> SecretBytes {
        #if canImport(CryptoKit) && canImport(LocalAuthentication)
            if slot.hardwareKind == .secureEnclave {
                let blob = try onHardware(try EnclaveBlob(parsing: slot.hardwareBlob))
                return try EnclaveSlot.release(blob, of: file.vault, salt: slot.salt, id: slot.id, kind: slot.kind)
            }
        #endif
        guard slot.hardwareKind == .tpm2 else {
            throw .hardwareUnavailable(reason: "the slot belongs to a device of another kind")
        }
        let blob = try slot.tpmBlob()
        let tpm = try hardware.tpm()
        do throws(MainKeyError) {
            return try onHardware(try tpm.unseal(blob, auth: authorisation))
        } catch {
            guard case .wrongCredential = error, let counted = hardware.countedAttempts(blob) else { throw error }
            throw .wrongCredential(attemptsLeft: counted.left)
        }
    }
}

extension Slot {
    /// What a typed secret is stretched to for this slot.
    fileprivate func stretch(_ typed: SecretBytes) throws(MainKeyError) -> SecretBytes {
        guard let cost else { throw .malformed(.slot, reason: "it has no cost") }
        return try Argon2id.stretch(typed, salt: salt, cost: cost)
    }
}

/// The attempt file in the vault's folder.
struct DirectoryAttempts: AttemptStore {
    let directory: VaultDirectory

    func load() throws(MainKeyError) -> [UInt8]? {
        try directory.files.read(VaultDirectory.Name.attempts, limit: 4096)
    }

    func save(_ bytes: [UInt8]) throws(MainKeyError) {
        try directory.files.write(bytes, to: VaultDirectory.Name.attempts)
    }
}
