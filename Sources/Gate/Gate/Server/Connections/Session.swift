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
    /// Who began the end, and with which code.
    private var cause: (side: CloseSide, code: CloseCode?)?
    var heartbeat: Heartbeat
    private var timer: Scheduled<Void>?

    /// What a session begins with, on whichever event loop.
    struct Start: Sendable {
        let admission: Admission
        let visitor: Visitor
        let server: SessionContext

        func moved(to loop: any EventLoop) -> Start {
            Start(admission: admission, visitor: visitor, server: server.moved(to: loop))
        }
    }

    /// On the event loop that it is to belong to.
    init(_ start: Start) {
        (admission, visitor, server) = (start.admission, start.visitor, start.server)
        let now = server.loop.now
        self.start = now
        rate = MessageRate(server.configuration.frames.messagesPerSecond)
        heartbeat = Heartbeat(server.configuration.heartbeat, now: now)
    }

    /// Counts the connection as open, and lets the code that stops the gate find it.
    func open(_ connection: any Closable, reading kind: RelayKind) {
        number = server.connections.add(connection, admission.identity.keyID, on: server.loop)
        server.gate.metrics.connections.change(.open, by: 1)
        server.gate.metrics.relays.add(kind)
        server.gate.noteConnected(admission.identity, of: visitor)
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
    /// - Parameter act: does what the heartbeat asks for.
    func startHeartbeat(_ act: @escaping (Heartbeat.Action) -> Void) {
        beat(NIOLoopBound(act, eventLoop: server.loop))
    }

    /// - Parameter act: is passed on as it is: a closure that is taken out and put in again is wrapped each time.
    private func beat(_ act: NIOLoopBound<(Heartbeat.Action) -> Void>) {
        let this = NIOLoopBound(self, eventLoop: server.loop)
        timer = server.loop.scheduleTask(deadline: heartbeat.next) {
            let session = this.value
            guard session.number != nil else { return }
            let action = session.heartbeat.action(at: session.server.loop.now)
            if let action { act.value(action) }
            switch action {
            case nil, .ping: session.beat(act)
            // The end that has begun has a time of its own; the heartbeat's is over, and would be so again at once.
            case .idle, .dead: break
            }
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

    var limits: FrameLimits {
        FrameLimits(
            frame: server.configuration.frames.maximumFrameBytes,
            message: server.configuration.frames.maximumMessageBytes)
    }
}

/// What all sessions of one event loop share.
struct SessionContext: Sendable {
    let gate: AccessControl
    let configuration: GateConfiguration
    let connections: OpenConnections
    let events: any EventSink
    let loop: any EventLoop

    /// The same for sessions of another event loop.
    func moved(to loop: any EventLoop) -> SessionContext {
        SessionContext(
            gate: gate, configuration: configuration, connections: connections, events: events, loop: loop)
    }
}
