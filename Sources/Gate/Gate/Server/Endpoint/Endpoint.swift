internal import NIOCore
internal import Telnet
internal import WebSocketFrames

/// A WebSocket that ends in the gate: behind it a stream of bytes, with or without telnet, or its own echo.
///
/// Source: `appattest-gate` sections 4.3 to 4.5.
final class Endpoint: Closable {
    /// The most bytes of one read from the upstream, and so of a message to the client before its framing.
    static let maximumRead = 16_384
    /// How many bytes for the client are put together, about, before its channel is asked whether it takes them.
    private static let maximumOutput = 65_536

    private let session: Session
    private var webSocket: WebSocketEndpoint
    private var coder: ClientCoder
    /// The telnet of the stream; nil where the stream is no telnet.
    private var telnet: TelnetConnection?
    private var client: EndpointSide?
    private var stream: EndpointSide?
    private let isEcho: Bool
    /// What the client has sent behind a message that the other end could not take: nothing more is read meanwhile.
    private var rest: ByteBuffer?
    private var isOver = false
    private var cutTimer: LoopTimer?

    private init(_ session: Session, _ loop: LoopState, isEcho: Bool, compresses: Bool) {
        self.session = session
        self.isEcho = isEcho
        let server = session.server
        webSocket = WebSocketEndpoint(
            role: .server, limits: session.limits, compression: compresses ? loop.compression : nil)
        let framing = server.configuration.upstream.framing
        let isTelnet = server.configuration.upstream.address.kind == .telnet
        coder =
            if let deflater = loop.deflater {
                ClientCoder(framing, deflater: deflater, isTelnet: isTelnet)
            } else {
                ClientCoder(framing, isTelnet: isTelnet)
            }
        guard isTelnet else { return }
        let settings = server.configuration.telnet
        telnet = TelnetConnection(
            TelnetSettings(
                terminalTypes: settings.terminalTypes,
                maximumSubnegotiationBytes: settings.maximumSubnegotiationBytes, version: loop.version,
                clientAddress: settings.sendsClientAddress ? session.visitor.client.description : nil))
    }

    /// Puts the ends into their pipelines, behind the handler of HTTP, which steps aside.
    ///
    /// - Parameter stream: nil for the echo.
    static func join(
        _ session: Session, _ loop: LoopState, client: any Channel, stream: (any Channel)?, compresses: Bool,
        after http: HTTPHandler
    ) throws {
        let endpoint = Endpoint(session, loop, isEcho: stream == nil, compresses: compresses)
        let clientSide = EndpointSide(endpoint)
        try client.pipeline.syncOperations.addHandler(clientSide, position: .after(http))
        endpoint.client = clientSide
        if let stream {
            let side = EndpointSide(endpoint)
            try stream.pipeline.syncOperations.addHandler(side)
            endpoint.stream = side
        }
        session.open(endpoint, reading: .messages)
        session.startHeartbeat { [weak endpoint] in endpoint?.act(on: $0) ?? false }
        let rest = http.takeOver()
        client.flush()
        if rest.readableBytes > 0 { endpoint.receive(rest, from: clientSide) }
        endpoint.flush()
        client.read()
        stream?.read()
    }

    /// The end that gets what comes from `side`.
    func other(_ side: EndpointSide) -> EndpointSide? { isEcho ? client : side === client ? stream : client }

    /// Goes on where a channel takes bytes again.
    func writable(_ side: EndpointSide) {
        other(side)?.resume()
        side.resume()
    }

    // MARK: Bytes

    func receive(_ piece: ByteBuffer, from side: EndpointSide) {
        guard !isOver else { return }
        if side === client { receiveFromClient(piece) } else { receiveFromUpstream(piece) }
    }

    /// Whether something of what came from a side waits until the other end takes it.
    func hasRest(of side: EndpointSide) -> Bool { rest != nil && side === client }

