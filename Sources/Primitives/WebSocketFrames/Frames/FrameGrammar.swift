/// The side that sends the frames of a direction.
public enum FrameSender: Hashable, Sendable {
    /// The client, whose frames are masked.
    case client
    /// The server, whose frames are not masked.
    case server
}

/// What the handshake settled on, as far as it changes the rules for frames.
public enum ExtensionUse: Hashable, Sendable {
    case none
    /// The first frame of a message may have RSV1.
    case permessageDeflate
    /// The reserved bits have a meaning that is not known here: they are not judged.
    case unknown
}

/// How large frames and messages may be, in bytes of payload as sent.
public struct FrameLimits: Hashable, Sendable {
    public var frame: Int
    public var message: Int

    public init(frame: Int = 1 << 20, message: Int = 8 << 20) {
        (self.frame, self.message) = (frame, message)
    }
}

/// The rules by which the frames of one direction follow each other.
///
/// Source: RFC 6455 sections 5.1 to 5.5; `appattest-gate` section 4.1.
struct FrameGrammar {
    private let sender: FrameSender
    private let extensions: ExtensionUse
    private let limits: FrameLimits
    private var isInsideMessage = false
    /// Bytes of the payloads of the message so far.
    private var messageBytes = 0

    init(sender: FrameSender, extensions: ExtensionUse, limits: FrameLimits) {
        (self.sender, self.extensions, self.limits) = (sender, extensions, limits)
    }

    /// What the first two bytes break.
    @inline(__always) func objection(first: UInt8, second: UInt8) -> FrameViolation? {
        if first & 0x70 != 0, extensions != .unknown {
            // RSV1 marks a compressed message, on its first frame.
            let mayHaveRSV1 = extensions == .permessageDeflate && (first & 0x0f == 1 || first & 0x0f == 2)
            guard first & 0x70 == 0x40, mayHaveRSV1 else { return .reservedBits }
        }
        guard first & 0x07 <= 2 else { return .reservedOpcode }
        guard (second & 0x80 != 0) == (sender == .client) else { return sender == .client ? .notMasked : .masked }
        if first & 0x08 != 0 {
            guard first & 0x80 != 0 else { return .fragmentedControl }
            guard second & 0x7f <= 125 else { return .longControl }
        } else if isInsideMessage {
            guard first & 0x0f == 0 else { return .interruptedMessage }
        } else {
            guard first & 0x0f != 0 else { return .unexpectedContinuation }
        }
        return nil
    }

    /// What a header breaks, its first two bytes first.
    @inline(__always) func objection(_ start: FrameStart) -> FrameViolation? {
        if let violation = objection(first: start.first, second: start.second) { return violation }
        switch start.second & 0x7f {
        case 126: guard start.length > 125 else { return .lengthNotShortest }
        case 127:
            guard start.length > 0xffff else { return .lengthNotShortest }
            guard start.length >> 63 == 0 else { return .lengthOutOfRange }
        default: break
        }
        if start.isControl { return nil }
        guard start.length <= limits.frame else { return .frameTooBig }
        let before = start.first & 0x0f == 0 ? messageBytes : 0
        guard start.length <= limits.message - before else { return .messageTooBig }
        return nil
    }

    /// Takes a header to which there is no objection.
    ///
    /// - Returns: bytes of the payload, which are within the limits.
    @inline(__always) mutating func begin(_ start: FrameStart) -> Int {
        let length = Int(start.length)
        if start.isControl { return length }
        messageBytes = (start.first & 0x0f == 0 ? messageBytes : 0) + length
        isInsideMessage = !start.isFinal
        return length
    }
}
