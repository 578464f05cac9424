import HardwareKeys
import SecretMemory
import Synchronization

/// The TPM of a vault: one connection to it, and what tells by it that a key file is not an older one.
final class VaultHardware: Sendable {
    private let options: OpenOptions
    private let memory: VaultMemory
    private let connection = Mutex<TPM?>(nil)

    init(_ options: OpenOptions, _ memory: VaultMemory) {
        self.options = options
        self.memory = memory
    }

    func tpm() throws(MainKeyError) -> TPM {
        let address = options.tpm ?? .standard
        guard !address.isSoftware || options.allowsSoftwareTPM || memory.file.flags.contains(.softwareTPM) else {
            throw .configError(
                reason:
                    "\(address) is a TPM in software, which keeps nothing from whoever has its files; "
                    + MainKeyError.Situation.softwareTPM.rawValue)
        }
        let result: Result<TPM, HardwareKeyError> = connection.withLock { connection in
            if let connection { return .success(connection) }
            do throws(HardwareKeyError) {
                let tpm = try TPM(at: address)
                connection = tpm
                return .success(tpm)
            } catch {
                return .failure(error)
            }
        }
        return try onHardware(try result.get())
    }

    /// The TPM that new ways to open the vault are bound to: the one that this account knows at its address, or, at its
    /// first use, the one that is there. What goes to it is encrypted for that one alone.
    ///
    /// - Throws: `hardwareUnavailable` for another one, unless that is accepted.
    func enrollingTPM() throws(MainKeyError) -> TPM {
        let tpm = try tpm()
        let identity = try onHardware(try tpm.identity())
        guard let known = options.knownVaults else { return tpm.pinned(to: identity.storageKey) }
        switch try known.acquaintance(with: identity, at: tpm.address) {
        case .known: break
        case .other(let remembered) where !options.acceptsOtherTPM:
            throw .hardwareUnavailable(
                reason:
                    "another TPM answers at \(tpm.address) than the one that this account knows (\(identity), not "
                    + "\(remembered)). \(MainKeyError.Situation.otherTPM.rawValue)")
        case .new, .other:
            do throws(MainKeyError) { try known.remember(identity, at: tpm.address) } catch {
                memory.hub.post(
                    .hardwareLeftover("which TPM this is cannot be remembered outside of the vault (\(error))"))
            }
        }
        return tpm.pinned(to: identity.storageKey)
    }

    /// The TPM that a key file is bound to, which gets nothing secret unless it is that one.
    func tpm(of file: KeyFile) throws(MainKeyError) -> TPM {
        let tpm = try tpm()
        guard let slot = file.tpmSlot else { return tpm }
        return tpm.pinned(to: try slot.tpmBlob().parentName)
    }

    /// The counter of a vault that new ways to open it go on with, under the same MainKey: its step is what makes the
    /// old ways useless.
    ///
    /// - Returns: nil where the vault has none, or it certainly is not in the TPM that new ways are bound to, which
    ///   proves who it is.
    func counter(goingOnFrom old: KeyFile) throws(MainKeyError) -> (index: UInt32, value: UInt64)? {
        guard case .tpm(let index, _) = old.anchor, let slot = old.tpmSlot else { return nil }
        let storageKey = try slot.tpmBlob().parentName
        let enrolling = try enrollingTPM()
        do throws(HardwareKeyError) {
            return (index, try enrolling.pinned(to: storageKey).readCounter(index))
        } catch {
            switch error {
            case .dead: return nil
            case .unavailable(.otherHardware) where enrolling.storageKeyName != storageKey: return nil
            default: throw MainKeyError(error)
            }
        }
    }

    // MARK: The anchor

    /// What the anchor of a file says now; nil where there is none.
    func anchorValue(of file: KeyFile) throws(MainKeyError) -> UInt64? {
        switch file.anchor {
        case .absent: return nil
        case .tpm(let index, _):
            let tpm = try tpm(of: file)
            return try onHardware(try tpm.readCounter(index))
        case .external:
            guard let value = try outsideValue() else { throw Self.missingOutsideAnchor }
            return value
        }
    }

    /// What the anchor that the application keeps says now; nil where it keeps none.
    private func outsideValue() throws(MainKeyError) -> UInt64? {
        do { return try options.externalAnchor?.value() } catch {
            throw .io(path: "rollback anchor", reason: "\(error)")
        }
    }

    private static let missingOutsideAnchor = MainKeyError.configError(
        reason: "the vault is anchored by its application, which gave no anchor")

    /// A vault has one anchor: one that is given and asked nothing would be relied on for nothing.
    private func checkOneAnchor(of file: KeyFile) throws(MainKeyError) {
        guard options.externalAnchor != nil, case .tpm = file.anchor else { return }
        throw .configError(
            reason:
                "a counter of the TPM is the vault's anchor, and the application's is none beside it: open it without. "
                + "With VaultOptions.hasStrictAnchor every change moves that counter")
    }

