internal import NIOCore
internal import NIOHTTP1
internal import WebSocketFrames

/// Answers the requests of apps. One for each connection.
///
/// Source: `appattest-gate` sections 3.1 and 3.3.
final class AppSite: HTTPSite {
    /// How long a client that was refused by a close frame may take to close.
    private static let refusalTime = TimeAmount.seconds(1)

    private let server: SessionContext
    private let facts: ConnectionFacts
    private let dialer: UpstreamDialer

    init(_ server: SessionContext, _ facts: ConnectionFacts, _ dialer: UpstreamDialer) {
        self.server = server
        self.facts = facts
        self.dialer = dialer
    }

    private var gate: AccessControl { server.gate }

    private func visitor(_ headers: HTTPHeaders = HTTPHeaders()) -> Visitor {
        Visitor(
            peer: facts.peer, headers: headers, certificate: facts.certificate, by: server.configuration.addresses)
    }

    func refuse(_ refusal: Refusal) -> Answer { gate.answer(refusal, to: visitor(), gate.requestID()) }

    func receive(_ head: HTTPRequestHead, _ http: HTTPHandler) {
        let (gate, id, visitor) = (gate, gate.requestID(), visitor(head.headers))
        switch gate.route(head) {
        case .answer(let answer): http.answer(answer)
        case .refuse(let refusal): http.answer(gate.answer(refusal, to: visitor, id))
        case .challengeHead: http.answer(gate.challengeHead())
        case .challenge: answer(http) { await gate.challenge(visitor, id, headers: head.headers) }
        case .ready(let isHead): answer(http) { await gate.ready(isHead: isHead) }
        case .forwardAuthentication: answer(http) { await gate.forwardAuthentication(head, visitor, id) }
        case .register: register(head, visitor, id, http)
        case .upgrade:
            server.state.executor.run {
                await gate.decide(head, visitor, id)
            } then: { decision in
                self.act(on: decision, head, visitor, id, http)
            }
        }
    }

    private func answer(_ http: HTTPHandler, _ work: @escaping @Sendable () async -> Answer) {
        server.state.executor.run(work) { http.answer($0) }
    }

    // MARK: Registration

    private func register(_ head: HTTPRequestHead, _ visitor: Visitor, _ id: RequestID, _ http: HTTPHandler) {
        let gate = gate
        if let answer = gate.registrationRefusal(head, visitor, id) { return http.answer(answer) }
        http.readBody(head, maximumBytes: RegisterRequest.maximumBodyBytes) { [weak self] result in
            switch result {
            case .success(let body):
                self?.answer(http) { await gate.register(body: body, visitor, id) }
            case .failure(let failure):
                let code: RefusalCode =
                    switch failure {
                    case .tooLarge: .bodyTooLarge
                    case .tooSlow: .requestTimeout
                    case .malformed: .malformedHeader
                    }
                http.answer(gate.registrationAnswer(Refusal(code), visitor, id))
            }
        }
    }

    // MARK: Upgrades

    private func act(
        on decision: UpgradeDecision, _ head: HTTPRequestHead, _ visitor: Visitor, _ id: RequestID, _ http: HTTPHandler
    ) {
        switch decision {
        case .refuse(let answer): http.answer(answer)
        case .close(let handshake, let payload):
            var bytes = SwitchAnswer(accept: handshake.accept).bytes
            bytes.writeBytes(ControlFrame.close(payload).encoded())
            http.finish(with: bytes, within: Self.refusalTime)
        case .admit(let admission):
            guard !http.isOver, let channel = http.channel else { return admission.lease.end() }
            gate.metrics.connections.add(1, .connecting)
            let request = UpstreamRequest(
                head: head, client: visitor.client,
                context: UpstreamHeaders.Context(
                    peer: visitor.peer, isPeerTrusted: visitor.isPeerTrusted, isTLS: facts.isTLS,
                    identity: admission.identity, requestID: id))
            let start = server.loop.now
            dialer.dial(request, on: server.loop) { [self] result in
                gate.metrics.connections.add(-1, .connecting)
                gate.metrics.upstreamConnects.observe(UInt64((server.loop.now - start).nanoseconds))
                switch result {
                case .success(let link):
                    let session = Session(admission, visitor, id, server)
                    guard gate.bindsAccounts, case .webSocket(_, let answer) = link else {
                        return connect(session, link, head, http, channel)
                    }
                    // Meanwhile the upstream is not read.
                    server.state.executor.run { [gate, accounts = answer.accounts] in
                        await gate.bindAccount(admission.identity, answer: accounts, visitor, id)
                    } then: { [self] refusal in
                        guard let refusal else { return connect(session, link, head, http, channel) }
                        link.channel?.close(promise: nil)
                        admission.lease.end()
                        let decision = gate.refuse(refusal, head, visitor, id, admission.identity)
                        act(on: decision, head, visitor, id, http)
                    }
                case .failure(let error):
                    admission.lease.end()
                    fail(error, head, visitor, id, admission.identity, http)
                }
            }
        }
    }

    private func fail(
        _ failure: DialFailure, _ head: HTTPRequestHead, _ visitor: Visitor, _ id: RequestID, _ identity: Identity,
        _ http: HTTPHandler
    ) {
        gate.metrics.upstreamErrors.add(1, failure.metric)
        var event = GateEvent(.upstreamFailed, failure.text, .warning)
        event.requestID = id
        event.peer = visitor.client
        server.events.record(event)
        act(on: gate.refuse(Refusal(failure.code), head, visitor, id, identity), head, visitor, id, http)
    }

    /// Sends 101 and puts what carries the connection from now on into both pipelines.
    private func connect(
        _ session: Session, _ link: UpstreamLink, _ head: HTTPRequestHead, _ http: HTTPHandler, _ channel: any Channel
    ) {
        guard !http.isOver else {
            link.channel?.close(promise: nil)
            return session.admission.lease.end()
        }
        guard !gate.isDraining else {
            link.channel?.close(promise: nil)
            session.admission.lease.end()
            let decision = gate.refuse(
                Refusal(.draining), head, session.visitor, session.requestID, session.admission.identity)
            return act(on: decision, head, session.visitor, session.requestID, http)
        }
        let accept = session.admission.handshake.accept
        do {
            switch link {
            case .webSocket(let upstream, let answer):
                channel.write(SwitchAnswer(accept: accept, fields: answer.fields).bytes, promise: nil)
                try Relay.join(session, channel, upstream, answer, after: http)
            case .stream, .echo:
                let offers = WebSocketExtension.list(head.headers["sec-websocket-extensions"]) ?? []
                let deflate = session.server.state.compression == nil ? nil : PermessageDeflate.answer(to: offers)
                let fields = HTTPHeaders(deflate.map { [("Sec-WebSocket-Extensions", $0)] } ?? [])
                channel.write(SwitchAnswer(accept: accept, fields: fields).bytes, promise: nil)
                try Endpoint.join(session, channel, link.channel, compresses: deflate != nil, after: http)
            }
        } catch {
            // A pipeline that takes no handlers is of a connection that has ended.
            channel.close(promise: nil)
            link.channel?.close(promise: nil)
            session.admission.lease.end()
        }
    }
}

/// The answer that ends HTTP on a connection.
struct SwitchAnswer {
    let bytes: ByteBuffer

    init(accept: String, fields: HTTPHeaders = HTTPHeaders()) {
        var bytes = ByteBuffer()
        bytes.writeStaticString("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n")
        bytes.writeField("Sec-WebSocket-Accept", accept)
        for (name, value) in fields { bytes.writeField(name, value) }
        bytes.writeStaticString("\r\n")
        self.bytes = bytes
    }
}
