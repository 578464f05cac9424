internal import NIOCore
internal import WebSocketFrames

/// Two WebSocket connections whose bytes are passed on unread, from their handshakes to their ends, both on one event
/// loop (``LoopLink``) or one relay's thread (``SocketLink``).
///
/// Source: `appattest-gate` section 4.6.
class ByteLink: Closable {
    let session: Session
    private var cutTimer: LoopTimer?
    private var idleTimer: LoopTimer?

    init(_ session: Session) { self.session = session }

    // MARK: What each kind does

    /// Tells both sides that nothing more comes, behind what was sent to them.
    func finish() {}

    /// Ends both connections now.
    func cut() {}

    /// When a byte last came from either side.
    var lastMove: NIODeadline { .now() }

    // MARK: Ends

    func close(_ code: CloseCode) { end() }

    func expel(_ code: CloseCode) { end() }

    /// The gate ends it. No close frame tells why: the bytes that passed may have ended inside of a frame.
    private func end() {
        session.noteCause(.gate, nil)
        finish()
        cut(after: Relay.closeTime)
    }

    /// Takes it that a side sends nothing more. The other one may finish what it has to say.
    func inputEnded(of side: CloseSide, isBroken: Bool = false) {
        noteCause(side, isBroken: isBroken)
        cut(after: Relay.closeTime)
    }

    private func noteCause(_ side: CloseSide, isBroken: Bool) {
        let isFirst = session.noteCause(side, nil)
        if isFirst, isBroken, side == .upstream { session.server.gate.metrics.upstreamErrors.add(.lost) }
    }

    /// Lets go of everything once nothing moves any more.
    ///
    /// - Parameter side: whose connection broke, if one did.
    func over(brokenBy side: CloseSide?) {
        cutTimer?.cancel()
        idleTimer?.cancel()
        if let side { noteCause(side, isBroken: true) }
        session.end()
    }

    private func cut(after time: TimeAmount) {
        guard cutTimer == nil else { return }
        let this = NIOLoopBound(self, eventLoop: session.server.loop)
        cutTimer = session.server.loop.startTimer(in: time) { this.value.cut() }
    }

    // MARK: Times

    func begin() {
        session.open(self, reading: .bytes)
        let idle = session.server.configuration.heartbeat.idle
        if idle > .zero { watch(for: TimeAmount(idle)) }
    }

    /// Ends the connection when nothing has moved for so long.
    private func watch(for time: TimeAmount) {
        let this = NIOLoopBound(self, eventLoop: session.server.loop)
        idleTimer = session.server.loop.startTimer(at: lastMove + time) {
            let link = this.value
            if link.lastMove + time <= .now() { link.end() } else { link.watch(for: time) }
        }
    }
}
