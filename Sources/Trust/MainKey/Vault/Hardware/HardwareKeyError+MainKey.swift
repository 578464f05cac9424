import HardwareKeys

extension MainKeyError {
    /// What the hardware says, in the words of a vault (`mainkey` section 17).
    init(_ error: HardwareKeyError) {
        self =
            switch error {
            case .wrongCredential: .wrongCredential(attemptsLeft: nil)
            case .exhausted: .attemptsExhausted(byHardware: true)
            case .lockout(let seconds): .hardwareLockout(seconds: seconds)
            case .rolledBack: .rolledBack(reason: "the hardware's counter has moved on since this state was current")
            case .registersChanged(let registers): .hardwareChanged(registers: registers)
            case .dead(let index): .hardwareDead(reason: "its index 0x\(String(index, radix: 16)) was removed")
            case .malformed(_, let offset, let reason):
                .malformed(.slot, reason: "its hardware blob at byte \(offset): \(reason)")
            case .enclaveKeyInvalidated: .hardwareDead(reason: "the enrolled faces or fingers changed")
            case .noSecretMemory(let reason): .limitExceeded(reason: reason)
            case .invalidArgument(let reason): .configError(reason: reason)
            case .unavailable(.otherHardware):
                .hardwareUnavailable(reason: "\(HardwareKeyError.Obstacle.otherHardware) Use the recovery code.")
            case .unavailable(let obstacle), .hardwareRequired(let obstacle):
                .hardwareUnavailable(reason: "\(obstacle)")
            default: .hardwareUnavailable(reason: "\(error)")
            }
    }
}

/// Runs what the hardware does, with its failure as one of this room's.
func onHardware<R>(_ work: @autoclosure () throws(HardwareKeyError) -> R) throws(MainKeyError) -> R {
    do throws(HardwareKeyError) { return try work() } catch { throw MainKeyError(error) }
}

extension Slot {
    /// What the TPM sealed for the slot.
    func tpmBlob() throws(MainKeyError) -> TPMSealedBlob { try onHardware(try TPMSealedBlob(parsing: hardwareBlob)) }

    /// How the slot is bound to hardware; nil if it is not.
    var binding: HardwareBinding? {
        if hardwareKind == .secureEnclave { return .lockout }
        guard hardwareKind == .tpm2, let blob = try? tpmBlob() else { return nil }
        return HardwareBinding(of: blob)
    }

    /// How a slot is bound that takes this one's place.
    func bindingToKeep() throws(MainKeyError) -> HardwareBinding {
        hardwareKind == .tpm2 ? HardwareBinding(of: try tpmBlob()) ?? .counter : binding ?? .counter
    }
}

extension KeyFile {
    /// The first slot that is bound to a TPM; a vault is made with one at the most.
    var tpmSlot: Slot? { slots.first { $0.hardwareKind == .tpm2 } }
}

extension HardwareBinding {
    init?(of blob: TPMSealedBlob) {
        guard let template = Template(rawValue: blob.policy.template) else { return nil }
        self.init(template, registers: blob.registers?.selection ?? .none)
    }
}

extension TPMPolicy {
    /// The same policy for another value of its counter.
    func bound(toCounterValue value: UInt64) -> TPMPolicy {
        switch self {
        case .authorisation: self
        case .counter(let index, _): .counter(index: index, value: value)
        case .limited(let counter, _, let pin, let limit):
            .limited(counter: counter, value: value, pin: pin, limit: limit)
        }
    }
}
