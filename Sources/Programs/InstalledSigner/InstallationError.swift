/// What an installation of the signer, or its machine, does not give.
package enum InstallationError: Error, Equatable, Sendable {
    /// Pictures are not read at all on this machine, or by this installation.
    case pictureReader(reason: String)
    /// Pictures were read, and their codes give nothing whole.
    case unreadableCodes(reason: String)
    /// The validator did not pin this program.
    case notProvisioned(reason: String)
    /// No namespace without a network could be made.
    case notIsolated(reason: String)
    /// The process could not be hidden.
    case notHardened
}

extension InstallationError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .pictureReader(let reason), .unreadableCodes(let reason): reason
        case .notProvisioned(let reason):
            "Nothing was pinned: \(reason). Is the validator running, and its window open? vigil-validator provision"
        case .notIsolated(let reason): "Nothing was run: this cannot be kept away from the network here: \(reason)."
        case .notHardened: "The process cannot be protected against core dumps, so it does not touch keys."
        }
    }
}
