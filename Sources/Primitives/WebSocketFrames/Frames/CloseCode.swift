/// Why a connection is closed, as a number.
///
/// Source: RFC 6455 section 7.4; IANA's registry; `appattest-gate` section 4.2.
public struct CloseCode: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let normal = CloseCode(rawValue: 1000)
    public static let goingAway = CloseCode(rawValue: 1001)
    public static let protocolError = CloseCode(rawValue: 1002)
    public static let invalidPayload = CloseCode(rawValue: 1007)
    public static let policyViolation = CloseCode(rawValue: 1008)
    public static let tooBig = CloseCode(rawValue: 1009)
    public static let internalError = CloseCode(rawValue: 1011)
    public static let tryAgainLater = CloseCode(rawValue: 1013)

    /// Whether it may stand in a close frame: 1004 to 1006 and 1015 are for use inside a program, others are not
    /// assigned.
    public var mayBeSent: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}
