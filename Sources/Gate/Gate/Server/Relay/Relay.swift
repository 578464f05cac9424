internal import NIOCore
internal import WebSocketFrames

/// Two WebSocket connections whose bytes are passed on as they come, both on one event loop.
///
/// Frames are followed, not rebuilt: a payload is neither copied nor unmasked. Between frames the gate says its own:
/// pings to the client, and close frames to both.
/// Source: `appattest-gate` section 4.1.
final class Relay: Closable {
    /// How long an end that is being closed may take.
    static let closeTime = TimeAmount.seconds(5)

    private let session: Session
    private let traffic: Traffic
    private var client: RelaySide?
    private var upstream: RelaySide?
    private var isOver = false
    private var cutTimer: Scheduled<Void>?

    private init(_ session: Session) {
        self.session = session
        traffic = Traffic(session.server.gate.metrics)
    }

    /// Puts the ends into their pipelines, behind the handlers of HTTP, which step aside.
    static func join(
        _ session: Session, client: any Channel, upstream: any Channel, _ answer: UpstreamAnswer,
        after http: HTTPHandler
    ) throws {
        let relay = Relay(session)
        let judgesText = session.server.configuration.frames.validatesUTF8
        func side(_ sender: FrameSender, masks: Bool) -> RelaySide {
            RelaySide(
                relay,
                FrameTracker(
                    sender: sender, extensions: answer.extensions, limits: session.limits, judgesText: judgesText),
                masks: masks)
        }
        let clientSide = side(.client, masks: false)
        let upstreamSide = side(.server, masks: true)
        try client.pipeline.syncOperations.addHandler(clientSide, position: .after(http))
        try upstream.pipeline.syncOperations.addHandler(upstreamSide, position: .after(answer.handler))
        (relay.client, relay.upstream) = (clientSide, upstreamSide)
        session.open(relay, reading: .frames)
        session.startHeartbeat { [weak relay] in relay?.act(on: $0) }
        let rest = http.takeOver()
        let early = answer.handler.takeRest()
        upstream.pipeline.syncOperations.removeHandler(answer.handler, promise: nil)
        client.flush()
        if early.readableBytes > 0 { relay.receive(early, from: upstreamSide) }
        if rest.readableBytes > 0 { relay.receive(rest, from: clientSide) }
        clientSide.flush()
        upstreamSide.flush()
        clientSide.context?.channel.read()
        upstreamSide.context?.channel.read()
        if !clientSide.isOpen { relay.lose(clientSide) }
        if !upstreamSide.isOpen { relay.lose(upstreamSide) }
    }

    func other(_ side: RelaySide) -> RelaySide? { side === client ? upstream : client }

    // MARK: Bytes

    func receive(_ piece: ByteBuffer, from side: RelaySide) {
        guard !isOver, let other = other(side) else { return }
        if side === client { session.heartbeat.noteReceived(at: .now()) }
        piece.withUnsafeReadableBytes { bytes in
            var offset = 0
            while let event = side.tracker.next(in: bytes, from: &offset) {
                switch event {
                case .data(let passage): pass(passage, of: piece, from: side, to: other)
                case .control(let frame, let passage): control(frame, passage, of: piece, from: side, to: other)
                case .violation(let violation): refuse(violation, of: side)
                }
            }
        }
        other.injectWaiting()
        count(side, bytes: piece.readableBytes)
        if side.hasAnsweredClose, !other.isOpen { side.close() }
    }

    private func pass(
        _ passage: FrameTracker.Passage, of piece: ByteBuffer, from side: RelaySide, to other: RelaySide
    ) {
        if passage.heldCount > 0 { other.pass(ByteBuffer(bytes: side.tracker.held)) }
        if passage.range.count == piece.readableBytes {
            other.pass(piece)
        } else if !passage.range.isEmpty,
            let slice = piece.getSlice(at: piece.readerIndex + passage.range.lowerBound, length: passage.range.count)
        {
            other.pass(slice)
        }
    }

    private func control(
        _ frame: ControlFrame, _ passage: FrameTracker.Passage, of piece: ByteBuffer, from side: RelaySide,
        to other: RelaySide
    ) {
        switch frame {
        case .pong(let payload) where side === client && session.heartbeat.isOwn(payload): return
        case .ping, .pong: pass(passage, of: piece, from: side, to: other)
        case .close(let payload):
            session.noteCause(side === client ? .client : .upstream, payload.code)
            side.noteReceivedClose()
            pass(passage, of: piece, from: side, to: other)
            other.notePassedClose()
            finish()
        }
    }

