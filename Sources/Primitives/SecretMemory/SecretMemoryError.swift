/// Why locked memory could not be had.
public enum SecretMemoryError: Error, Equatable, Sendable {
    /// libsodium could not start: the system gives it no randomness.
    case initialisationFailed
    /// The system refused to allocate or lock `bytes` of memory.
    case allocationFailed(bytes: Int)
}

extension SecretMemoryError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .initialisationFailed:
            "libsodium cannot start, because the system gives it no random bytes. Check that /dev/urandom can be read."
        case .allocationFailed(let bytes):
            "The system gave no locked memory for a secret of \(bytes) bytes. Raise the limit of locked memory "
                + "(ulimit -l, RLIMIT_MEMLOCK) or close other programs that lock memory."
        }
    }
}
