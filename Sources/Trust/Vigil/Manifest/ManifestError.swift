/// Why a manifest is not accepted.
package enum ManifestError: Error, Hashable, Sendable {
    case envelope(EnvelopeError)
    /// - Parameter found: nil if it is no number.
    case unsupportedVersion(found: Int64?)
    /// What is wrong, and with which member.
    case malformedManifest(String)
    case epochRollback(found: UInt32, stored: UInt32)

    /// The name of the specification: `wrongPayloadType`, `malformedEnvelope`, `thresholdNotMet`, `unsupportedVersion`,
    /// `malformedManifest` or `epochRollback`.
    package var identifier: String {
        switch self {
        case .envelope(let error): error.identifier
        case .unsupportedVersion: "unsupportedVersion"
        case .malformedManifest: "malformedManifest"
        case .epochRollback: "epochRollback"
        }
    }
}

extension ManifestError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .envelope(let error): error.description
        case .unsupportedVersion(let found):
            "The manifest is of version \(found.map(String.init) ?? "unknown"), and \(Manifest.version) is read here. "
                + "Make it with the vigil-hash-tool of this release."
        case .malformedManifest(let reason): "The manifest is malformed: \(reason). Make it again."
        case .epochRollback(let found, let stored):
            "The manifest has epoch \(found), and one of epoch \(stored) was seen. Install the newer release again."
        }
    }
}
