internal import NIOCore
internal import WebSocketFrames

/// What one admitted connection is counted and limited by, whatever carries its bytes on. It belongs to its event loop.
final class Session {
    let admission: Admission
    let visitor: Visitor
    let requestID: RequestID
    let server: SessionContext
    private let start: NIODeadline
    private var number: Int?
    private var rate: MessageRate
    /// Who began the end, and with which code.
    private var cause: (side: CloseSide, code: CloseCode?)?
    private var isClosing = false
    var pulse: Pulse
    private var timer: Scheduled<Void>?

    init(_ admission: Admission, _ visitor: Visitor, _ requestID: RequestID, _ server: SessionContext) {
        self.admission = admission
        self.visitor = visitor
        self.requestID = requestID
        self.server = server
        let now = server.loop.now
        start = now
        rate = MessageRate(server.configuration.frames.messagesPerSecond)
        pulse = Pulse(server.configuration.heartbeat, tag: .random(in: 0...UInt32.max), now: now)
    }

    /// Counts the connection as open, and lets the code that stops the gate find it.
    func open(_ connection: any Closable) {
        number = server.connections.add(connection, admission.identity.keyID, on: server.loop)
        server.gate.metrics.connections.add(1, .open)
        server.gate.noteConnected(admission.identity, visitor, requestID)
    }

    /// Notes who ends the connection; the first counts.
    func noteCause(_ side: CloseSide, _ code: CloseCode?) {
        guard cause == nil else { return }
        cause = (side, code)
        isClosing = true
        server.gate.metrics.connections.add(-1, .open)
        server.gate.metrics.connections.add(1, .closing)
    }

    /// Lets go of everything. A second call changes nothing.
    func end() {
        timer?.cancel()
        guard let number else { return }
        self.number = nil
        noteCause(.gate, nil)
        server.connections.remove(number)
        let metrics = server.gate.metrics
        metrics.connections.add(-1, .closing)
        if let cause { metrics.closes.add(1, cause.side, cause.code) }
        admission.lease.end()
        var event = GateEvent(.closed)
        event.requestID = requestID
        event.peer = visitor.client
        event.key = admission.identity.keyID.map(KeyName.init)
        event.closeCode = cause?.code
        event.duration = UInt64((server.loop.now - start).nanoseconds)
        server.events.record(event)
    }

    // MARK: Times

    /// Does what the heartbeat says, from now on.
    func beat(_ act: @escaping (Pulse.Action) -> Void) {
        let act = NIOLoopBound(act, eventLoop: server.loop)
        let this = NIOLoopBound(self, eventLoop: server.loop)
        timer = server.loop.scheduleTask(deadline: pulse.next) {
            let session = this.value
            guard session.number != nil else { return }
            if let action = session.pulse.act(at: session.server.loop.now) { act.value(action) }
            session.beat(act.value)
        }
    }

    // MARK: Limits

    /// Counts messages of the client.
    func count(messages: Int) -> MessageRate.Verdict {
        let now = server.loop.now.uptimeNanoseconds
        let own = rate.count(messages, at: now)
        let shared = admission.lease.count(messages, at: now)
        let verdict: MessageRate.Verdict =
            switch (own, shared) {
            case (.close, _), (_, .close): .close
            case (.pause(let one), .pause(let other)): .pause(until: max(one, other))
            case (.pause, _): own
            default: shared
            }
        if verdict != .within { server.gate.metrics.rateLimited.add(1, .messages) }
        return verdict
    }

    var limits: FrameLimits {
        FrameLimits(
            frame: server.configuration.frames.maximumFrameBytes,
            message: server.configuration.frames.maximumMessageBytes)
    }
}

/// What all sessions of one event loop share.
struct SessionContext {
    let gate: AccessControl
    let configuration: GateConfiguration
    let connections: OpenConnections
    let events: any EventSink
    let loop: any EventLoop
    let state: LoopState
    let version: String
}
