/// What a field has at the moment.
public struct FieldSummary: Hashable, Sendable {
    /// Workers, also those that start or end.
    public var workers: Int
    /// Workers that have no call.
    public var ready: Int
    /// Calls that workers have.
    public var openCalls: Int
    /// Calls that no worker has yet.
    public var waitingCalls: Int
    /// How long no worker may be started, after workers ended abnormally one after the other.
    package var spawnDelay: Duration
    /// Inputs that are refused.
    public var quarantined: Int
    /// Processes that guard the workers.
    package var wardenIDs: [Int32]
}
