import Crypto

/// The apps of a policy by the hashes under which authenticator data names them.
struct AdmittedApps: Sendable {
    private let apps: [(id: AppID, hash: [UInt8])]

    init(_ ids: [AppID]) throws(VerifierSetupError) {
        guard !ids.isEmpty else { throw .noAppID }
        apps = ids.map { ($0, Array(SHA256.hash(data: Array($0.description.utf8)))) }
    }

    /// The app with this hash of its whole App ID. (A hash of the bundle identifier alone names no team.)
    func app(rpIDHash: ArraySlice<UInt8>) -> AppID? {
        apps.first { $0.hash[...] == rpIDHash }?.id
    }
}

/// SHA-256 over authenticator data and what the client signed for: what an attestation certifies and an assertion signs.
///
/// Source: `appattest-gate` sections 1.6 and 2.2.
enum BindingNonce {
    /// What a client data hash may measure. (Apple's own samples are not 32 bytes.)
    static let clientDataHashByteCounts = 1...64

    static func hash(_ authenticatorData: ArraySlice<UInt8>, _ clientDataHash: [UInt8]) -> SHA256Digest {
        var hash = SHA256()
        hash.update(data: authenticatorData)
        hash.update(data: clientDataHash)
        return hash.finalize()
    }
}
