internal import NIOCore
internal import NIOPosix
internal import NIOSSL

/// Source: `appattest-gate` sections 3.7, 3.8, 3.10 and 3.12.
extension GateServer {
    private static let backlog: Int32 = 4_096

    /// Opens the listener for apps.
    func listen(_ loops: LoopStates) async throws(GateServerError) -> any Channel {
        let settings = configuration.listener
        #if os(Linux)
            if let relays { return try await listen(by: relays, loops) }
        #endif
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: Self.backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { [self] listener in
                ListenerPause.add(to: listener).flatMapThrowing { [self] in
                    try listener.pipeline.syncOperations.addHandler(
                        ArrivalGuard(waiting, trusted: configuration.addresses.trusted))
                }
            }
            // TCP_NODELAY comes from the listener, on which every ``ServerBootstrap`` sets it.
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture { try prepare(channel, loops) }
            }
        return try await open("\(settings.host):\(settings.port)", from: [.bindHost, .port]) {
            try await bootstrap.bind(host: settings.host, port: settings.port).get()
        }
    }

    #if os(Linux)
        /// The same where connections live on threads of the gate's own: the channel is bound, and takes none itself.
        private func listen(
            by relays: SocketRelays, _ loops: LoopStates
        ) async throws(GateServerError) -> any Channel {
            let settings = configuration.listener
            let bootstrap = ServerBootstrap(group: group)
                .serverChannelOption(.backlog, value: Self.backlog)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .serverChannelOption(.autoRead, value: false)
            let place = "\(settings.host):\(settings.port)"
            let listener = try await open(place, from: [.bindHost, .port]) {
                try await bootstrap.bind(host: settings.host, port: settings.port).get()
            }
            let descriptor = try? await listener.eventLoop.submit {
                try listener.pipeline.syncOperations.withUnsafeTransportIfAvailable { (handle: CInt) in handle }
            }.get()
            guard let descriptor = descriptor ?? nil,
                relays.listen(
                    at: descriptor,
                    { [weak self] socket, address, loop in
                        if let self { SocketArrival.take(socket, from: address, by: self, on: loop, loops) }
                    })
            else { throw .listen(place: place, reason: "no more descriptors") }
            return listener
        }
    #endif

    private func prepare(_ channel: any Channel, _ loops: LoopStates) throws {
        guard let peer = IPAddress(channel.remoteAddress) else { throw ChannelError.unknownLocalAddress }
        let isTrusted = configuration.addresses.trusted.contains(peer)
        guard let place = waiting.enter(PendingChannel(channel), from: peer, isShared: isTrusted) else {
            return channel.close(promise: nil)
        }
        let pipeline = channel.pipeline.syncOperations
        let facts = ConnectionFacts(peer: peer, isTLS: tls != nil, place: place)
        if let preamble = preamble(of: facts, isTrusted: isTrusted) {
            try pipeline.addHandler(PreambleHandler(preamble))
        }
        try pipeline.addHandlers(handlersOfTLS(facts))
        let loop = channel.eventLoop
        let handler = AppRequestHandler(loops.state(of: loop), facts: facts, dialer: dialer)
        try pipeline.addHandler(HTTPHandler(HTTPConversation(handler, requestSettings, on: loop, place: place)))
    }

    /// What encrypts a connection that has arrived; empty where it is plain.
    func handlersOfTLS(_ facts: ConnectionFacts) -> [any ChannelHandler] {
        guard let tls else { return [] }
        let timeout = TimeAmount(configuration.timeouts.tlsHandshake)
        return [NIOSSLServerHandler(context: tls.context), TLSHandshakeHandler(timeout: timeout, facts)]
    }

    /// The times that a client has for requests.
    var requestSettings: HTTPConversation.Settings {
        let times = configuration.timeouts
        return HTTPConversation.Settings(
            header: TimeAmount(times.header), body: TimeAmount(times.body), idle: TimeAmount(parts.requestPause))
    }

    /// What reads a preamble of PROXY; nil where none is looked for.
    func preamble(of facts: ConnectionFacts, isTrusted: Bool) -> PreambleReader? {
        configuration.proxyProtocol.map { versions in
            PreambleReader(isTrusted ? .required(versions) : .forbidden, facts: facts, events: parts.events)
        }
    }

    /// Opens the operators' listener, unless it is off.
    func listenForOperators() async throws(GateServerError) -> (any Channel)? {
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer(ListenerPause.add)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture {
                    let loop = channel.eventLoop
                    let time = TimeAmount.seconds(10)
                    let http = HTTPConversation(
                        AdminRequestHandler(self, on: LoopExecutor(loop)),
                        HTTPConversation.Settings(header: time, body: time), on: loop)
                    try channel.pipeline.syncOperations.addHandler(HTTPHandler(http))
                }
            }
        switch configuration.admin.place {
        case .off: return nil
        case .host(let host, let port):
            return try await open("\(host):\(port)", from: [.adminBind]) {
                try await bootstrap.bind(host: host, port: port).get()
            }
        case .unixSocket(let path):
            return try await open(path, from: [.adminBind]) {
                try await bootstrap.withBoundSocket(OperatorSocket.make(at: path)).get()
            }
        }
    }

    /// - Parameter settings: those that say where the place is.
    private func open(
        _ place: String, from settings: [SettingName], _ bind: () async throws -> any Channel
    ) async throws(GateServerError) -> any Channel {
        do {
            let channel = try await bind()
            life.withLock { $0.listeners.append(channel) }
            return channel
        } catch {
            let names = settings.map(\.rawValue).joined(separator: ", ")
            throw .listen(place: place, reason: "\(DialFailure.reason(error)) (\(names))")
        }
    }
}
