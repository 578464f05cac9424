internal import NIOCore
internal import NIOHTTP1
internal import WebSocketFrames

/// Answers the requests of apps. One for each connection.
///
/// Source: `appattest-gate` sections 3.1 and 3.3.
final class AppRequestHandler: RequestHandler {
    /// How long a client that was refused by a close frame may take to close.
    private static let refusalTime = TimeAmount.seconds(1)

    private let server: SessionContext
    private let loop: LoopState
    private let facts: ConnectionFacts
    private let dialer: any UpstreamDialing

    init(_ loop: LoopState, facts: ConnectionFacts, dialer: any UpstreamDialing) {
        server = loop.sessions
        self.loop = loop
        self.facts = facts
        self.dialer = dialer
    }

    /// A request that asks for a WebSocket, from its head to the connection that it becomes.
    private struct Upgrade {
        let head: HTTPRequestHead
        let visitor: Visitor
        let http: HTTPConversation
    }

    private var gate: AccessControl { server.gate }

    private func visitor(_ headers: HTTPHeaders = HTTPHeaders()) -> Visitor {
        Visitor(
            peer: facts.peer, headers: headers, certificate: facts.certificate, requestID: gate.requestID(),
            by: server.configuration.addresses)
    }

    func refuse(_ refusal: Refusal) -> Answer { gate.answer(refusal, to: visitor()) }

    func receive(_ head: HTTPRequestHead, on http: HTTPConversation) {
        let (gate, visitor) = (gate, visitor(head.headers))
        switch gate.route(head) {
        case .answer(let answer): http.answer(answer)
        case .refuse(let refusal): http.answer(gate.answer(refusal, to: visitor))
        case .challengeHead: http.answer(gate.challengeHead())
        case .challenge: answer(http) { await gate.challenge(to: visitor, headers: head.headers) }
        case .ready(let isHead): http.answer(gate.ready(isHead: isHead))
        case .forwardAuthentication: answer(http) { await gate.forwardAuthentication(head, from: visitor) }
        case .register: register(head, from: visitor, on: http)
        case .upgrade:
            let upgrade = Upgrade(head: head, visitor: visitor, http: http)
            if let decision = gate.decideAtOnce(head, from: visitor) { return act(on: decision, of: upgrade) }
            let decide: @Sendable () async -> UpgradeDecision = { await gate.decide(head, from: visitor) }
            http.run(decide, on: loop.executor) { decision in self.act(on: decision, of: upgrade) }
        }
    }

    private func answer(_ http: HTTPConversation, _ work: @escaping @Sendable () async -> Answer) {
        http.run(work, on: loop.executor) { http.answer($0) }
    }

    // MARK: Registration

    private func register(_ head: HTTPRequestHead, from visitor: Visitor, on http: HTTPConversation) {
        let gate = gate
        if let answer = gate.registrationRefusal(head, from: visitor) { return http.answer(answer) }
        http.readBody(head, maximumBytes: RegisterRequest.maximumBodyBytes) { [weak self] result in
            switch result {
            case .success(let body):
                self?.answer(http) { await gate.register(body: body, from: visitor) }
            case .failure(let failure):
                let code: RefusalCode =
                    switch failure {
                    case .tooLarge: .bodyTooLarge
                    case .tooSlow: .requestTimeout
                    case .malformed: .malformedHeader
                    }
                http.answer(gate.registrationAnswer(Refusal(code), to: visitor))
            }
        }
    }

    // MARK: Upgrades

    private func act(on decision: UpgradeDecision, of upgrade: Upgrade) {
        switch decision {
        case .refuse(let answer): upgrade.http.answer(answer)
        case .close(let handshake, let payload):
            var bytes = SwitchAnswer(accept: handshake.accept).bytes
            bytes.writeBytes(ControlFrame.close(payload).encoded())
            upgrade.http.finish(with: bytes, within: Self.refusalTime)
        case .admit(let admission):
            guard !upgrade.http.isOver else { return admission.lease.end() }
            dial(for: admission, of: upgrade)
        }
    }

