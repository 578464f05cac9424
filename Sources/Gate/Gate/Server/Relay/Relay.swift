internal import NIOCore
internal import WebSocketFrames

/// Two WebSocket connections whose bytes are passed on as they come, both on one event loop (``ChannelSide``) or one
/// relay's thread (``SocketSide``).
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
    private var cutTimer: LoopTimer?
    private let extensions: ExtensionUse

    /// - Parameter extensions: what the handshakes settled on.
    init(_ session: Session, _ extensions: ExtensionUse) {
        self.session = session
        self.extensions = extensions
        traffic = Traffic(session.server.gate.metrics)
    }

    /// What follows the frames that come from a side.
    func tracker(of sender: FrameSender) -> FrameTracker {
        FrameTracker(
            sender: sender, extensions: extensions, limits: session.limits,
            judgesText: session.server.configuration.frames.validatesUTF8)
    }

    /// Opens the session, before anything is received.
    func open(client: RelaySide, upstream: RelaySide) {
        (self.client, self.upstream) = (client, upstream)
        session.open(self, reading: .frames)
        session.startHeartbeat { [weak self] in self?.act(on: $0) ?? false }
    }

    func other(_ side: RelaySide) -> RelaySide? { side === client ? upstream : client }

    // MARK: Bytes

    func receive(_ piece: RelayedPiece, from side: RelaySide) {
        guard !isOver, let other = other(side) else { return }
        if side === client {
            session.heartbeat.noteReceived(at: session.server.loop.now)
            if isFlood(piece, of: side, to: other) { endFlood() }
        }
        var offset = 0
        while let event = side.tracker.next(in: piece.bytes, from: &offset) {
            switch event {
            case .data(let passage):
                pass(passage, of: piece, from: side, to: other)
                if side.tracker.pausesAtBoundaries { other.injectWaiting() }
            case .control(let frame, let passage): control(frame, passage, of: piece, from: side, to: other)
            case .violation(let violation): refuse(violation, of: side)
            }
        }
        other.injectWaiting()
        count(side, bytes: piece.bytes.count)
        if side.hasAnsweredClose, !other.isOpen { side.close() }
    }

    /// Whether a piece has more messages than may come at once. Few bytes are few messages, and not looked at twice.
    private func isFlood(_ piece: RelayedPiece, of side: RelaySide, to other: RelaySide) -> Bool {
        guard other.isListening, let least = session.leastFlood,
            piece.bytes.count / FrameTracker.leastFrameOfClient >= least - 1
        else { return false }
        return session.isFlood(messages: side.tracker.messages(in: piece.bytes))
    }

    /// Ends the connection before a flood is passed on: then nothing of it is, but for the rest of a frame.
    private func endFlood() { end(client: .policyViolation, upstream: .goingAway, reason: "message_rate") }

    private func pass(
        _ passage: FrameTracker.Passage, of piece: RelayedPiece, from side: RelaySide, to other: RelaySide
    ) {
        guard other.isListening else { return }
        if passage.heldCount > 0 { other.write(side.tracker.held) }
        if !passage.range.isEmpty { other.write(passage.range, of: piece) }
    }

    private func control(
        _ frame: ControlFrame, _ passage: FrameTracker.Passage, of piece: RelayedPiece, from side: RelaySide,
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
        case .close: endFlood()
        }
    }

    private func hold(_ side: RelaySide, until deadline: NIODeadline) {
        guard !side.isHeld else { return }
        side.hold()
        let side = NIOLoopBound(side, eventLoop: session.server.loop)
        session.server.loop.scheduleTask(deadline: deadline) {
            side.value.release()
        }
    }

    // MARK: Ends

    func close(_ code: CloseCode) { end(client: code, upstream: .goingAway, reason: "", cutsAfter: nil) }

    func expel(_ code: CloseCode) {
        end(client: code, upstream: .goingAway, reason: "")
        // The rest of a frame that has begun would be a message of the client's: the upstream never gets one.
        if let upstream, !upstream.hasSentClose { upstream.cut() }
    }

    func cut() {
        client?.cut()
        upstream?.cut()
    }

    /// - Returns: whether the connection is to be watched on.
    private func act(on action: Heartbeat.Action) -> Bool {
        switch action {
        case .ping(let payload):
            client?.inject(.ping(payload))
            return true
        case .idle:
            end(client: .goingAway, upstream: .goingAway, reason: "idle")
            return false
        case .dead:
            guard let client else { return false }
            switch session.judgeSilence(client.isHeld ? .paused : client.readSince.map { .since($0) } ?? .heldUp) {
            case nil: return true
            case .client:
                session.noteCause(.client, nil)
                client.cut()
            // It is lost by that, and the client told.
            case .upstream: upstream?.cut()
            }
            return false
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
            if !side.hasAnsweredClose || other.isOpen { side.endOutput() }
        }
        cut(after: Self.closeTime)
    }

    private func cut(after time: TimeAmount) {
        guard cutTimer == nil else { return }
        let this = NIOLoopBound(self, eventLoop: session.server.loop)
        cutTimer = session.server.loop.startTimer(in: time) { this.value.cut() }
    }

    /// Ends what is left when an end has gone.
    func lose(_ side: RelaySide) {
        guard !isOver, let other = other(side) else { return }
        if !side.hasReceivedClose {
            let isFirst = session.noteCause(side === client ? .client : .upstream, nil)
            if isFirst, side === upstream { session.server.gate.metrics.upstreamErrors.add(.lost) }
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
