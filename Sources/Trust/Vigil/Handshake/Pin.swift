import HardwareKeys

/// What is known of the key of the other side.
public enum Pin: Hashable, Sendable {
    /// No peer was ever pinned: every peer is refused.
    case none
    case active(PublicKey, KeyKind)
    /// The peer was pinned once, and its pin was taken back.
    case revoked

    /// Compares a key with the pin, before any arithmetic on its curve.
    ///
    /// - Throws: ``Refusal``: `notProvisioned`, `revoked`, `publicKeyMismatch` for another key or one of a weaker kind.
    func check(_ key: [UInt8], kind: KeyKind) throws(Refusal) -> PublicKey {
        switch self {
        case .none: throw Refusal(.notProvisioned, "no key of the other side is pinned")
        case .revoked: throw Refusal(.revoked, "the key of the other side was revoked")
        case .active(let pinned, let pinnedKind):
            guard key == pinned.x963 else {
                throw Refusal(.publicKeyMismatch, "the key is not the pinned one, which is \(pinned.id)")
            }
            guard !kind.isWeaker(than: pinnedKind) else {
                throw Refusal(
                    .publicKeyMismatch, "a key of the kind \(pinnedKind) is now said to be of the kind \(kind)")
            }
            return pinned
        }
    }
}
