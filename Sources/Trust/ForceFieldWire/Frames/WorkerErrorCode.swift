/// Why a worker answers a request with ERROR, or a host a host call with HOSTERROR. Other codes are the peer's own.
///
/// Source: `forcefield` section 11.
public struct WorkerErrorCode: Hashable, Sendable {
    /// The code, at least 1.
    public let rawValue: UInt32

    /// - Returns: nil for 0, which is no error.
    package init?(rawValue: UInt32) {
        guard rawValue > 0 else { return nil }
        self.rawValue = rawValue
    }

    private init(_ rawValue: UInt32) { self.rawValue = rawValue }

    /// The worker has no such method.
    public static let unknownMethod = Self(1)
    /// The request is not of its method's type.
    public static let badRequest = Self(2)
    /// The handler threw an error, whose description is the text.
    public static let handlerFailed = Self(3)
    /// The call was cancelled, or the worker is shutting down.
    public static let cancelled = Self(4)
    /// The time for the reply is over.
    public static let deadlineExceeded = Self(5)
    /// The reply, or an item, has more bytes than a frame may have.
    public static let tooLarge = Self(6)
    /// More requests are open than are taken.
    public static let busy = Self(7)
    /// A stream has sent more items than it may.
    public static let outOfCredit = Self(8)
}

extension WorkerErrorCode: CustomStringConvertible {
    /// The name of the code, or its number.
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
