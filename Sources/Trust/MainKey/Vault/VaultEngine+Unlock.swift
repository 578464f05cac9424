import Foundation
import HardwareKeys
import SecretMemory

extension VaultEngine {
    /// Unlocks the vault.
    ///
    /// - Throws: `noSuchSlot`, `wrongCredential`, `throttled`, `attemptsExhausted`, `tampered`, `rolledBack`, those of
    ///   the hardware, `busy`, `io`; `locked` if somebody asked to lock in the meantime.
    package func unlock(_ credential: Credential) throws(MainKeyError) {
        try unlocking { (requests) throws(MainKeyError) in
            let opened = try authenticate(credential)
            let file = opened.keyring.file
            try install(
                Unlocked(
                    secrets: opened.secrets, keys: epochKeys(opened.epochs, of: file), slot: opened.slot,
                    hardware: file.flags.contains(.strictAnchor) ? opened.hardware : nil),
                file, unlessAskedToLockSince: requests)
            remember(file)
            if !changesNothing { removeLeftIndices(under: opened.secrets) }
        }
    }

    /// Checks a credential, and everything that it opens, without changing whether the vault is unlocked.
    package func verify(_ credential: Credential) throws(MainKeyError) {
        _ = try exclusively { () throws(MainKeyError) in try authenticate(credential) }
    }

    struct Authenticated {
        var keyring: Keyring
        var secrets: MainKeySecrets
        var epochs: [UInt32: SecretBytes]
        var slot: UInt32
        var hardware: HardwareParts?
    }

    /// Opens a slot with a credential and verifies the whole file behind it. Counts the attempt where a person types.
    func authenticate(_ credential: Credential) throws(MainKeyError) -> Authenticated {
        let isLeft = changesNothing ? false : try Self.hasLeftovers(directory)
        let lock = try HeldLock(
            credential.kind.isStretched || isLeft ? .exclusive : .shared, of: directory, patience: options.lockTimeout)
        defer { withExtendedLifetime(lock) {} }
        if isLeft { try Self.recover(directory, path: path, options) }
        let keyring = try load()
        let file = keyring.file
        if file.flags.contains(.requireHardware), file.slots(of: .hardware, .hardwareAndPIN).isEmpty {
            throw .tampered(reason: "the vault requires hardware and has no slot for it")
        }
        try checkRemembered(file)
        let slots = file.slots(of: credential.kind)
        guard !slots.isEmpty else { throw .noSuchSlot(credential.kind.title) }
        guard credential.kind.isStretched else { return try open(slots, of: keyring, with: credential) }
        do throws(MainKeyError) {
            return try limiter(file).attempt(credential.kind == .recovery ? .recoveryCode : .pin) {
                () throws(MainKeyError) in
                try open(slots, of: keyring, with: credential)
            }
        } catch {
            if file.flags.contains(.wipeOnLimit), Self.isLimit(error) {
                try wipeLocked(data: [])
            }
            throw error
        }
    }

    private static func isLimit(_ error: MainKeyError) -> Bool {
        switch error {
        case .attemptsExhausted, .wrongCredential(attemptsLeft: 0): true
        default: false
        }
    }

    func limiter(_ file: KeyFile) -> AttemptLimiter<DirectoryAttempts> {
        AttemptLimiter(
            vaultID: file.vault.bytes, limit: Int(file.attemptLimit),
            store: DirectoryAttempts(directory: directory), now: BootInstant.now,
            stateLost: { [hub] in hub.post(.attemptStateLost) })
    }

    private func open(
        _ slots: [Slot], of keyring: Keyring, with credential: Credential
    ) throws(MainKeyError) -> Authenticated {
        var refusal = MainKeyError.wrongCredential(attemptsLeft: nil)
        for slot in slots {
            do throws(MainKeyError) {
                return try open(slot, of: keyring, with: credential)
            } catch {
                // Another slot of this kind may be the right one; anything else is told.
                guard case .wrongCredential = error else { throw error }
                refusal = error
            }
        }
        throw refusal
    }

    private func open(
        _ slot: Slot, of keyring: Keyring, with credential: Credential
    ) throws(MainKeyError) -> Authenticated {
        let file = keyring.file
        let (parts, hardware) = try currentParts(of: slot, in: file, credential)
        let mainKey = try slot.open(parts, vault: file.vault, mainKeyID: file.mainKeyID)
        let secrets = try MainKeySecrets(mainKey, vault: file.vault)
        let epochs = try file.verify(keyring.bytes, under: secrets)
        try file.verifyAnchorLink()
        try verifyAnchor(of: file, isRecovery: slot.kind == .recovery)
        return Authenticated(keyring: keyring, secrets: secrets, epochs: epochs, slot: slot.id, hardware: hardware)
    }

    /// What an older file depends on in the hardware was removed when it was replaced: that it is older is what to tell
    /// then.
    private func currentParts(
        of slot: Slot, in file: KeyFile, _ credential: Credential
    ) throws(MainKeyError) -> ([Slot.Part], HardwareParts?) {
        do throws(MainKeyError) {
            return try parts(of: slot, in: file, credential)
        } catch {
            if case .hardwareDead = error, let now = try? anchorValue(of: file) { try file.verify(anchorValue: now) }
            throw error
        }
    }

