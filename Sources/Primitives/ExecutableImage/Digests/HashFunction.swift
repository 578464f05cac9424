/// The hash functions of images: SHA-256 in all digests of Vigil, the others in Apple's code signatures.
public enum HashFunction: String, Hashable, Sendable {
    case sha1 = "SHA-1"
    case sha256 = "SHA-256"
    case sha384 = "SHA-384"

    /// Bytes of a result.
    var size: Int {
        switch self {
        case .sha1: 20
        case .sha256: 32
        case .sha384: 48
        }
    }
}
