/// Why a worker answers a request with ERROR, or a host a host call with HOSTERROR. Other codes are the peer's own.
///
/// Source: `forcefield` section 11.
public struct WorkerErrorCode: RawRepresentable, Hashable, Sendable {
    /// The code, at least 1.
    public let rawValue: UInt32

    /// - Returns: nil for 0, which is no error.
    public init?(rawValue: UInt32) {
        guard rawValue > 0 else { return nil }
        self.rawValue = rawValue
    }

    private init(_ rawValue: UInt32) { self.rawValue = rawValue }

    public static let unknownMethod = Self(1)
    public static let badRequest = Self(2)
    public static let handlerFailed = Self(3)
    public static let cancelled = Self(4)
    public static let deadlineExceeded = Self(5)
    public static let tooLarge = Self(6)
    public static let busy = Self(7)
    public static let outOfCredit = Self(8)
}

extension WorkerErrorCode: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unknownMethod: "unknownMethod"
        case .badRequest: "badRequest"
        case .handlerFailed: "handlerFailed"
        case .cancelled: "cancelled"
        case .deadlineExceeded: "deadlineExceeded"
        case .tooLarge: "tooLarge"
        case .busy: "busy"
        case .outOfCredit: "outOfCredit"
        default: "error \(rawValue)"
        }
    }
}
