/// What a look at a process gave.
public struct MeasurementOutcome: Hashable, Sendable {
    /// ``Reason/ok`` if all that could be looked at is as it has to be. A level that could not be taken is missing in
    /// ``levels``.
    public internal(set) var reason: Reason = .ok
    /// Nil if all is well.
    public internal(set) var finding: Finding?
    /// The levels that were taken, with the one that failed.
    public internal(set) var levels: Levels = []
    /// What had to be left out, and what else is worth knowing.
    public internal(set) var flags: MeasurementFlags = []

    init() {}
}