    /// Goes on with what has waited.
    func takeRest() {
        guard let piece = rest, !isOver else { return }
        takeFromClient(piece)
        flush()
    }

    private func receiveFromClient(_ piece: ByteBuffer) {
        session.heartbeat.noteReceived(at: .now())
        session.server.gate.metrics.bytes.add(.toUpstream, count: piece.readableBytes)
        takeFromClient(piece)
    }

    /// Takes bytes of the client up to the message that is too much for the other end. A few bytes that are compressed
    /// may be many messages, each a thousand times as long.
    private func takeFromClient(_ whole: ByteBuffer) {
        var (piece, messages, isFlood) = (whole, 0, false)
        piece.readWithUnsafeReadableBytes { bytes in
            var offset = 0
            events: while let event = webSocket.next(in: bytes, from: &offset) {
                count(event)
                switch event {
                case .message(let kind, let content):
                    messages += 1
                    // The rest of a flood does not pass: it is closed below.
                    isFlood = isFlood || session.isFlood(messages: messages)
                    if isFlood { continue }
                    take(kind, content)
                    guard takesMore() else { break events }
                case .ping, .pong: break
                case .close(let payload):
                    session.noteCause(.client, payload.code)
                    finish()
                case .violation(let violation):
                    session.noteCause(.gate, violation.code)
                    finish()
                }
            }
            return offset
        }
        rest = piece.readableBytes > 0 ? piece : nil
        sendToClient(isAnswer: true)
        guard messages > 0 else { return }
        session.heartbeat.noteMessage(at: session.server.loop.now)
        let verdict = session.count(messages: messages)
        // A second that has begun meanwhile might have room, and what did not pass would be missed.
        switch isFlood ? .close : verdict {
        case .within: break
        case .pause(let until): client?.hold(until: until)
        case .close: end(ClosePayload(.policyViolation, reason: "message_rate"))
        }
    }

    /// Whether a further message of the client may go on.
    private func takesMore() -> Bool {
        if webSocket.output.count > Self.maximumOutput { sendToClient(isAnswer: true) }
        return client?.canPass != false
    }

    private func count(_ event: WebSocketEndpoint.Event) {
        let opcode: FrameOpcode =
            switch event {
            case .message(.text, _): .text
            case .message(.binary, _): .binary
            case .ping: .ping
            case .pong: .pong
            case .close, .violation: .close
            }
        session.server.gate.metrics.frames.add(.toUpstream, opcode)
    }

    private func take(_ kind: WebSocketEndpoint.MessageKind, _ content: [UInt8]) {
        guard !isEcho else {
            send(kind, content)
            return
        }
        switch coder.decode(content) {
        case .input(let bytes): write(bytes)
        case .resize(let size):
            telnet?.resize(size)
            writeTelnet()
        case .message(let package, let data):
            telnet?.send(package: package, data: data)
            writeTelnet()
        case .refused(let answer): send(answer)
        case .disconnect: end(ClosePayload(.normal))
        case .nothing: break
        }
    }

    private func write(_ bytes: [UInt8]) {
        guard telnet != nil else {
            stream?.write(ByteBuffer(bytes: bytes))
            return
        }
        telnet?.send(bytes)
        writeTelnet()
    }

    private func writeTelnet(isAnswer: Bool = false) {
        guard let output = telnet?.takeOutput(), !output.isEmpty else { return }
        stream?.write(ByteBuffer(bytes: output), isAnswer: isAnswer)
    }

    /// Takes bytes of the upstream.
    private func receiveFromUpstream(_ piece: ByteBuffer) {
        session.heartbeat.noteMessage(at: session.server.loop.now)
        guard telnet != nil else {
            send(.data(Array(piece.readableBytesView)))
            return sendToClient()
        }
        var events: [TelnetEvent] = []
        piece.withUnsafeReadableBytes { telnet?.receive($0) { events.append($0) } }
        writeTelnet(isAnswer: true)
        for event in events { send(event) }
        sendToClient()
    }

