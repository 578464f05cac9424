internal import NIOCore
internal import WebSocketFrames

/// What one admitted connection is counted and limited by, whatever carries its bytes on. It belongs to its event loop.
final class Session {
    let admission: Admission
    let visitor: Visitor
    let server: SessionContext
    private let start: NIODeadline
    private var number: Int?
    private var rate: MessageRate
    /// With fewer messages at once nothing is a flood; nil where there is no limit.
    let leastFlood: Int?
    /// Who began the end, and with which code.
    private var cause: (side: CloseSide, code: CloseCode?)?
    var heartbeat: Heartbeat
    private var timer: LoopTimer?

    /// On the event loop that it is to belong to.
    init(_ admission: Admission, of visitor: Visitor, on server: SessionContext) {
        (self.admission, self.visitor, self.server) = (admission, visitor, server)
        let now = server.loop.now
        self.start = now
        let frames = server.configuration.frames
        rate = MessageRate(frames.messagesPerSecond, from: now)
        // What all connections of the client may send is not less.
        leastFlood =
            MessageRate.mostAtOnce(frames.messagesPerSecond)
            ?? admission.lease.messages.flatMap { MessageRate.mostAtOnce($0.limit) }
        heartbeat = Heartbeat(server.configuration.heartbeat, now: now)
    }

    /// Counts the connection as open, and lets the code that stops the gate find it.
    func open(_ connection: any Closable, reading kind: RelayKind) {
        number = server.connections.add(connection, admission.identity.keyID, on: server.loop)
        server.gate.metrics.connections.change(.open, by: 1)
        server.gate.metrics.relays.add(kind)
        server.gate.noteConnected(admission.identity, of: visitor)
        // Whoever told all connections to close may have done so before this one was among them.
        guard server.gate.isDraining else { return }
        let connection = NIOLoopBound(connection, eventLoop: server.loop)
        server.loop.execute { [code = server.configuration.drain.closeCode] in connection.value.close(code) }
    }

    /// Notes who ends the connection; the first counts.
    ///
    /// - Returns: whether this was the first.
    @discardableResult func noteCause(_ side: CloseSide, _ code: CloseCode?) -> Bool {
        guard cause == nil else { return false }
        cause = (side, code)
        server.gate.metrics.connections.change(.open, by: -1)
        server.gate.metrics.connections.change(.closing, by: 1)
        return true
    }

    /// Lets go of everything. A second call changes nothing.
    func end() {
        timer?.cancel()
        guard let number else { return }
        self.number = nil
        noteCause(.gate, nil)
        server.connections.remove(number)
        let metrics = server.gate.metrics
        metrics.connections.change(.closing, by: -1)
        if let cause { metrics.closes.add(cause.side, cause.code) }
        admission.lease.end()
        var event = GateEvent(.closed, of: visitor)
        event.key = admission.identity.keyID.map(KeyName.init)
        event.closeCode = cause?.code
        event.duration = server.loop.now - start
        server.events.record(event)
    }

    // MARK: Times

    /// Watches the connection from now on.
    ///
    /// - Parameter act: does what the heartbeat asks for, and returns whether the connection is to be watched on.
    func startHeartbeat(_ act: @escaping (Heartbeat.Action) -> Bool) {
        beat(NIOLoopBound(act, eventLoop: server.loop))
    }

    /// - Parameter act: is passed on as it is: a closure that is taken out and put in again is wrapped each time.
    private func beat(_ act: NIOLoopBound<(Heartbeat.Action) -> Bool>) {
        let this = NIOLoopBound(self, eventLoop: server.loop)
        timer = server.loop.startTimer(at: heartbeat.next) {
            let session = this.value
            guard session.number != nil else { return }
            let action = session.heartbeat.action(at: session.server.loop.now)
            // An end that has begun has a time of its own; the heartbeat's is over, and would be so again at once.
            if action.map(act.value) ?? true { session.beat(act) }
        }
    }

    /// Judges the silence of a client.
    func judgeSilence(_ reading: ClientReading) -> SilentEnd? {
        switch reading {
        case .since(let time): return heartbeat.noteReading(since: time) ? nil : .client
        case .paused:
            heartbeat.noteReceived(at: server.loop.now)
            return nil
        case .heldUp: return .upstream
        }
    }

    // MARK: Limits

    /// Counts messages of the client.
    func count(messages: Int) -> MessageRate.Verdict {
        let now = server.loop.now
        let own = rate.count(messages, at: now)
        let shared = admission.lease.count(messages, at: now)
        let verdict: MessageRate.Verdict =
            switch (own, shared) {
            case (.close, _), (_, .close): .close
            case (.pause(let one), .pause(let other)): .pause(until: max(one, other))
            case (.pause, _): own
            default: shared
            }
        if verdict != .within { server.gate.metrics.rateLimited.add(.messages) }
        return verdict
    }

    /// Whether so many messages are too many at once, for which the connection is closed: then none of them may pass.
    func isFlood(messages: Int) -> Bool {
        guard let leastFlood, messages >= leastFlood else { return false }
        let now = server.loop.now
        return rate.verdict(on: messages, at: now) == .close
            || admission.lease.verdict(on: messages, at: now) == .close
    }

    var limits: FrameLimits {
        FrameLimits(
            frame: server.configuration.frames.maximumFrameBytes,
            message: server.configuration.frames.maximumMessageBytes)
    }
}

/// What all sessions of one event loop share.
final class SessionContext: Sendable {
    let gate: AccessControl
    let configuration: GateConfiguration
    let connections: OpenConnections
    let events: any EventSink
    let loop: any EventLoop

    init(
        gate: AccessControl, configuration: GateConfiguration, connections: OpenConnections, events: any EventSink,
        on loop: any EventLoop
    ) {
        self.gate = gate
        self.configuration = configuration
        self.connections = connections
        self.events = events
        self.loop = loop
    }
}
