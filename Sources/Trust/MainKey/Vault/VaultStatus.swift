/// What can be said of a vault without any secret.
public struct VaultStatus: Sendable {
    /// A way to open it.
    public struct Way: Sendable {
        public var id: UInt32
        /// `none`, `pin`, `tpm`, `tpm+pin` or `recovery`.
        public var kind: String
        /// Seconds since 1970.
        public var createdAt: UInt64
        public var cost: Argon2Cost?
        /// How it is bound to the hardware, if it is.
        public var binding: HardwareBinding?
    }

    public struct Epoch: Sendable {
        public var number: UInt32
        public var isActive: Bool
        public var createdAt: UInt64
    }

    public var path: String
    public var vaultID: VaultID
    public var generation: UInt64
    public var createdAt: UInt64
    public var ways: [Way]
    public var epochs: [Epoch]
    public var autolock: AutolockTimeout
    public var attemptLimit: Int
    public var failedAttempts: Int
    public var attemptsLeft: Int
    /// Until the next attempt is taken.
    public var secondsToWait: Int
    /// Whether the count of attempts was missing or damaged.
    public var isAttemptStateLost: Bool
    public var wipesOnLimit: Bool
    public var requiresHardware: Bool
    public var isRotating: Bool
    public var hasStrictAnchor: Bool
    /// `none`, `tpm` or `external`.
    public var anchor: String
    public var anchorValue: UInt64?
    public var phase: VaultState
}

extension VaultEngine {
    package func status() throws(MainKeyError) -> VaultStatus {
        let lock = try HeldLock(.shared, of: directory, patience: options.lockTimeout)
        defer { withExtendedLifetime(lock) {} }
        let file = try load().file
        let attempts = try limiter(file).status()
        let (anchor, value): (String, UInt64?) =
            switch file.anchor {
            case .absent: ("none", nil)
            case .tpm(_, let value): ("tpm", value)
            case .external(let value): ("external", value)
            }
        return VaultStatus(
            path: path, vaultID: file.vault, generation: file.generation, createdAt: file.createdAt,
            ways: file.slots.map { slot in
                VaultStatus.Way(
                    id: slot.id, kind: slot.kind.title, createdAt: slot.createdAt, cost: slot.cost,
                    binding: slot.binding)
            },
            epochs: file.epochs.map { record in
                VaultStatus.Epoch(number: record.epoch, isActive: record.state == .active, createdAt: record.createdAt)
            },
            autolock: file.autolock, attemptLimit: Int(file.attemptLimit), failedAttempts: attempts.failed,
            attemptsLeft: attempts.attemptsLeft, secondsToWait: attempts.remainingSeconds,
            isAttemptStateLost: attempts.isLost, wipesOnLimit: file.flags.contains(.wipeOnLimit),
            requiresHardware: file.flags.contains(.requireHardware),
            isRotating: file.flags.contains(.rotationInProgress), hasStrictAnchor: file.flags.contains(.strictAnchor),
            anchor: anchor, anchorValue: value, phase: phase)
    }
}
