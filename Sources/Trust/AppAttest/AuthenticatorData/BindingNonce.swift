import Crypto

/// SHA-256 over authenticator data and what the client signed for: what an attestation certifies and an assertion
/// signs.
///
/// Source: `appattest-gate` sections 1.6 and 2.2.
enum BindingNonce {
    /// What a client data hash may measure. (Apple's own samples are not 32 bytes.)
    static let clientDataHashByteCounts = 1...64

    static func hash(_ data: AuthenticatorData, clientDataHash: [UInt8]) -> SHA256Digest {
        var hash = SHA256()
        hash.update(data: data.bytes)
        hash.update(data: clientDataHash)
        return hash.finalize()
    }
}
