import BigEndian
import HardwareKeys
import SecretMemory

/// Slots that were made for a commit, with what they changed in the hardware.
struct MadeSlots {
    var slots: [Slot] = []
    /// What the file is anchored to from now on.
    var anchor: KeyFile.Anchor = .absent
    /// Whether the counter moves when the commit becomes final: the new blob is bound to its next value.
    var advancesCounter = false
    /// Indices that were defined for them, to be removed if the commit fails.
    var defined: [UInt32] = []
    /// Whether there are such, or there were to be.
    var hasIndices = false
    /// Items that were written for them, to be removed if the commit fails.
    var items: [String] = []
    /// Whether a TPM that is a program sealed one of them.
    var isInSoftware = false
    /// What seals the slot that is bound to the TPM again.
    var bound: BoundSlot?
}

/// Makes the slots of protections under one MainKey.
struct SlotMaking {
    let secrets: MainKeySecrets
    /// What each PIN and recovery code costs; nil where there are none.
    let cost: Argon2Cost?
    let now: UInt64
    let attemptLimit: UInt8
    /// The counter that the file has, with its value now, if the MainKey stays the same.
    var counter: (index: UInt32, value: UInt64)?
    let items: any KeyItemStore
    /// Where indices are listed; nil for a vault that is just made by an account that keeps nothing.
    let journal: IndexJournalWriter?
    /// The one that is known.
    let tpm: () throws(MainKeyError) -> TPM

    /// - Parameter kept: slots that stay, whose numbers are not used again.
    func make(_ protections: [Protection], besides kept: [Slot]) throws(MainKeyError) -> MadeSlots {
        var made = MadeSlots()
        do throws(MainKeyError) {
            for protection in protections { try add(protection, besides: kept, to: &made) }
        } catch {
            undo(made)
            throw error
        }
        return made
    }

    /// Removes what was defined and written for slots that are not to be.
    func undo(_ made: MadeSlots) {
        for label in made.items { try? items.delete(label) }
        guard made.hasIndices else { return }
        if let journal { return journal.takeBack() }
        guard let tpm = try? tpm() else { return }
        for index in made.defined { try? tpm.undefine(index) }
    }

    /// Runs what makes an index, and says why where it could not be listed.
    private func onTPM<R>(_ work: () throws(HardwareKeyError) -> R) throws(MainKeyError) -> R {
        do throws(HardwareKeyError) { return try work() } catch { throw journal?.refusal ?? MainKeyError(error) }
    }

    private func defineCounter(
        in tpm: TPM, _ made: inout MadeSlots
    ) throws(MainKeyError) -> (index: UInt32, value: UInt64) {
        let authorisation = try secrets.counterAuthorisation()
        made.hasIndices = true
        let counter = try onTPM { () throws(HardwareKeyError) in
            try tpm.defineCounter(
                auth: authorisation,
                intending: { (index) throws(HardwareKeyError) in try journal?.intend(index, in: tpm) },
                defined: { (_) throws(HardwareKeyError) in CrashPoint.reach("indices.defined") })
        }
        CrashPoint.reach("indices.made")
        made.defined.append(counter.index)
        try onTPM { () throws(HardwareKeyError) -> Void in
            do throws(HardwareKeyError) {
                try journal?.add(counter.index, counterValue: counter.value, in: tpm)
            } catch {
                try? tpm.undefine(counter.index)
                throw error
            }
        }
        return counter
    }

    private func definePINIndex(
        _ authorisation: SecretBytes, beside counter: UInt32, in tpm: TPM, _ made: inout MadeSlots
    ) throws(MainKeyError) -> UInt32 {
        made.hasIndices = true
        let pin = try onTPM { () throws(HardwareKeyError) in
            try tpm.definePINIndex(
                auth: authorisation, limit: UInt32(attemptLimit), beside: counter,
                intending: { (index) throws(HardwareKeyError) in try journal?.intend(index, in: tpm) },
                defined: { (index) throws(HardwareKeyError) in
                    CrashPoint.reach("indices.defined")
                    try journal?.add(index, counterValue: nil, in: tpm)
                })
        }
        made.defined.append(pin)
        return pin
    }

    private func add(_ protection: Protection, besides kept: [Slot], to made: inout MadeSlots) throws(MainKeyError) {
        let used = Set((kept + made.slots).map(\.id))
        let draft = Slot.Draft(
            protection.kind, cost: protection.kind.isStretched ? cost : nil, createdAt: now, avoiding: used)
        switch protection {
        case .none:
            let key = try secret { try SecretBytes.drawn(count: AEAD.keyByteCount) }
            let label = NoneProtection.label(slot: draft.id)
            try items.write(label, key, access: .always)
            made.items.append(label)
            made.slots.append(try slot(draft, [.item(key)], hardware: .keyItem, blob: []))
        case .pin(let pin):
            let stretched = try draft.stretch(pin)
            made.slots.append(try slot(draft, [.pin(stretched)], hardware: .absent, blob: []))
        case .recovery(let code):
            let stretched = try draft.stretch(code.bytes)
            made.slots.append(try slot(draft, [.recovery(stretched)], hardware: .absent, blob: []))
        case .hardware(let binding):
            try addBound(draft, pin: nil, binding, to: &made)
        case .hardwareAndPIN(let pin, let binding):
            let stretched = try draft.stretch(pin)
            try addBound(draft, pin: stretched, binding, to: &made)
        }
    }

