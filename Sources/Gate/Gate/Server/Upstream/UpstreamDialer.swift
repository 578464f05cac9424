internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import WebSocketFrames

#if os(Linux)
    import Glibc
    internal import Sockets
#endif

/// Connects to the upstream, on the event loop of the client that asks for it.
///
/// Source: `appattest-gate` sections 3.3 (step 10) and 4.1.
final class UpstreamDialer: UpstreamDialing, Sendable {
    private let settings: GateConfiguration.UpstreamSettings
    private let tls: NIOSSLContext?
    /// The socket address of an upstream that is not given by a name.
    private let address: SocketAddress?
    /// The same as the system has it.
    let socketAddress: [UInt8]?

    /// How long a connection is silent before the system asks whether the other end is there.
    private static let keepAliveTime = Duration.seconds(60)

    init(_ settings: GateConfiguration.UpstreamSettings) throws(GateServerError) {
        self.settings = settings
        address =
            switch settings.address.place {
            case .host(let host, let port): try? SocketAddress(ipAddress: host, port: port)
            case .unixSocket(let path): try? SocketAddress(unixDomainSocketPath: path)
            case .nowhere: nil
            }
        #if os(Linux)
            socketAddress = address?.systemBytes
        #else
            socketAddress = nil
        #endif
        guard settings.address.isTLS else {
            tls = nil
            return
        }
        var configuration = TLSConfiguration.makeClientConfiguration()
        if let path = settings.caPath {
            let bytes = try FileContent.read(path, for: .upstreamTLSCAPath)
            guard let roots = try? NIOSSLCertificate.fromPEMBytes(bytes), !roots.isEmpty else {
                throw .setting(.upstreamTLSCAPath, "The file holds no certificate in PEM.")
            }
            configuration.trustRoots = .certificates(roots)
        }
        if settings.address.kind == .webSocket { configuration.applicationProtocols = ["http/1.1"] }
        do { tls = try NIOSSLContext(configuration: configuration) } catch {
            throw .setting(.upstreamTLSCAPath, "The authorities cannot be used: \(error).")
        }
    }