    private func parts(
        of slot: Slot, in file: KeyFile, _ credential: Credential
    ) throws(MainKeyError) -> ([Slot.Part], HardwareParts?) {
        switch credential {
        case .none:
            guard let key = try items.read(NoneProtection.label(slot: slot.id)) else {
                throw .notFound("key item of this vault: a backup without it opens nothing")
            }
            return ([.item(key)], nil)
        case .pin(let pin):
            return ([.pin(try stretch(pin, slot))], nil)
        case .recovery(let code):
            return ([.recovery(try stretch(code.bytes, slot))], nil)
        case .hardware:
            let released = try release(slot, of: file, authorisation: nil)
            let parts: [Slot.Part] = [.hardware(released)]
            return (parts, HardwareParts(parts: parts, authorisation: nil, released: released))
        case .hardwareAndPIN(let pin):
            let stretched = try stretch(pin, slot)
            let authorisation = try Slot.hardwareAuthorisation(
                pin: stretched, salt: slot.salt, vault: file.vault, id: slot.id, kind: slot.kind)
            let released = try release(slot, of: file, authorisation: authorisation)
            let parts: [Slot.Part] = [.pin(stretched), .hardware(released)]
            return (parts, HardwareParts(parts: parts, authorisation: authorisation, released: released))
        }
    }

    private func stretch(_ typed: SecretBytes, _ slot: Slot) throws(MainKeyError) -> SecretBytes {
        guard let cost = slot.cost else { throw .malformed(.slot, reason: "it has no cost") }
        return try Argon2id.stretch(typed, salt: slot.salt, cost: cost)
    }

    private func release(
        _ slot: Slot, of file: KeyFile, authorisation: SecretBytes?
    ) throws(MainKeyError) -> SecretBytes {
        #if canImport(CryptoKit) && canImport(LocalAuthentication)
            if slot.hardwareKind == .secureEnclave {
                let blob = try onHardware { () throws(HardwareKeyError) in try EnclaveBlob(parsing: slot.hardwareBlob) }
                return try EnclaveSlot.release(blob, slot.salt, file.vault, slot.id, slot.kind)
            }
        #endif
        guard slot.hardwareKind == .tpm2 else {
            throw .hardwareUnavailable(reason: "the slot belongs to a device of another kind")
        }
        let blob = try onHardware { () throws(HardwareKeyError) in try TPMSealedBlob(parsing: slot.hardwareBlob) }
        let tpm = try tpm()
        do throws(MainKeyError) {
            return try onHardware { () throws(HardwareKeyError) in try tpm.unseal(blob, auth: authorisation) }
        } catch {
            guard case .wrongCredential = error, let counted = Self.attempts(blob, tpm) else { throw error }
            throw .wrongCredential(attemptsLeft: counted.left)
        }
    }

    /// What the hardware has counted.
    struct CountedAttempts {
        var wrong: Int
        var left: Int
    }

    /// - Returns: nil where the hardware keeps no count of the vault's own, or does not tell.
    static func attempts(_ blob: TPMSealedBlob, _ tpm: TPM) -> CountedAttempts? {
        guard let pin = blob.policy.pin, let counted = try? tpm.pinAttempts(pin.index) else { return nil }
        let limit = min(counted.limit, pin.limit)
        return CountedAttempts(wrong: Int(counted.wrong), left: Int(limit - min(limit, counted.wrong)))
    }

    /// Compares the file with what cannot be put back. A recovery code opens a vault also where the hardware is gone:
    /// that is what it is for.
    func verifyAnchor(of file: KeyFile, isRecovery: Bool) throws(MainKeyError) {
        do throws(MainKeyError) {
            guard let now = try anchorValue(of: file) else { return }
            try file.verify(anchorValue: now)
        } catch {
            switch error {
            case .hardwareUnavailable where isRecovery, .hardwareDead where isRecovery:
                hub.post(.hardwareLeftover("the rollback counter could not be read; an older state is not noticed"))
            default: throw error
            }
        }
    }

    /// What the anchor of a file says now; nil where there is none.
    func anchorValue(of file: KeyFile) throws(MainKeyError) -> UInt64? {
        switch file.anchor {
        case .absent: return nil
        case .tpm(let index, _):
            let tpm = try tpm()
            return try onHardware { () throws(HardwareKeyError) in try tpm.readCounter(index) }
        case .external:
            guard let anchor = options.externalAnchor else {
                throw .configError(reason: "the vault is anchored by its application, which gave no anchor")
            }
            do { return try anchor.value() } catch { throw .io(path: "rollback anchor", reason: "\(error)") }
        }
    }
}

extension KeyFile {
    /// A file is anchored to the TPM exactly when its TPM slot is bound to a counter, and to that counter's value.
    func verifyAnchorLink() throws(MainKeyError) {
        var bound: (index: UInt32, value: UInt64)?
        if let slot = slots.first(where: { $0.hardwareKind == .tpm2 }) {
            let blob = try onHardware { () throws(HardwareKeyError) in try TPMSealedBlob(parsing: slot.hardwareBlob) }
            bound = blob.policy.counter
        }
        let anchored: (index: UInt32, value: UInt64)? =
            if case .tpm(let index, let value) = anchor { (index, value) } else { nil }
        guard bound?.index == anchored?.index, bound?.value == anchored?.value else {
            throw .tampered(reason: "the key file's anchor is not that of its TPM slot")
        }
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