    private func slot(
        _ draft: Slot.Draft, _ parts: [Slot.Part], hardware: Slot.HardwareKind, blob: [UInt8]
    ) throws(MainKeyError) -> Slot {
        try Slot(
            draft, parts, hardwareKind: hardware, hardwareBlob: blob, mainKey: secrets.mainKey, vault: secrets.vault,
            mainKeyID: secrets.id)
    }

    // MARK: Hardware

    private func addBound(
        _ draft: Slot.Draft, pin: SecretBytes?, _ binding: HardwareBinding, to made: inout MadeSlots
    ) throws(MainKeyError) {
        #if canImport(CryptoKit) && canImport(LocalAuthentication)
            if let objection = binding.objectionOfEnclave { throw .configError(reason: objection) }
            let blob = try onHardware(try EnclaveBlob.make(needsBiometry: true))
            let released = try EnclaveSlot.release(
                blob, of: secrets.vault, salt: draft.salt, id: draft.id, kind: draft.kind)
            var parts: [Slot.Part] = [.hardware(released)]
            if let pin { parts.append(.pin(pin)) }
            made.slots.append(try slot(draft, parts, hardware: .secureEnclave, blob: blob.serialised))
        #else
            try addToTPM(draft, pin: pin, binding, to: &made)
        #endif
    }

    private func addToTPM(
        _ draft: Slot.Draft, pin: SecretBytes?, _ binding: HardwareBinding, to made: inout MadeSlots
    ) throws(MainKeyError) {
        guard binding.template != .hardLimit || pin != nil else {
            throw .configError(reason: "a limit kept by the hardware needs a PIN")
        }
        let tpm = try tpm()
        made.isInSoftware = tpm.address.isSoftware
        var authorisation: SecretBytes?
        if let pin {
            authorisation = try Slot.hardwareAuthorisation(
                pin: pin, salt: draft.salt, vault: secrets.vault, id: draft.id, kind: draft.kind)
        }
        let registers: TPMRegisterState? =
            binding.registers.isEmpty
            ? nil
            : try onHardware(try tpm.registers(binding.registers))
        let policy = try policy(binding.template, authorisation, of: tpm, in: &made)
        let released = try secret { try SecretBytes.drawn(count: AEAD.keyByteCount) }
        let blob = try onHardware(
            try tpm.seal(released, auth: authorisation, policy: policy, registers: registers))
        var parts: [Slot.Part] = [.hardware(released)]
        if let pin { parts.append(.pin(pin)) }
        made.slots.append(try slot(draft, parts, hardware: .tpm2, blob: blob.serialised))
        made.bound = BoundSlot(
            slot: draft.id,
            parts: HardwareParts(parts: parts, authorisation: authorisation, released: released))
    }

    private func policy(
        _ template: HardwareBinding.Template, _ authorisation: SecretBytes?, of tpm: TPM, in made: inout MadeSlots
    ) throws(MainKeyError) -> TPMPolicy {
        guard template != .lockout else { return .authorisation }
        let bound: (index: UInt32, value: UInt64)
        if let counter {
            bound = (counter.index, counter.value + 1)
            made.advancesCounter = true
        } else {
            bound = try defineCounter(in: tpm, &made)
        }
        made.anchor = .tpm(index: bound.index, value: bound.value)
        guard template == .hardLimit, let authorisation else {
            return .counter(index: bound.index, value: bound.value)
        }
        let pin = try definePINIndex(authorisation, beside: bound.index, in: tpm, &made)
        return .limited(
            counter: bound.index, value: bound.value, pin: pin, limit: UInt32(attemptLimit))
    }
}

extension KeyFile.Flags {
    /// Takes note of which kind the TPM of the slots is.
    ///
    /// - Parameter slots: all of the file.
    mutating func note(_ made: MadeSlots, among slots: [Slot]) {
        if !slots.contains(where: { $0.hardwareKind == .tpm2 }) { remove(.softwareTPM) }
        guard made.slots.contains(where: { $0.hardwareKind == .tpm2 }) else { return }
        if made.isInSoftware { insert(.softwareTPM) } else { remove(.softwareTPM) }
    }
}

/// The key item of a vault without protection.
enum NoneProtection {
    /// Each slot has its own: a new one is written before the commit that makes the old one obsolete.
    static func label(slot id: UInt32) -> String { prefix + hex([UInt8](bigEndian: id)) }

    static let prefix = "NoneProtection."
}
