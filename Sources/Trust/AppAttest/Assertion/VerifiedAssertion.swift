/// What an assertion proves: the holder of the key signed this very client data.
public struct VerifiedAssertion: Hashable, Sendable {
    /// The store must raise its counter to this in one atomic step, or refuse: that is what makes an assertion good
    /// once.
    public let signCount: UInt32
    /// What the device says of the running app.
    public let extensions: AuthenticatorDataExtensions
    /// The app that asked for the assertion.
    public let appID: AppID
}
