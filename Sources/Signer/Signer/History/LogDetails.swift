import Substrate

/// An entry of the log, with all that can still be told of it.
public struct LogDetails: Sendable {
    /// Its place in the log, from 0.
    public var order: Int
    /// When it was written, in UTC, as the log holds it.
    public var timestamp: String
    /// The digest of the log up to it, 32 bytes.
    public var digest: [UInt8]
    /// What happened, in the order in which it was written.
    public var events: [LoggedEvent]

    /// Whether a screen shows it in the colour of danger.
    public var isDangerous: Bool { events.contains(where: \.isDangerous) }
}

/// An event of the log, with what it was about.
public struct LoggedEvent: Sendable {
    /// What was signed, or was to be signed.
    public enum Content: Sendable {
        /// Nothing was: the event is all there is.
        case none
        /// The transaction or message, read again; it is to look at.
        case decoded(Answer)
        /// Why it cannot be read any more.
        case undecodable(HistoricalProblem)
    }

    package var event: Event
    /// What was signed.
    public var content: Content

    /// The name by which programs tell events apart.
    public var name: String { event.name }
    /// The one field that a list shows.
    public var essence: String { event.essence }
    /// Whether a screen shows it in the colour of danger.
    public var isDangerous: Bool { event.isDangerous }
}

/// Why what was signed once cannot be shown any more.
///
/// Source: `signer-product` sections 4.4 and 9.
public enum HistoricalProblem: Error, Equatable, Sendable, CustomStringConvertible {
    /// The vault has no metadata of the network, or none of this version.
    case metadata(network: String, version: String?)
    /// The vault does not know the network any more.
    case networkUnknown(String)
    /// What the vault knows now does not read it.
    case refused(RefusedPayload)

    /// The name by which programs tell the cases apart.
    public var code: String {
        switch self {
        case .metadata: "HistoricalMetadata"
        case .networkUnknown: "HistoricalNetworkUnknown"
        case .refused(let refused): refused.code
        }
    }

    /// What is missing, in plain words.
    public var description: String {
        switch self {
        case .metadata(let network, let version):
            "What was signed cannot be shown: the metadata of \(network)\(version.map { ", version \($0)," } ?? "") are not in this "
                + "vault any more. Load them again to read it."
        case .networkUnknown(let network):
            "What was signed cannot be shown: the network \(network) is not in this vault any more. Add it again to read it."
        case .refused(let refused): "What was signed cannot be shown: \(refused)"
        }
    }
}
