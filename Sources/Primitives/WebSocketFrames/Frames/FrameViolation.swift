/// The rule that a frame breaks. Its raw value is the name that goes into the close frame and the metrics.
///
/// Source: RFC 6455 sections 5.1 to 5.5 and 7.4; `appattest-gate` section 4.1.
public enum FrameViolation: String, Error, Hashable, Sendable, CaseIterable {
    case reservedBits = "reserved_bits"
    case reservedOpcode = "reserved_opcode"
    /// A client's frame without a mask.
    case notMasked = "not_masked"
    /// A server's frame with one.
    case masked = "masked"
    case fragmentedControl = "fragmented_control"
    case longControl = "long_control"
    /// A continuation outside of a message.
    case unexpectedContinuation = "unexpected_continuation"
    /// A new message inside of another.
    case interruptedMessage = "interrupted_message"
    case lengthNotShortest = "length_not_shortest"
    case lengthOutOfRange = "length_out_of_range"
    case frameTooBig = "frame_too_big"
    case messageTooBig = "message_too_big"
    /// A close frame with one byte.
    case closeLength = "close_length"
    case closeCode = "close_code"
    case closeReason = "close_reason"
    case invalidText = "invalid_text"
    case malformedDeflate = "malformed_deflate"
    /// A message that expands too much.
    case denseDeflate = "dense_deflate"

    /// What the side that broke it is told.
    public var code: CloseCode {
        switch self {
        case .frameTooBig, .messageTooBig, .denseDeflate: .tooBig
        case .closeReason, .invalidText, .malformedDeflate: .invalidPayload
        default: .protocolError
        }
    }
}