    /// Gives a file that is about to be written the anchor that the application keeps, where the vault has none.
    ///
    /// - Returns: whether it had none and has this one now.
    /// - Throws: `configError` where the vault and its application do not have the same anchor; `io`.
    func anchorOutside(_ file: inout KeyFile) throws(MainKeyError) -> Bool {
        try checkOneAnchor(of: file)
        guard let value = try outsideValue() else {
            guard !file.isAnchoredOutside else { throw Self.missingOutsideAnchor }
            return false
        }
        guard value < .max else { throw .configError(reason: "the application's rollback anchor has no next value") }
        guard file.anchor == .absent else { return false }
        file.anchor = .external(value: value)
        return true
    }

    /// Compares a file with what cannot be put back. A recovery code opens a vault also where the hardware is gone:
    /// that is what it is for.
    func verifyAnchor(of file: KeyFile, isRecovery: Bool) throws(MainKeyError) {
        try file.verifyAnchorLink()
        try checkOneAnchor(of: file)
        do throws(MainKeyError) {
            guard let now = try anchorValue(of: file) else { return }
            try file.verify(anchorValue: now)
        } catch {
            switch error {
            case .hardwareUnavailable where isRecovery, .hardwareDead where isRecovery:
                memory.hub.post(
                    .hardwareLeftover("the rollback counter could not be read; an older state is not noticed"))
            default: throw error
            }
        }
    }

    /// Moves the counter that a new file is bound to.
    func advance(_ change: KeyFileChange, to file: KeyFile) throws(MainKeyError) {
        guard let index = change.advancing, let authorisation = change.counterAuthorisation else { return }
        let tpm = try tpm(of: file)
        try onHardware(try tpm.incrementCounter(index, auth: authorisation))
    }

    /// Moves the anchor that the application keeps, where a new file has one.
    func advanceOutside(to file: KeyFile) throws(MainKeyError) {
        guard case .external(let value) = file.anchor, let anchor = options.externalAnchor else { return }
        do { try anchor.advance(to: value) } catch { throw .io(path: "rollback anchor", reason: "\(error)") }
    }

    // MARK: Sealing

    /// Seals the TPM slot again to the counter's next value, where every change has to move it.
    func resealIfStrict(_ change: inout KeyFileChange, _ unlocked: UnlockedKeys) throws(MainKeyError) {
        guard change.file.flags.contains(.strictAnchor), case .tpm(let index, let value) = change.file.anchor else {
            return
        }
        guard let hardware = unlocked.hardware,
            let position = change.file.slots.firstIndex(where: { $0.id == unlocked.slot })
        else {
            throw .hardwareUnavailable(reason: "every change needs the TPM: unlock with it, not with the recovery code")
        }
        let slot = change.file.slots[position]
        let old = try slot.tpmBlob()
        let policy = old.policy.bound(toCounterValue: value + 1)
        let tpm = try tpm(of: change.file)
        // To the registers as they were: what they hold now is not what a person agreed to.
        let blob = try onHardware(
            try tpm.seal(hardware.released, auth: hardware.authorisation, policy: policy, registers: old.registers))
        change.file.slots[position] = try slot.resealed(
            hardware.parts, blob: blob.serialised, mainKey: unlocked.secrets.mainKey, vault: change.file.vault,
            mainKeyID: change.file.mainKeyID)
        change.file.anchor = .tpm(index: index, value: value + 1)
        change.advancing = index
        change.counterAuthorisation = try unlocked.secrets.counterAuthorisation()
    }

    /// What the hardware has counted.
    struct CountedAttempts {
        var wrong: Int
        var left: Int
        /// Whether the hardware allows more than the vault was made for, and so does not keep its limit.
        var isLimitRaised: Bool
    }

    /// The hardware's own count of wrong PINs.
    ///
    /// - Returns: nil where the hardware keeps no count of the vault's own, or does not tell.
    func countedAttempts(_ blob: TPMSealedBlob) -> CountedAttempts? {
        guard let pin = blob.policy.pin, let tpm = try? tpm().pinned(to: blob.parentName),
            let counted = try? tpm.pinAttempts(pin.index)
        else { return nil }
        let limit = min(counted.limit, pin.limit)
        return CountedAttempts(
            wrong: Int(counted.wrong), left: Int(limit - min(limit, counted.wrong)),
            isLimitRaised: counted.limit > pin.limit)
    }
}

extension KeyFile {
    /// A file is anchored to the TPM exactly when its TPM slot is bound to a counter, and to that counter's value.
    fileprivate func verifyAnchorLink() throws(MainKeyError) {
        let bound = try tpmSlot?.tpmBlob().policy.counter
        let anchored: (index: UInt32, value: UInt64)? =
            if case .tpm(let index, let value) = anchor { (index, value) } else { nil }
        guard bound?.index == anchored?.index, bound?.value == anchored?.value else {
            throw .tampered(reason: "the key file's anchor is not that of its TPM slot")
        }
    }
}
