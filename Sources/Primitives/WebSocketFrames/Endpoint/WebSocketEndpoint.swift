/// One end of a WebSocket connection behind the handshake: bytes in, messages and bytes out.
///
/// Pings are answered and a close is answered by itself: what is to be sent stands in ``output``, in order, and goes
/// out after each event. Text is judged as it comes, at the first byte that cannot be UTF-8. Memory is bounded by the
/// limits.
///
///     var offset = 0
///     while let event = endpoint.next(in: piece, from: &offset) {
///         if case .message(let kind, let bytes) = event { endpoint.send(kind, bytes) }
///         write(endpoint.takeOutput())
///     }
///
/// Source: RFC 6455; RFC 7692; `appattest-gate` section 4.3.
public struct WebSocketEndpoint {
    public enum Role {
        case server
        /// - Parameter maskingKeys: fresh keys of a CSPRNG, one for each frame that is sent.
        case client(maskingKeys: () -> MaskingKey)
    }

    public enum MessageKind: Hashable, Sendable { case text, binary }

    public enum Event: Hashable, Sendable {
        case message(MessageKind, [UInt8])
        /// The other side has sent a ping, which is answered already.
        case ping([UInt8])
        case pong([UInt8])
        /// The other side closes; answered already. The last event.
        case close(ClosePayload)
        /// The other side breaks a rule and is told so by a close frame. The last event.
        case violation(FrameViolation)
    }

    private let role: Role
    private let limits: FrameLimits
    private let compression: MessageCompression?
    private var grammar: FrameGrammar
    /// A header that is not complete.
    private var header: [UInt8] = []
    /// The frame whose payload is being read.
    private var frame: FrameStart?
    private var payloadLeft = 0
    private var control: [UInt8] = []
    private var message = IncomingMessage()

    /// Bytes to be sent.
    public private(set) var output: [UInt8] = []
    /// Whether a close frame has been sent; nothing is sent behind it.
    public private(set) var hasSentClose = false
    /// Whether nothing more is read: the other side has closed, or broken a rule.
    public private(set) var isOver = false

    /// - Parameter compression: nil unless permessage-deflate was negotiated.
    public init(role: Role, limits: FrameLimits = FrameLimits(), compression: MessageCompression? = nil) {
        self.role = role
        self.limits = limits
        self.compression = compression
        let sender: FrameSender = if case .server = role { .client } else { .server }
        grammar = FrameGrammar(
            sender: sender, extensions: compression == nil ? .none : .permessageDeflate, limits: limits)
    }

    /// Reads on.
    ///
    /// - Parameters:
    ///   - piece: the bytes that came; the same until this returns nil.
    ///   - offset: where to read on; 0 for a new piece.
    /// - Returns: nil when the piece is used up.
    public mutating func next(in piece: UnsafeRawBufferPointer, from offset: inout Int) -> Event? {
        while !isOver {
            do throws(FrameViolation) {
                if let frame {
                    let end = min(piece.count, offset + payloadLeft)
                    let event = try read(UnsafeRawBufferPointer(rebasing: piece[offset..<end]), of: frame)
                    offset = end
                    if let event { return event }
                    guard self.frame == nil else { return nil }
                } else {
                    guard try begin(in: piece, from: &offset) else { return nil }
                }
            } catch {
                return fail(error)
            }
        }
        offset = piece.count
        return nil
    }

    // MARK: Frames

    /// - Returns: whether the header is complete.
    private mutating func begin(in piece: UnsafeRawBufferPointer, from offset: inout Int) throws(FrameViolation) -> Bool
    {
        var start = header.isEmpty ? FrameStart(UnsafeRawBufferPointer(rebasing: piece[offset...])) : nil
        if let start {
            offset += start.count
        } else {
            while start == nil, offset < piece.count {
                header.append(piece[offset])
                offset += 1
                if header.count == 2, let objection = grammar.objection(first: header[0], second: header[1]) {
                    throw objection
                }
                start = header.withUnsafeBytes { FrameStart($0) }
            }
            guard start != nil else { return false }
            header.removeAll(keepingCapacity: true)
        }
        guard let start else { return false }
        if let objection = grammar.objection(start) { throw objection }
        payloadLeft = grammar.begin(start)
        if !start.isControl, let kind = FrameOpcode(rawValue: start.first & 0x0f), kind != .continuation {
            message.begin(kind == .text ? .text : .binary, isCompressed: compression != nil && start.isCompressed)
        }
        frame = start
        return true
    }

