/// Where the bytes of secrets are kept, the best first.
///
/// Source: `mainkey` section 20.
public enum SecretBacking: Int, Comparable, Sendable {
    /// Pages that the kernel takes out of its own map (`memfd_secret`): out of reach for debuggers and for root's
    /// tools.
    case kernelSecret
    /// Pages of libsodium: locked, between guard pages, left out of core dumps.
    case guarded
    /// The same, but the system refused to lock them: they may be swapped to a disk.
    case unlocked

    /// Whether the left one keeps less.
    public static func < (left: SecretBacking, right: SecretBacking) -> Bool { left.rawValue < right.rawValue }
}

extension SecretBacking: CustomStringConvertible {
    /// The value as text.
    public var description: String {
        switch self {
        case .kernelSecret: "kernel-secret"
        case .guarded: "locked"
        case .unlocked: "not locked"
        }
    }
}