    private func count(_ side: RelaySide, bytes: Int) {
        let new = side.tracker.tally
        let old = side.counted
        guard new != old || bytes > 0 else { return }
        side.counted = new
        let isClient = side === client
        traffic.count(new, since: old, bytes: bytes, isClient ? .toUpstream : .toClient)
        guard new.messages != old.messages || new.payloadBytes != old.payloadBytes else { return }
        session.heartbeat.noteMessage(at: session.server.loop.now)
        guard isClient, new.messages != old.messages else { return }
        switch session.count(messages: new.messages - old.messages) {
        case .within: break
        case .pause(let until): hold(side, until: until)
        case .close: end(client: .policyViolation, upstream: .goingAway, reason: "message_rate")
        }
    }

    private func hold(_ side: RelaySide, until deadline: NIODeadline) {
        guard !side.isHeld else { return }
        side.isHeld = true
        let side = NIOLoopBound(side, eventLoop: session.server.loop)
        session.server.loop.scheduleTask(deadline: deadline) {
            side.value.isHeld = false
            side.value.resume()
        }
    }

    // MARK: Ends

    func close(_ code: CloseCode) { end(client: code, upstream: .goingAway, reason: "", cutsAfter: nil) }

    func cut() {
        client?.cut()
        upstream?.cut()
    }

    private func act(on action: Heartbeat.Action) {
        switch action {
        case .ping(let payload): client?.inject(.ping(payload))
        case .idle: end(client: .goingAway, upstream: .goingAway, reason: "idle")
        case .dead:
            session.noteCause(.client, nil)
            client?.cut()
        }
    }

    /// Ends the connection because one end broke a rule.
    private func refuse(_ violation: FrameViolation, of side: RelaySide) {
        // Nothing more is understood of it: what would be its close frame is not waited for.
        side.hasReceivedClose = true
        let isClient = side === client
        end(
            client: isClient ? violation.code : .goingAway, upstream: isClient ? .goingAway : violation.code,
            reason: violation.rawValue)
    }

    /// The gate ends it.
    ///
    /// - Parameter cutsAfter: nil where somebody else watches the time.
    private func end(
        client clientCode: CloseCode, upstream upstreamCode: CloseCode, reason: String,
        cutsAfter time: TimeAmount? = Relay.closeTime
    ) {
        session.noteCause(.gate, clientCode)
        client?.inject(.close(ClosePayload(clientCode, reason: reason)))
        upstream?.inject(.close(ClosePayload(upstreamCode, reason: reason)))
        if let time { cut(after: time) }
        finish()
    }

    /// Half-closes what has nothing more to say, and cuts all of it later.
    private func finish() {
        guard let client, let upstream, client.isDone || upstream.isDone else { return }
        for (side, other) in [(client, upstream), (upstream, client)] where side.isDone {
            // Nobody is left to whom it could say more: it is closed as a whole where its piece has been read.
            if !side.hasAnsweredClose || other.isOpen { side.closeOutput() }
        }
        cut(after: Self.closeTime)
    }

    private func cut(after time: TimeAmount) {
        guard cutTimer == nil else { return }
        let this = NIOLoopBound(self, eventLoop: session.server.loop)
        cutTimer = session.server.loop.scheduleTask(in: time) { this.value.cut() }
    }

    /// Ends what is left when an end has gone.
    func lose(_ side: RelaySide) {
        guard !isOver, let other = other(side) else { return }
        if !side.hasReceivedClose {
            session.noteCause(side === client ? .client : .upstream, nil)
            if side === upstream, !side.hasSentClose { session.server.gate.metrics.upstreamErrors.add(.lost) }
        }
        guard other.isOpen else { return finishLost() }
        if !other.hasSentClose, !side.tracker.isAtBoundary {
            // Inside of a frame nothing can be said any more.
            other.cut()
        } else {
            let payload =
                side === client
                ? ClosePayload(.goingAway) : ClosePayload(.internalError, reason: "upstream_lost")
            other.inject(.close(payload))
            finish()
        }
    }

    private func finishLost() {
        isOver = true
        cutTimer?.cancel()
        session.end()
        // The ends hold the relay, and the relay them.
        (client, upstream) = (nil, nil)
    }
}
