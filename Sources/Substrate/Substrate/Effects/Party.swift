/// An account that gets, loses or may do something by a call.
public struct Party: Hashable, Sendable {
    /// What a call does to an account.
    public enum Role: String, Hashable, Sendable {
        /// Gets value, or what stands for it.
        case receiver
        /// Its value is moved or taken.
        case source
        /// May do something from now on.
        case rights
        /// Owns something from now on.
        case owner
        /// Loses something else than value that is moved.
        case loses
    }

    /// What the call does to it.
    public var role: Role
    /// nil where it is none that this chain could name.
    public var account: AccountAddress?
    /// What it is where ``account`` is nil or on another chain: the form of an address, an address of a contract, a
    /// place.
    public var words = ""
    /// Whether it stands where an account belongs and is none of the chain.
    public var isNoAccount = false
}
