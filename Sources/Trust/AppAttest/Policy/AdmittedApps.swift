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
