import HardwareKeys

/// What can be said of a vault without any secret.
public struct VaultStatus: Sendable {
    /// A way to open it.
    public struct Way: Sendable {
        /// The number of the slot.
        public var id: UInt32
        /// The kind of credential: `none`, `pin`, `tpm`, `tpm+pin` or `recovery`.
        public var kind: String
        /// When it was made, in seconds since 1970.
        public var createdAt: UInt64
        /// What stretching a PIN or code costs; nil where nothing is typed.
        public var cost: Argon2Cost?
        /// How it is bound to the hardware, if it is.
        public var binding: HardwareBinding?
    }

    package struct Epoch: Sendable {
        package var number: UInt32
        package var isActive: Bool
        package var createdAt: UInt64
    }

    package var path: String
    /// 16 random bytes that stay the same wherever its folder is moved.
    public var vaultID: VaultID
    package var generation: UInt64
    public var createdAt: UInt64
    /// The ways to open it, in the order in which they were made.
    public var ways: [Way]
    package var epochs: [Epoch]
    /// After how long it locks by itself.
    public var autolock: AutolockTimeout
    /// The most wrong credentials in a row.
    public var attemptLimit: Int
    /// Wrong credentials in a row until now, by the stricter of both counts.
    public var failedAttempts: Int
    /// The attempts that are left, by the stricter of both counts where the hardware's was asked for.
    public var attemptsLeft: Int
    /// Whether that is what the hardware counts, which no file that is put back can change.
    public var isCountedByHardware: Bool
    /// Whether its TPM is a program, which was allowed when it was made.
    public var hasSoftwareTPM: Bool
    /// Why it is refused by what the account remembers of it; nil if it is as it was.
    public var refusal: MainKeyError?
    /// The seconds until the next attempt is taken.
    public var secondsToWait: Int
    /// Whether the count of attempts was missing or damaged.
    public var isAttemptStateLost: Bool
    /// The seconds to wait before a credential is asked for. Nobody is kept from it where the count was lost: the wait
    /// begins when an attempt notes that, and would else never end.
    package var secondsBeforeAsking: Int { isAttemptStateLost ? 0 : secondsToWait }
    /// Whether the vault is wiped when the limit is reached.
    public var wipesOnLimit: Bool
    /// Whether it is refused when its hardware protection is missing.
    public var requiresHardware: Bool
    /// Whether a rotation is under way.
    public var isRotating: Bool
    /// Whether the hardware allows more wrong PINs than the vault was made for, where it was asked.
    package var isHardwareLimitRaised: Bool
    /// Whether the hardware's counter moves with every change.
    public var hasStrictAnchor: Bool
    /// Whether it lists its items, so that one that is put back is noticed; a vault of the first versions does from its
    /// next change on.
    package var listsItems: Bool
    /// Whether every change of an item moves an anchor, so that none is what it was before.
    package var hasAnchoredItems: Bool
    /// The anchor, which tells an older copy of the key file: `none`, `tpm` or `external`.
    public var anchor: String
    package var anchorValue: UInt64?
    package var phase: VaultState
}

extension VaultStatus {
    /// - Parameters:
    ///   - attempts: what this machine's record says of wrong credentials.
    ///   - counted: what the hardware has counted, where it was asked.
    init(
        _ file: KeyFile, path: String, phase: VaultState, attempts: AttemptLimiter<DirectoryAttempts>.Status,
        countedByHardware counted: VaultHardware.CountedAttempts?, refusal: MainKeyError?
    ) {
        let (anchor, value): (String, UInt64?) =
            switch file.anchor {
            case .absent: ("none", nil)
            case .tpm(_, let value): ("tpm", value)
            case .external(let value): ("external", value)
            }
        self.init(
            path: path, vaultID: file.vault, generation: file.generation, createdAt: file.createdAt,
            ways: file.slots.map { slot in
                Way(
                    id: slot.id, kind: slot.kind.title, createdAt: slot.createdAt, cost: slot.cost,
                    binding: slot.binding)
            },
            epochs: file.epochs.map { record in
                Epoch(number: record.epoch, isActive: record.state == .active, createdAt: record.createdAt)
            },
            autolock: file.autolock, attemptLimit: Int(file.attemptLimit),
            failedAttempts: max(attempts.failed, counted?.wrong ?? 0),
            attemptsLeft: min(attempts.attemptsLeft, counted?.left ?? .max), isCountedByHardware: counted != nil,
            hasSoftwareTPM: file.flags.contains(.softwareTPM), refusal: refusal,
            secondsToWait: attempts.remainingSeconds,
            isAttemptStateLost: attempts.isLost, wipesOnLimit: file.flags.contains(.wipeOnLimit),
            requiresHardware: file.flags.contains(.requireHardware),
            isRotating: file.isRotating,
            isHardwareLimitRaised: counted?.isLimitRaised ?? false, hasStrictAnchor: file.flags.contains(.strictAnchor),
            listsItems: file.itemRoot != nil, hasAnchoredItems: file.isAnchoredStrictly, anchor: anchor,
            anchorValue: value, phase: phase)
    }
}

extension VaultStatus {
    /// Whether so many PINs and recovery codes can be added to the ways that stay, before they are asked for and shown.
    ///
    /// - Parameter cost: nil for that of the ways that there are.
    /// - Throws: `configError`
    package func checkRoom(
        forAdding count: Int, cost: Argon2Cost?, keeping isKept: (Way) -> Bool
    ) throws(MainKeyError) {
        guard let cost = cost ?? ways.compactMap(\.cost).first(where: \.isWritable) else { return }
        try SlotRules.check(cost, ofAdding: count, to: ways.filter(isKept).compactMap(\.cost))
    }
}
