import SecretMemory

/// Why sr25519 refuses. The cases of a verification stand in the order in which they are checked (`substrate-crypto`
/// 6.4).
public enum Sr25519Error: Error, Equatable, Sendable {
    /// A signature has 64 bytes, a public key 32.
    case invalidLength(expected: Int, found: Int)
    /// The bit that marks a schnorrkel signature is not set: it is of another scheme, or from before 2019.
    case notMarkedSchnorrkel
    /// The scalar of the signature is not below the group order.
    case nonCanonicalScalar
    /// The bytes are not the canonical encoding of a ristretto255 element.
    case invalidPublicKey
    /// Everything is well formed and the equation does not hold.
    case signatureMismatch
    /// The bytes are no secret key: a scalar not below the group order, or one that does not belong to its public key.
    case invalidSecretKey
    /// The signature that was just made does not verify: a fault of the machine. It was not released.
    case faultDuringSigning
    /// There is no locked memory for a secret.
    case memory(SecretMemoryError)
}

extension Sr25519Error: CustomStringConvertible {
    /// What happened, in plain words.
    public var description: String {
        switch self {
        case .invalidLength(let expected, let found): "sr25519: \(expected) bytes are expected, \(found) were given."
        case .notMarkedSchnorrkel:
            "The signature is not marked as sr25519; it is of another scheme or from before 2019."
        case .nonCanonicalScalar: "The scalar of the sr25519 signature is not in its canonical form."
        case .invalidPublicKey: "The bytes are not a valid sr25519 public key."
        case .signatureMismatch: "The sr25519 signature does not belong to this message and key."
        case .invalidSecretKey: "The bytes are not a valid sr25519 secret key."
        case .faultDuringSigning:
            "The signature that was made does not verify, which is a fault of this machine. It was not released; try again, "
                + "and do not trust the machine if it happens twice."
        case .memory(let error): "\(error)"
        }
    }
}
