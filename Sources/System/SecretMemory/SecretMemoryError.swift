/// Why memory for secrets could not be had.
public enum SecretMemoryError: Error, Equatable, Sendable {
    /// libsodium could not start: the system gives it no randomness.
    case initialisationFailed
    /// The system refused to allocate `bytes` of memory.
    case allocationFailed(bytes: Int)
    /// A source of randomness failed.
    case random(RandomFault)
}

extension SecretMemoryError: CustomStringConvertible {
    /// What happened, in plain words.
    public var description: String {
        switch self {
        case .initialisationFailed:
            "libsodium cannot start, because the system gives it no random bytes. Check that /dev/urandom can be read."
        case .allocationFailed(let bytes):
            "The system gave no memory for a secret of \(bytes) bytes. Close other programs, or raise the limits of memory "
                + "(ulimit -v, ulimit -l)."
        case .random(let fault): "\(fault)"
        }
    }
}