    func dial(
        _ request: UpstreamRequest, on loop: any EventLoop, done: @escaping (Result<UpstreamLink, DialFailure>) -> Void
    ) {
        guard settings.address.kind != .echo else { return done(.success(.echo)) }
        let attempt = DialAttempt(loop, limit: TimeAmount(settings.connectTimeout), done)
        let bound = NIOLoopBound(attempt, eventLoop: loop)
        let bootstrap = ClientBootstrap(group: loop)
            .connectTimeout(TimeAmount(settings.connectTimeout))
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture { try prepare(channel, for: request, bound.value) }
            }
        connect(bootstrap).whenFailure { bound.value.fail(DialFailure($0)) }
    }

    private func connect(_ bootstrap: ClientBootstrap) -> EventLoopFuture<any Channel> {
        if let address { return bootstrap.connect(to: address) }
        guard case .host(let host, let port) = settings.address.place else {
            return bootstrap.connect(unixDomainSocketPath: "")
        }
        return bootstrap.connect(host: host, port: port)
    }

    private func prepare(_ channel: any Channel, for request: UpstreamRequest, _ attempt: DialAttempt) throws {
        attempt.whenFailed = { channel.close(promise: nil) }
        let pipeline = channel.pipeline.syncOperations
        if case .host = settings.address.place {
            // TCP_NODELAY is what every ``ClientBootstrap`` sets.
            try channel.syncOptions?.setOption(.socketOption(.so_keepalive), value: 1)
            try channel.syncOptions?.setOption(
                .tcpOption(.keepAliveIdle), value: Int(Self.keepAliveTime.wholeSeconds))
            try pipeline.addHandlers(handlersOfTLS())
        }
        guard settings.address.kind == .webSocket else {
            let recv = AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 2_048, maximum: Endpoint.maximumRead)
            try channel.syncOptions?.setOption(.recvAllocator, value: recv)
            try channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: true)
            return try pipeline.addHandler(StreamReady(attempt, waitsForTLS: tls != nil))
        }
        try pipeline.addHandler(UpstreamHandshakeHandler(attempt, handshake(for: request), waitsForTLS: tls != nil))
    }

    /// What encrypts a connection, and checks whose it is; empty where it is plain.
    func handlersOfTLS() throws -> [any ChannelHandler] {
        guard let tls else { return [] }
        guard let name = settings.shownName else {
            // The certificate is compared with the address that was connected to.
            return [try NIOSSLClientHandler(context: tls, serverHostname: nil)]
        }
        return [try NIOSSLClientHandler(context: tls, serverHostname: name), ServiceNameCheck(ServiceName(name))]
    }

    // MARK: Sockets

    /// How long a connection may take until the upstream has answered.
    var limit: TimeAmount { TimeAmount(settings.connectTimeout) }

    #if os(Linux)
        /// Connects a socket that belongs to no channel, to an upstream that is given by a name, on an event loop of
        /// SwiftNIO's, which knows how to find the one of its addresses that answers.
        func connectSocket(on loop: any EventLoop) -> EventLoopFuture<ConnectedSocket> {
            connect(
                ClientBootstrap(group: loop).connectTimeout(limit).channelOption(.autoRead, value: false)
            ).flatMapThrowing { channel in
                defer { channel.close(promise: nil) }
                guard let socket = ConnectedSocket(of: channel) else { throw DialFailure.unreachable("no descriptors") }
                return socket
            }
        }

        /// Sets what every connection to an upstream has, where it is no Unix socket's.
        func prepare(_ socket: ConnectedSocket) {
            guard case .host = settings.address.place else { return }
            socket.set(TCP_NODELAY, of: CInt(IPPROTO_TCP), to: 1)
            socket.set(SO_KEEPALIVE, of: SOL_SOCKET, to: 1)
            socket.set(TCP_KEEPIDLE, of: CInt(IPPROTO_TCP), to: CInt(Self.keepAliveTime.wholeSeconds))
        }
    #endif

    // MARK: The request

    func handshake(for request: UpstreamRequest) -> UpstreamHandshake {
        let key = HandshakeKey(nonce: SystemRandomSource().bytes(16))
        return UpstreamHandshake(
            key, for: request.head, sending: bytes(request, key), offersExtensions: !settings.stripsExtensions)
    }

    private func bytes(_ request: UpstreamRequest, _ key: HandshakeKey) -> ByteBuffer {
        var bytes = ByteBuffer()
        bytes.reserveCapacity(1_024)
        // A path in the setting stands for all; without one the upstream sees what the client asked for.
        let target = settings.address.target == "/" ? request.head.uri : settings.address.target
        bytes.writeString("GET \(target) HTTP/1.1\r\n")
        bytes.writeField("Host", value: host(request.head))
        bytes.writeStaticString("Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n")
        bytes.writeField("Sec-WebSocket-Key", value: key.text)
        let headers = UpstreamHeaders(stripsExtensions: settings.stripsExtensions)
        let fields = headers.fields(
            of: request.head, from: request.visitor, isTLS: request.isTLS, identity: request.identity)
        for (name, value) in fields {
            bytes.writeField(name, value: value)
        }
        bytes.writeStaticString("\r\n")
        return bytes
    }

    private func host(_ head: HTTPRequestHead) -> String {
        if settings.preservesHost, let host = head.headers["host"].first { return host }
        guard case .host(let host, let port) = settings.address.place else { return "localhost" }
        let name = host.contains(":") ? "[\(host)]" : host
        return port == (settings.address.isTLS ? 443 : 80) ? name : "\(name):\(port)"
    }
}

/// One connection to the upstream on its way. It belongs to its event loop.
final class DialAttempt {
    /// Nil once it is over.
    private var done: ((Result<UpstreamLink, DialFailure>) -> Void)?
    private var timer: LoopTimer?
    /// Closes what there is of it.
    var whenFailed: (() -> Void)?

    init(_ loop: any EventLoop, limit: TimeAmount, _ done: @escaping (Result<UpstreamLink, DialFailure>) -> Void) {
        self.done = done
        let this = NIOLoopBound(self, eventLoop: loop)
        timer = loop.startTimer(in: limit) { this.value.fail(.timeout) }
    }

    var isOver: Bool { done == nil }

    func succeed(_ link: UpstreamLink) { end()?(.success(link)) }

    func fail(_ failure: DialFailure) {
        // What the closing connection reports is not the cause.
        guard let done = end() else { return }
        // Before anybody hears of it, and dials again.
        whenFailed?()
        done(.failure(failure))
    }

    /// - Returns: who is told of the end; nil once that was asked for.
    private func end() -> ((Result<UpstreamLink, DialFailure>) -> Void)? {
        timer?.cancel()
        defer { done = nil }
        return done
    }
}
