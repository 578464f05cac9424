/// What a field has at the moment.
package struct FieldSummary: Hashable, Sendable {
    /// Workers, also those that start or end.
    package var workers: Int
    /// Workers that have no call.
    package var ready: Int
    /// Calls that workers have.
    package var openCalls: Int
    /// Calls that no worker has yet.
    package var waitingCalls: Int
    /// How long no worker may be started, after workers ended abnormally one after the other.
    package var spawnDelay: Duration
    /// Inputs that are refused.
    package var quarantined: Int
    /// Processes that guard the workers.
    package var wardenIDs: [Int32]
}
