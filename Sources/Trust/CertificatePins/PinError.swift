/// Why a pin, a set of pins or a certificate cannot be used.
public enum PinError: Error, Equatable, Sendable {
    /// The pins, or the settings that they are used with, do not protect.
    case configError(reason: String)
    /// The bytes are no certificate.
    case malformed(reason: String)
    /// A certificate is larger than any real one.
    case limitExceeded(reason: String)

    /// The stable name, for scripts.
    public var code: String {
        switch self {
        case .configError: "configError"
        case .malformed: "malformed"
        case .limitExceeded: "limitExceeded"
        }
    }
}

extension PinError: CustomStringConvertible {
    /// The error in a sentence.
    public var description: String {
        switch self {
        case .configError(let reason): "These pins cannot be used: \(reason)."
        case .malformed(let reason): "The certificate is malformed: \(reason)."
        case .limitExceeded(let reason): "The certificate is too large: \(reason)."
        }
    }
}
