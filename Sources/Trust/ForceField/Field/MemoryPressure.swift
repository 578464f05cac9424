/// How short memory is.
public enum MemoryPressure: Sendable {
    /// Idle workers are ended.
    case warning
    /// All but one worker go, those with calls when they have answered.
    case critical
}
