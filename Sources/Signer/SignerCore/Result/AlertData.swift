import NetworkDetector

/// What has to be dismissed before anything else is done.
package enum AlertData: Sendable, Encodable {
    /// An action, or the making of a screen, failed.
    case error(CoreFailure)
    /// The state of the network detector.
    case shield(ShieldData)

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .error(let failure): try failure.encode(to: encoder)
        case .shield(let data): try data.encode(to: encoder)
        }
    }
}

/// The state of the network detector in words.
///
/// Source: `signer-product` section 5.
package struct ShieldData: Sendable, Encodable {
    /// What the detector says.
    package var detector: DetectorView
    /// What that means.
    package var text: String
    /// What is refused meanwhile; empty while no vault is open, which is what says it.
    package var disabled: [String]
    /// Whether there is something that can be acknowledged here: the log of an open vault notes it.
    package var canAcknowledge: Bool
    /// When the log noted it last, in UTC; nil where it holds nothing of that, or cannot be read.
    package var since: String?

    /// - Parameters:
    ///   - isVaultOpen: whether a vault is open.
    ///   - since: when the log noted it last.
    package init(_ detector: DetectorView, isVaultOpen: Bool = true, since: String? = nil) {
        self.since = since
        self.detector = detector
        canAcknowledge = detector.state == .wasOnline && isVaultOpen
        disabled = detector.permitsSecrets || !isVaultOpen ? [] : GuardedActivity.allCases.map(\.rawValue)
        text =
            switch detector.state {
            case .safe: "Air gap ok"
            case .connected: "ONLINE"
            case .wasOnline: "Was online, tap"
            case .error: "Detector failed"
            case nil: "Nobody has looked yet"
            }
    }
}
