/// What happens around an application that has a window.
public enum AutolockEvent: Sendable {
    case background, foreground
    /// The session's screen was locked.
    case systemLock
    /// The machine goes to sleep, or is awake again.
    case sleep, resume

    var event: AutolockState.Event {
        switch self {
        case .background: .background
        case .foreground: .foreground
        case .systemLock: .systemLock
        case .sleep: .sleep
        case .resume: .resume
        }
    }
}