    private func send(_ event: TelnetEvent) {
        do throws(RawDeflateError) {
            if let message = try coder.encode(event) { send(message) }
        } catch {
            end(ClosePayload(.internalError, reason: "no_memory"))
        }
    }

    private func send(_ message: ClientMessage) { send(message.isText ? .text : .binary, message.bytes) }

    private func send(_ kind: WebSocketEndpoint.MessageKind, _ bytes: [UInt8]) {
        if webSocket.send(kind, bytes) {
            session.server.gate.metrics.frames.add(.toClient, kind == .text ? .text : .binary)
        }
    }

    private func sendToClient(isAnswer: Bool = false) {
        let bytes = webSocket.withOutput { $0.isEmpty ? nil : ByteBuffer(bytes: $0) }
        guard let bytes else { return }
        session.server.gate.metrics.bytes.add(.toClient, count: bytes.readableBytes)
        client?.write(bytes, isAnswer: isAnswer)
    }

    func flush() {
        client?.flush()
        stream?.flush()
    }

    // MARK: Ends

    func close(_ code: CloseCode) { end(ClosePayload(code), cutsAfter: nil) }

    func expel(_ code: CloseCode) { end(ClosePayload(code)) }

    func cut() {
        client?.cut()
        stream?.cut()
    }

    /// - Returns: whether the connection is to be watched on.
    private func act(on action: Heartbeat.Action) -> Bool {
        switch action {
        case .ping(let payload):
            webSocket.send(.ping(payload))
            sendToClient()
            flush()
            return true
        case .idle:
            end(ClosePayload(.goingAway, reason: "idle"))
            return false
        case .dead:
            guard let client else { return false }
            switch session.judgeSilence(client.reading) {
            case nil: return true
            case .client:
                session.noteCause(.client, nil)
                client.cut()
            // It is lost by that, and the client told.
            case .upstream: stream?.cut()
            }
            return false
        }
    }

    /// Ends the connection from the gate's side.
    private func end(_ payload: ClosePayload, cutsAfter time: TimeAmount? = Relay.closeTime) {
        session.noteCause(.gate, payload.code)
        webSocket.send(.close(payload))
        sendToClient()
        flush()
        stream?.closeOutput()
        if let time { cut(after: time) }
    }

    /// The client has said its last word, and has been answered: nothing more goes either way.
    private func finish() {
        sendToClient()
        client?.closeOutput()
        stream?.closeOutput()
        cut(after: Relay.closeTime)
    }

    /// Closes the connection once the upstream has ended its output.
    func ended(_ side: EndpointSide) {
        guard side !== client, !isOver else { return }
        if let message = coder.finish(reason: "upstream_closed") { send(message) }
        end(ClosePayload(.normal))
    }

    /// Ends what is left when an end has gone.
    func lose(_ side: EndpointSide) {
        guard !isOver else { return }
        if side === client {
            session.noteCause(.client, nil)
            isOver = true
            cutTimer?.cancel()
            session.end()
            stream?.closeOutput()
            // What the upstream still sends has nobody to go to.
            stream?.cut()
            (client, stream) = (nil, nil)
        } else if !webSocket.hasSentClose {
            session.server.gate.metrics.upstreamErrors.add(.lost)
            session.noteCause(.upstream, .internalError)
            if let message = coder.finish(reason: "upstream_lost") { send(message) }
            end(ClosePayload(.internalError, reason: "upstream_lost"))
        } else {
            // Nothing comes any more that the client's answer would be waited for.
            cut(after: Relay.closeTime)
        }
    }

    private func cut(after time: TimeAmount) {
        guard cutTimer == nil else { return }
        let this = NIOLoopBound(self, eventLoop: session.server.loop)
        cutTimer = session.server.loop.startTimer(in: time) { this.value.cut() }
    }
}
