/// What a close frame says.
///
/// Source: RFC 6455 section 5.5.1.
public struct ClosePayload: Hashable, Sendable {
    /// Nil: the frame is empty.
    public let code: CloseCode?
    /// Empty without a code.
    public let reason: String

    public static let empty = ClosePayload()

    private init() { (code, reason) = (nil, "") }

    /// - Parameter reason: cut at a character so that it fits 123 bytes.
    public init(_ code: CloseCode, reason: String = "") {
        self.code = code
        var end = reason.unicodeScalars.startIndex
        var count = 0
        for scalar in reason.unicodeScalars {
            count += UTF8.width(scalar)
            guard count <= 123 else { break }
            end = reason.unicodeScalars.index(after: end)
        }
        self.reason = String(reason.unicodeScalars[..<end])
    }

    /// Reads the payload of a close frame, unmasked.
    public init(_ bytes: [UInt8]) throws(FrameViolation) {
        guard bytes.count != 1 else { throw .closeLength }
        guard bytes.count > 1 else {
            self.init()
            return
        }
        let code = CloseCode(rawValue: UInt16(bytes[0]) << 8 | UInt16(bytes[1]))
        guard code.mayBeSent else { throw .closeCode }
        guard let reason = String(validating: bytes.dropFirst(2), as: UTF8.self) else { throw .closeReason }
        self.init(code, reason: reason)
    }

    /// The payload's bytes, at most 125.
    public var bytes: [UInt8] {
        guard let code else { return [] }
        return [UInt8(code.rawValue >> 8), UInt8(truncatingIfNeeded: code.rawValue)] + reason.utf8
    }
}
