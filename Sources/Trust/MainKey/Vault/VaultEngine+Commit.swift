import Foundation
import HardwareKeys
import SecretMemory

/// A key file with its bytes.
struct Keyring {
    let file: KeyFile
    let bytes: [UInt8]
}

/// A change of the key file that is ready to be written.
struct KeyFileChange {
    var file: KeyFile
    /// The MainKey under which the new file is written; another than before only after a rekey.
    var secrets: MainKeySecrets
    /// The counter that moves when the change becomes final.
    var advancing: UInt32?
    /// The authorisation to move it; the key file's MainKey made it.
    var counterAuthorisation: SecretBytes?
    /// The change of the items that goes with it; nil for none.
    var items: ItemChange?
}

extension VaultEngine {
    /// Reads the key file as it is on disk.
    func load() throws(MainKeyError) -> Keyring {
        guard !changesNothing else { return try Self.looked(at: directory, path: path, options) }
        guard let bytes = try directory.keyFile() else { throw .notFound("vault in \(path)") }
        return Keyring(file: try KeyFile(parsing: bytes), bytes: bytes)
    }

    /// Writes a change (`mainkey` section 14): killed at any moment, the vault has its old state or the new one.
    ///
    /// The caller holds the exclusive lock.
    ///
    /// - Parameters:
    ///   - generation: of the file that the change starts from; 0 for a new vault.
    ///   - undo: takes back what was made for the change, called if it fails and can never become final.
    /// - Returns: the file as it was written.
    @discardableResult
    func commit(
        _ change: KeyFileChange, from generation: UInt64, orElse undo: () -> Void = {}
    ) throws(MainKeyError) -> KeyFile {
        // Before it is final: killed behind that, a vault that its owner unprotected would be refused. If it comes to
        // nothing, the next unlocking remembers what there is.
        if !change.file.slots(of: .none).isEmpty { remember(change.file, generation == 0 ? .unsettled : .here) }
        var change = change
        let file: KeyFile
        do throws(MainKeyError) { file = try stage(&change, from: generation) } catch {
            discard(change.items)
            undo()
            throw error
        }
        let items = change.items
        func takeBack() {
            discard(items)
            undo()
        }
        CrashPoint.reach("commit.4")
        try advance(change, file, orElse: takeBack)
        CrashPoint.reach("commit.5")
        do throws(MainKeyError) {
            try directory.files.promote(Name.stagedKeyFile, to: Name.keyFile)
        } catch {
            // Without a counter the old file is what counts as long as it has its name.
            if change.advancing == nil, !file.isAnchoredOutside, isUnchanged(since: generation) {
                try? directory.files.remove(Name.stagedKeyFile)
                takeBack()
            }
            throw error
        }
        CrashPoint.reach("commit.6")
        if let items { finish(items) }
        removeListedIndices(under: change.secrets)
        removeForgottenItems(of: file)
        CrashPoint.reach("commit.7")
        return file
    }

    /// Writes the new file beside the old one.
    private func stage(_ change: inout KeyFileChange, from generation: UInt64) throws(MainKeyError) -> KeyFile {
        guard !changesNothing else { throw .internalFailure(reason: "a vault was opened only to look at it") }
        CrashPoint.reach("commit.1")
        // A process that died may have left the only file that still opens.
        if try Self.hasLeftovers(directory) { try Self.recover(directory, path: path, options) }
        try checkGeneration(generation)
        var file = change.file
        file.generation = generation + 1
        if case .external(let value) = file.anchor { file.anchor = .external(value: value + 1) }
        // A vault of the first versions: its items are taken as they are.
        if file.itemRoot == nil, change.items == nil { change.items = ItemChange(list: try items.listed()) }
        if let items = change.items { try stage(items, in: &file) }
        let bytes = file.bytes(under: change.secrets)
        CrashPoint.reach("commit.2")
        // What cannot be read back is not written.
        _ = try KeyFile(parsing: bytes).verify(bytes, under: change.secrets)
        CrashPoint.reach("commit.3")
        try bytes.withUnsafeBufferPointer { (bytes) throws(MainKeyError) in
            try directory.files.stage(UnsafeRawBufferPointer(bytes), as: Name.stagedKeyFile)
        }
        return file
    }

    private func checkGeneration(_ generation: UInt64) throws(MainKeyError) {
        guard generation > 0 else { return }
        let found = try load().file.generation
        guard found == generation else { throw .stale(expected: generation, found: found) }
    }

    /// Whether the key file is still the one that a change started from.
    private func isUnchanged(since generation: UInt64) -> Bool {
        do throws(MainKeyError) { return try load().file.generation == generation } catch {
            if case .notFound = error { return generation == 0 }
            return false
        }
    }

