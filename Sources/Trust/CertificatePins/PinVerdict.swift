import BasicFoundation

/// Whether a connection may be used, and why.
public enum PinVerdict: Equatable, Sendable {
    case allow(PinAllowance)
    case deny(PinRefusal)
}

/// Why a connection may be used.
public enum PinAllowance: Equatable, Sendable {
    /// A certificate of the chain has this pinned key.
    case pinned(SPKIPin)
    /// The pins are past their date, and the rule then is ``PinSet/Expiry/Rule/allowAny``.
    case expiredPinsIgnored
}

/// Why a connection may not be used. It is what a request over a pinned client fails with.
public enum PinRefusal: Error, Equatable, Sendable {
    /// The other side showed none, or there is no TLS at all.
    case noCertificate
    /// No certificate of the chain has a pinned key.
    ///
    /// - Parameter shown: the keys of the chain, the server's own first.
    case noneMatches(shown: [SPKIPin])
    /// The pins are past their date.
    case expired(Date)
    /// The certificate at this place of the chain, counted from 0, the server's own, cannot be read.
    case unreadable(position: Int, PinError)
}

extension PinRefusal: CustomStringConvertible {
    /// The refusal in a sentence, with what to do.
    public var description: String {
        switch self {
        case .noCertificate:
            "The connection was closed before anything was asked: the server showed no certificate to compare with the pins."
        case .noneMatches(let shown):
            "The connection was closed before anything was asked: the server's key is not pinned. It showed "
                + shown.map(\.description).joined(separator: ", ")
                + ". Somebody may be listening in; on another network try again, and look for a newer version of the app."
        case .expired(let date):
            "The connection was closed before anything was asked: the pins expired on \(date.formatted(.iso8601)). "
                + "Install a newer version of the app."
        case .unreadable(let position, let error):
            "The connection was closed before anything was asked: certificate \(position) of the server cannot be read. "
                + error.description
        }
    }
}
