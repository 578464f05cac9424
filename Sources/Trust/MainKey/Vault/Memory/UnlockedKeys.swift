import SecretMemory

/// What is in memory while a vault is open.
struct UnlockedKeys {
    var secrets: MainKeySecrets
    let keys: EpochKeys
    /// The slot that was opened.
    var slot: UInt32
    /// What seals the same slot again, kept only where every change has to.
    var hardware: HardwareParts?
    /// When the session ends that unlocked it, in milliseconds since the machine was started.
    var deadline: UInt64?

    /// Keeps what seals a TPM slot again, where every change of the file has to.
    mutating func take(_ bound: BoundSlot?, of file: KeyFile) {
        guard let bound, file.flags.contains(.strictAnchor) else { return }
        (slot, hardware) = (bound.slot, bound.parts)
    }
}

/// The parts of the key of a slot that is bound to the TPM.
struct HardwareParts {
    var parts: [Slot.Part]
    var authorisation: SecretBytes?
    var released: SecretBytes
}

/// A slot that is bound to the TPM, with what seals it again.
struct BoundSlot {
    var slot: UInt32
    var parts: HardwareParts
}
