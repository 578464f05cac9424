/// Where a vault is between its file and its key.
public enum VaultState: Equatable, Sendable {
    case locked
    case unlocking
    case unlocked
    /// Nothing is left of it.
    case wiped
    /// It cannot be used until it is opened anew.
    case failed(MainKeyError)
}

/// Why the key was removed from memory.
public enum LockReason: String, Sendable {
    case explicit, timeout, background, scopeEnd, systemLock, sleep, clockWentBack
    case wiped, rekeyed, rolledBack, tampered

    init(_ cause: AutolockState.Cause) {
        self =
            switch cause {
            case .request: .explicit
            case .timeout: .timeout
            case .background: .background
            case .scopeEnd: .scopeEnd
            case .systemLock: .systemLock
            case .sleep: .sleep
            case .clockWentBack: .clockWentBack
            }
    }
}

/// What a vault tells everybody who asked to be told.
public enum MainKeyEvent: Equatable, Sendable {
    /// A credential is needed.
    case requestMainKey
    case obtainedMainKey
    case removedMainKeyFromMemory(LockReason)
    case errorObtainingMainKey(MainKeyError)
    /// This process or another committed a change.
    case changed(generation: UInt64)
    /// The count of wrong credentials was missing or damaged.
    case attemptStateLost
    /// A place has been sealed for so often that the keys should be rotated.
    case rotateSoon(String)
    /// Secrets lie in memory that may be swapped out.
    case memoryNotLocked
    /// A change is made, and what is not needed any more could not be removed: an index of the TPM, a key item.
    case hardwareLeftover(String)

    /// The name of the notification.
    public var name: String {
        switch self {
        case .requestMainKey: "MainKey.requestMainKey"
        case .obtainedMainKey: "MainKey.obtainedMainKey"
        case .removedMainKeyFromMemory: "MainKey.removedMainKeyFromMemory"
        case .errorObtainingMainKey: "MainKey.errorObtainingMainKey"
        case .changed: "MainKey.changed"
        case .attemptStateLost: "MainKey.attemptStateLost"
        case .rotateSoon: "MainKey.rotateSoon"
        case .memoryNotLocked: "MainKey.memoryNotLocked"
        case .hardwareLeftover: "MainKey.hardwareLeftover"
        }
    }
}
