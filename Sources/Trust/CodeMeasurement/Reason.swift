/// Why a program is not trusted, by the numbers that go over the wire.
///
/// Source: `vigil` section 2.2.
public enum Reason: UInt8, Error, Hashable, Sendable, CaseIterable {
    case ok = 0
    case hashMismatch = 1
    case signatureInvalid = 2
    case publicKeyMismatch = 3
    case nonceMismatch = 4
    case notProvisioned = 5
    case epochRollback = 6
    /// The process is not, or no longer, the one that asked.
    case peerIdentity = 7
    /// Code is executable that no manifest names.
    case foreignCode = 8
    /// A page of code was written to.
    case codeModified = 9
    case behaviour = 10
    /// A debugger is attached.
    case traced = 11
    case profileUnsupported = 12
    case malformed = 13
    case `internal` = 14
    case busy = 15
    case expired = 16
    /// What has to be looked at cannot be looked at.
    case unmeasurable = 17
    case revoked = 18
}