    /// Takes bytes of a payload.
    ///
    /// - Returns: an event if they are the last of it, and the frame is one that has an event.
    private mutating func read(_ bytes: UnsafeRawBufferPointer, of start: FrameStart) throws(FrameViolation) -> Event? {
        let position = Int(start.length) - payloadLeft
        payloadLeft -= bytes.count
        if start.isControl {
            control += bytes
            guard payloadLeft == 0 else { return nil }
            frame = nil
            return try finishControl(start)
        }
        try message.append(bytes, key: start.isMasked ? start.key : nil, from: position)
        guard payloadLeft == 0 else { return nil }
        frame = nil
        guard start.isFinal else { return nil }
        let (kind, content) = try message.finish(compression, maximumBytes: limits.message)
        return .message(kind, content)
    }

    private mutating func finishControl(_ start: FrameStart) throws(FrameViolation) -> Event? {
        defer { control.removeAll(keepingCapacity: true) }
        if start.isMasked { control.withUnsafeMutableBytes { start.key.apply(to: $0) } }
        guard let opcode = FrameOpcode(rawValue: start.first & 0x0f) else { throw .reservedOpcode }
        switch try ControlFrame(opcode, payload: control) {
        case .ping(let payload):
            send(.pong(payload))
            return .ping(payload)
        case .pong(let payload): return .pong(payload)
        case .close(let payload):
            send(.close(payload))
            isOver = true
            return .close(payload)
        }
    }

    private mutating func fail(_ violation: FrameViolation) -> Event {
        send(.close(ClosePayload(violation.code, reason: violation.rawValue)))
        isOver = true
        message = IncomingMessage()
        return .violation(violation)
    }

    // MARK: Sending

    /// - Returns: false, and nothing is sent, behind a close frame.
    @discardableResult public mutating func send(_ frame: ControlFrame) -> Bool {
        guard !hasSentClose else { return false }
        if case .close = frame { hasSentClose = true }
        output += frame.encoded(maskingKey: maskingKey())
        return true
    }

    /// Sends a message in one frame, compressed if that was negotiated and it is long enough.
    ///
    /// - Parameter bytes: UTF-8 for a text.
    /// - Returns: false, and nothing is sent, behind a close frame.
    @discardableResult public mutating func send(_ kind: MessageKind, _ bytes: UnsafeRawBufferPointer) -> Bool {
        guard !hasSentClose else { return false }
        let opcode: FrameOpcode = kind == .text ? .text : .binary
        if let compression, bytes.count >= compression.threshold, let payload = compression.compress(bytes) {
            let header = FrameHeader(
                opcode, count: payload.count, isCompressed: true, maskingKey: maskingKey())
            payload.withUnsafeBytes { header.append(to: &output, payload: $0) }
        } else {
            FrameHeader(opcode, count: bytes.count, maskingKey: maskingKey()).append(to: &output, payload: bytes)
        }
        return true
    }

    @discardableResult public mutating func send(_ kind: MessageKind, _ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { send(kind, $0) }
    }

    private func maskingKey() -> MaskingKey? {
        if case .client(let keys) = role { keys() } else { nil }
    }

    /// Gives what is to be sent, once.
    public mutating func takeOutput() -> [UInt8] {
        defer { output = [] }
        return output
    }

    /// Gives what is to be sent, once, without giving up its memory unless that is large.
    public mutating func withOutput<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        defer { output.removeAll(keepingCapacity: output.capacity <= 1 << 16) }
        return try output.withUnsafeBytes(body)
    }
}