    private func dial(for admission: Admission, of upgrade: Upgrade) {
        gate.metrics.connections.change(.connecting, by: 1)
        let request = UpstreamRequest(
            head: upgrade.head, visitor: upgrade.visitor, isTLS: facts.isTLS, identity: admission.identity)
        let start = server.loop.now
        dialer.dial(request, on: server.loop) { [self] result in
            gate.metrics.connections.change(.connecting, by: -1)
            gate.metrics.upstreamConnects.observe(server.loop.now - start)
            switch result {
            case .success(let link):
                guard gate.bindsAccounts, let answer = link.answer else {
                    return connect(admission, to: link, of: upgrade)
                }
                // Meanwhile the upstream is not read.
                loop.executor.run { [gate, accounts = answer.accounts, visitor = upgrade.visitor] in
                    await gate.bindAccount(of: admission.identity, answer: accounts, to: visitor)
                } then: { [self] refusal in
                    guard let refusal else { return connect(admission, to: link, of: upgrade) }
                    link.close()
                    refuse(refusal, admission, of: upgrade)
                }
            case .failure(let failure):
                gate.metrics.upstreamErrors.add(failure.metric)
                server.events.record(
                    GateEvent(.upstreamFailed, .warning, of: upgrade.visitor).with {
                        $0.detail = SafeText(failure.text)
                    })
                refuse(Refusal(failure.code), admission, of: upgrade)
            }
        }
    }

    /// Refuses somebody who was admitted already.
    private func refuse(_ refusal: Refusal, _ admission: Admission, of upgrade: Upgrade) {
        admission.lease.end()
        let decision = gate.refuse(refusal, to: upgrade.visitor, of: upgrade.head, as: admission.identity)
        act(on: decision, of: upgrade)
    }

    /// Sends 101, and has the connection carried by something else from now on.
    private func connect(_ admission: Admission, to link: UpstreamLink, of upgrade: Upgrade) {
        guard !upgrade.http.isOver else {
            link.close()
            return admission.lease.end()
        }
        guard !gate.isDraining else {
            link.close()
            return refuse(Refusal(.draining), admission, of: upgrade)
        }
        let session = Session(admission, of: upgrade.visitor, on: server)
        #if os(Linux)
            if case .socket(let answer, let sockets) = link {
                return sockets.connect(session, answer, switchingBy: switchAnswer(admission, answer.fields))
            }
        #endif
        do {
            guard let http = upgrade.http.channelHandler, let channel = http.channel else {
                throw ChannelError.ioOnClosedChannel
            }
            try connect(session, from: http, of: channel, to: link, of: upgrade)
        } catch {
            // A pipeline that takes no handlers is of a connection that has ended.
            upgrade.http.channelHandler?.close()
            link.close()
            admission.lease.end()
        }
    }

    private func switchAnswer(_ admission: Admission, _ fields: HTTPHeaders) -> ByteBuffer {
        SwitchAnswer(accept: admission.handshake.accept, fields: fields).bytes
    }

    /// The same for channels: what carries the connection is put into both pipelines.
    private func connect(
        _ session: Session, from http: HTTPHandler, of client: any Channel, to link: UpstreamLink, of upgrade: Upgrade
    ) throws {
        if case .webSocket(let upstream, let answer, let handshake) = link {
            let bytes = switchAnswer(session.admission, answer.fields)
            let ends = RelayEnds(client: client, upstream: upstream, http: http, handshake: handshake)
            switch server.configuration.relayMode {
            case .frames:
                try ChannelSide.connect(session, ends, following: answer.extensions, switchingBy: bytes)
            case .bytes: try LoopLink.connect(session, ends, switchingBy: bytes)
            }
            return
        }
        let offers = WebSocketExtension.list(upgrade.head.headers["sec-websocket-extensions"]) ?? []
        let deflate = loop.compression == nil ? nil : PermessageDeflate.answer(to: offers)
        let fields = HTTPHeaders(deflate.map { [("Sec-WebSocket-Extensions", $0)] } ?? [])
        client.write(switchAnswer(session.admission, fields), promise: nil)
        try Endpoint.join(session, loop, client: client, stream: link.stream, compresses: deflate != nil, after: http)
    }
}

/// The answer that ends HTTP on a connection.
struct SwitchAnswer {
    let bytes: ByteBuffer

    init(accept: String, fields: HTTPHeaders = HTTPHeaders()) {
        var bytes = ByteBuffer()
        bytes.reserveCapacity(512)
        bytes.writeStaticString("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n")
        bytes.writeField("Sec-WebSocket-Accept", value: accept)
        for (name, value) in fields { bytes.writeField(name, value: value) }
        bytes.writeStaticString("\r\n")
        self.bytes = bytes
    }
}
