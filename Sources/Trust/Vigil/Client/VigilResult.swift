/// How a validation ended. Only ``valid`` is trusted.
///
/// Source: `vigil` sections 2.3 and 8.
public enum VigilResult: Int, CaseIterable, Sendable {
    case valid = 0
    /// A check failed, or the validator says so.
    case tampered = 1
    /// The validator did not answer in time. To be treated like ``tampered``.
    case timeout = 2
    /// The validator could not be asked: this program is not set up. To be treated like ``tampered``.
    case error = 3

    /// True for ``valid`` alone.
    public var isTrusted: Bool { self == .valid }
}

/// Whether a validator is there.
public enum VigilValidatorStatus: Int, Sendable {
    case unknown = 0
    case running = 1
    case notRunning = 2
    /// No validator is pinned.
    case notConfigured = 3
}

/// How much is logged.
package enum VigilLogLevel: Int, CaseIterable, Sendable {
    case none = 0
    case error = 1
    case warning = 2
    case info = 3
    case debug = 4
}

/// What can go wrong before anything is validated, by the numbers of the design's first version.
public enum VigilErrorCode: Int, Sendable {
    case secureEnclaveUnavailable = 1000
    case keyGenerationFailed = 1001
    case keyExchangeFailed = 1002
    case validatorNotRunning = 2000
    case validatorNotConfigured = 2001
    case ipcFailure = 2002
    case signatureInvalid = 2003
    case hashMismatch = 2004
    case publicKeyMismatch = 2005
    case keychainAccessFailed = 3000
    case storageCorrupted = 3001
    case internalFailure = 9000
}

/// A failure to set Vigil up.
public struct VigilError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What kind of failure it is.
    public let code: VigilErrorCode
    /// What happened, where, and what to do.
    public let message: String

    /// - Parameter message: what happened, where, and what to do.
    public init(_ code: VigilErrorCode, _ message: String) {
        self.code = code
        self.message = message
    }

    /// What went wrong, for people; the same as ``message``.
    public var description: String { message }
}
