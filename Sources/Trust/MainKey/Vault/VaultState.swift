import BasicFoundation

/// Where a vault is between its file and its key.
public enum VaultState: Equatable, Sendable {
    case locked
    case unlocking
    case unlocked
    /// The vault was destroyed, and nothing is left of it.
    case wiped
    /// What is on disk was changed or put back by somebody. It cannot be used until it is opened anew.
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
    /// What is not needed any more could not be removed: an index of the TPM, a key item, cleartext of a program that
    /// was killed. Or something else could not be done behind a change that is final.
    case hardwareLeftover(String)

    /// What a person should know and do; nil for what is usual.
    package var warning: String? {
        switch self {
        case .requestMainKey, .obtainedMainKey, .removedMainKeyFromMemory, .errorObtainingMainKey, .changed: nil
        case .attemptStateLost:
            "The count of wrong attempts was missing or damaged and begins anew. Find out who had access to the folder."
        case .rotateSoon(let place): "Very many values were sealed for \(place). Rotate the vault's keys."
        case .memoryNotLocked:
            "Secrets lie in memory that may be swapped out. Raise the limit of locked memory (ulimit -l), or encrypt the swap."
        case .hardwareLeftover(let what):
            // Some end with what an error says, which is a sentence.
            "Not everything could be done: \(what)" + (what.hasSuffix(".") ? "" : ".")
        }
    }

    /// Tells of the events of all vaults of this process, on the thread on which they come about, until the process
    /// ends.
    package static func observeAll(_ body: @escaping @Sendable (MainKeyEvent) -> Void) {
        EventHub.observeAll(body)
    }

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
