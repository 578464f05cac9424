/// Why a store did not do what was asked. The gate lets nobody in meanwhile.
///
/// No case carries a credential of the store or a value of a record.
public enum StoreError: Error, Equatable, Sendable {
    /// The store does not answer: not connected, timed out, its disk is full.
    case unavailable(String)
    /// What is kept breaks the rules of its format.
    case corrupt(String)
    /// Another process holds the store.
    case inUse(path: String)
    /// The store cannot be used as configured.
    case refused(String)
}
