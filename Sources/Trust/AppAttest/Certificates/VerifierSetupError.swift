/// Why no verifier can be made.
public enum VerifierSetupError: Error, Hashable, Sendable {
    /// A root is not a certificate with a key that can be used.
    case rootUnreadable(String)
    /// The root that is compiled in has not Apple's fingerprint: the program is damaged.
    case appleRootDamaged
    /// A policy without an App ID admits no app.
    case noAppID
}

extension VerifierSetupError: CustomStringConvertible {
    /// The reason, and what to do.
    public var description: String {
        switch self {
        case .rootUnreadable(let reason): "The trust anchors cannot be used: \(reason)."
        case .appleRootDamaged: "Apple's root in this program has not Apple's fingerprint. Install the program again."
        case .noAppID: "The policy names no App ID. Give the team and bundle identifier of the app."
        }
    }
}
