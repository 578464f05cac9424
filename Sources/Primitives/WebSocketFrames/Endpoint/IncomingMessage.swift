import TextForms

/// A message that is being put together from frames.
struct IncomingMessage {
    private var kind = WebSocketEndpoint.MessageKind.binary
    private var isCompressed = false
    private var text = UTF8Check()
    /// The payload without its mask, and still compressed where it was sent so.
    private var bytes: [UInt8] = []

    mutating func begin(_ kind: WebSocketEndpoint.MessageKind, isCompressed: Bool) {
        self = IncomingMessage()
        (self.kind, self.isCompressed) = (kind, isCompressed)
    }

    /// - Parameters:
    ///   - key: nil: not masked.
    ///   - position: how many bytes of the frame's payload stand before these.
    mutating func append(
        _ part: UnsafeRawBufferPointer, key: MaskingKey?, from position: Int
    ) throws(FrameViolation) {
        let start = bytes.count
        bytes += part
        let isValid = bytes.withUnsafeMutableBytes { bytes in
            let part = UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
            key?.apply(to: part, from: position)
            return kind == .binary || isCompressed || text.firstError(in: UnsafeRawBufferPointer(part)) == nil
        }
        guard isValid else { throw .invalidText }
    }

    /// Ends the message and empties this.
    ///
    /// - Parameter maximumBytes: of the content of a message that was compressed.
    mutating func finish(
        _ compression: MessageCompression?, maximumBytes: Int
    ) throws(FrameViolation) -> (WebSocketEndpoint.MessageKind, [UInt8]) {
        let message = self
        self = IncomingMessage()
        guard message.isCompressed, let compression else {
            guard message.kind == .binary || message.text.isComplete else { throw .invalidText }
            return (message.kind, message.bytes)
        }
        let content = try compression.expand(message.bytes, maximumBytes: maximumBytes)
        guard message.kind == .binary || UTF8Check.isValid(content[...]) else { throw .invalidText }
        return (message.kind, content)
    }
}
