import HardwareKeys

/// Why the store does not do what is asked. It is never taken for an empty one.
public enum StoreError: Error, Hashable, Sendable {
    /// The store cannot be what this side has written last.
    case storageCorrupted(path: String, reason: String)
    /// The system or the hardware refuses.
    case accessFailed(String)
    /// Another key is pinned, and is never overwritten.
    case anotherKeyPinned(Bytes32)
    /// The key was revoked.
    case revoked(Bytes32)
    /// This key has no pin.
    case unknownKey(Bytes32)
    /// A rotation that is not newer than the peer's last one, or far ahead of it.
    case staleRotation(counter: UInt64, last: UInt64)
    /// A weaker kind of key for the same peer.
    case downgrade(pinned: KeyKind, found: KeyKind)
    case epochRollback(found: UInt32, stored: UInt32)
    /// The store has no room for another peer.
    case full

    init(_ error: HardwareKeyError) { self = .accessFailed("\(error)" + Self.advice(on: error)) }

    /// What to do about a key or counter that may be gone for good, behind a space: nothing else leads to the store.
    private static func advice(on error: HardwareKeyError) -> String {
        switch error {
        case .unavailable(.otherHardware), .dead, .enclaveKeyInvalidated:
            " If it stays so, \(beginningAnew)"
        default: ""
        }
    }

    /// How a side gets rid of its key and store that cannot be used any more.
    private static let beginningAnew =
        "empty this program's folder. The other side has pinned the lost key: unpin it at a validator (vigil-validator "
        + "unpin), empty an app's folder too. Then provision again."
}

extension StoreError: CustomStringConvertible {
    /// What happened to the store, and what to do.
    public var description: String {
        switch self {
        case .storageCorrupted(let path, let reason):
            "\(path) is not what this program has written: \(reason). Put back the newest backup, or \(Self.beginningAnew)"
        case .accessFailed(let reason): reason
        case .anotherKeyPinned(let id):
            "The key \(id) is pinned. If it is lost, unpin it with vigil-validator unpin, then provision again."
        case .revoked(let id): "The key \(id) was revoked. Provision a new one."
        case .unknownKey(let id): "No key \(id) is pinned. List them with vigil-validator status."
        case .staleRotation(let counter, let last):
            "A rotation with the counter \(counter) came after the one with \(last): it is an old message, or too far ahead "
                + "(\(PinnedPeer.rotationStep) at most)."
        case .downgrade(let pinned, let found):
            "A \(found.rawValue) key would take the place of a \(pinned.rawValue) key. Unpin it first if that is meant."
        case .epochRollback(let found, let stored):
            "The manifest has epoch \(found), and one of epoch \(stored) was seen. Install the newer release again."
        case .full: "There is no room for another peer. Unpin those that were revoked."
        }
    }
}

extension StoreError {
    /// The number that the design's first version gives the error.
    package var code: VigilErrorCode {
        switch self {
        case .storageCorrupted: .storageCorrupted
        case .accessFailed: .keychainAccessFailed
        case .anotherKeyPinned, .revoked, .unknownKey, .downgrade: .publicKeyMismatch
        case .staleRotation, .full: .keyExchangeFailed
        case .epochRollback: .internalFailure
        }
    }

    /// What the other side is told.
    var refusal: Refusal {
        switch self {
        case .anotherKeyPinned, .unknownKey, .downgrade: Refusal(.publicKeyMismatch, description)
        case .revoked: Refusal(.revoked, description)
        case .staleRotation: Refusal(.nonceMismatch, description)
        case .epochRollback: Refusal(.epochRollback, description)
        case .storageCorrupted, .accessFailed, .full: Refusal(.internal, description)
        }
    }
}