    /// Moves the counter that the new file is bound to: from here on the old file is refused.
    ///
    /// Where it is not known whether it moved, the new file stays, and the next opening finds out.
    private func advance(_ change: KeyFileChange, _ file: KeyFile, orElse undo: () -> Void) throws(MainKeyError) {
        if case .external(let value) = file.anchor, let anchor = options.externalAnchor {
            do { try anchor.advance(to: value) } catch {
                throw .io(path: "rollback anchor", reason: "\(error)")
            }
        }
        guard let index = change.advancing, let authorisation = change.counterAuthorisation else { return }
        do throws(MainKeyError) {
            let tpm = try tpm(of: file)
            try onHardware { () throws(HardwareKeyError) in _ = try tpm.incrementCounter(index, auth: authorisation) }
        } catch {
            // The connection may have broken after the counter moved.
            if case .hardwareUnavailable = error { throw error }
            try? directory.files.remove(Name.stagedKeyFile)
            undo()
            throw error
        }
    }

    /// Removes the keys of ways without protection that the vault has no more: whoever finds one and an old key file
    /// opens it.
    ///
    /// The caller holds the exclusive lock.
    func removeForgottenItems(of file: KeyFile) {
        let named = Set(file.slots(of: .none).map { NoneProtection.label(slot: $0.id) })
        removeItems { $0.label.hasPrefix(NoneProtection.prefix) && !named.contains($0.label) }
    }

    /// Removes items, and tells what could not be removed.
    func removeItems(where isUnwanted: (KeyItem) -> Bool) {
        do throws(MainKeyError) {
            for failure in try items.remove(where: isUnwanted) { hub.post(.hardwareLeftover("\(failure)")) }
        } catch {
            hub.post(.hardwareLeftover("key items: \(error)"))
        }
    }

    /// Changes the settings or epochs of an unlocked vault, and takes the result over.
    func change(_ body: (inout KeyFile, MainKeySecrets) throws(MainKeyError) -> Void) throws(MainKeyError) {
        let lock = try HeldLock(.exclusive, of: directory, patience: options.lockTimeout)
        defer { withExtendedLifetime(lock) {} }
        let (_, unlocked) = try unlocked()
        let keyring = try current(unlocked)
        var change = KeyFileChange(file: keyring.file, secrets: unlocked.secrets)
        try body(&change.file, unlocked.secrets)
        try resealIfStrict(&change, unlocked)
        try adopt(try commit(change, from: keyring.file.generation), unlocked)
    }

    /// The file on disk, which must be one of this MainKey.
    func current(_ unlocked: Unlocked) throws(MainKeyError) -> Keyring {
        let keyring = try load()
        _ = try keyring.file.verify(keyring.bytes, under: unlocked.secrets)
        return keyring
    }

    /// Takes over a file that was committed under the MainKey in memory.
    func adopt(_ file: KeyFile, _ unlocked: Unlocked) throws(MainKeyError) {
        var epochs: [UInt32: SecretBytes] = [:]
        for record in file.epochs { epochs[record.epoch] = try record.open(under: unlocked.secrets) }
        unlocked.keys.replace(epochs, active: file.activeEpoch)
        let isNewTimeout = state.withLock { state in
            state.file = file
            return state.autolock.timeout != file.autolock
        }
        if isNewTimeout { note(.set(file.autolock)) }
        hub.post(.changed(generation: file.generation))
    }

    /// Where every change has to move the counter, the TPM slot is sealed again to its next value.
    func resealIfStrict(_ change: inout KeyFileChange, _ unlocked: Unlocked) throws(MainKeyError) {
        guard change.file.flags.contains(.strictAnchor), case .tpm(let index, let value) = change.file.anchor else {
            return
        }
        guard let hardware = unlocked.hardware,
            let position = change.file.slots.firstIndex(where: { $0.id == unlocked.slot })
        else {
            throw .hardwareUnavailable(reason: "every change needs the TPM: unlock with it, not with the recovery code")
        }
        let slot = change.file.slots[position]
        let old = try onHardware { () throws(HardwareKeyError) in try TPMSealedBlob(parsing: slot.hardwareBlob) }
        let policy = old.policy.bound(toCounterValue: value + 1)
        let tpm = try tpm(of: change.file)
        let blob = try onHardware { () throws(HardwareKeyError) in
            // To the registers as they were: what they hold now is not what a person agreed to.
            try tpm.seal(
                hardware.released, auth: hardware.authorisation, policy: policy, registers: old.registers)
        }
        change.file.slots[position] = try slot.resealed(
            hardware.parts, blob: blob.serialised, mainKey: unlocked.secrets.mainKey, vault: change.file.vault,
            mainKeyID: change.file.mainKeyID)
        change.file.anchor = .tpm(index: index, value: value + 1)
        change.advancing = index
        change.counterAuthorisation = try unlocked.secrets.counterAuthorisation()
    }
}
