#if os(Linux)
    import Glibc
    internal import NIOCore
    internal import Sockets

    /// A client's connection on a relay's thread, from its arrival to the point where its bytes are passed on: HTTP
    /// with the client, and the handshake with the upstream, by nothing but reads and writes of both sockets.
    ///
    /// What is judged and answered is the same as on channels (``HTTPConversation``, ``AppRequestHandler``,
    /// ``UpstreamHandshake``).
    final class SocketArrival: PairHandler, HTTPConnection, UpstreamDialing, SocketTLS.Observer {
        private let pair: RelayedPair
        private let loop: RelayLoop
        private let dialer: UpstreamDialer
        /// An event loop of SwiftNIO's, for what a socket alone cannot do.
        private let helper: any EventLoop
        private let mode: RelayMode
        /// What encrypts the client's connection once the preamble has been read; empty where it is plain, and then.
        private var clientTLS: [any ChannelHandler]
        /// What may stand before the first request; nil once it has been read.
        private var preamble: PreambleReader?
        private var preambleTimer: LoopTimer?
        /// Nil once it is over.
        private var http: HTTPConversation?
        private var attempt: DialAttempt?
        private var handshake: UpstreamHandshake?
        /// Whether the upstream has gone since it was dialled.
        private var hasLostService = false

        private init(
            _ pair: RelayedPair, on loop: RelayLoop, of server: GateServer, encryptedBy tls: [any ChannelHandler]
        ) {
            self.pair = pair
            clientTLS = tls
            self.loop = loop
            dialer = server.dialer
            helper = server.group.next()
            mode = server.configuration.relayMode
        }

        /// Takes a connection that has arrived, on the thread to which it belongs from now on.
        static func take(
            _ socket: ConnectedSocket, from address: SocketListener.Address, by server: GateServer, on loop: RelayLoop,
            _ states: LoopStates
        ) {
            guard let (peer, port) = address.internet else { return }
            let isTrusted = server.configuration.addresses.trusted.contains(peer)
            if !isTrusted, server.waiting.turnsAway(peer, port: port) { return socket.close(resets: true) }
            let pair = RelayedPair(client: socket, closesAtEnd: true)
            let place = server.waiting.enter(PendingSocket(pair, loop), from: peer, isShared: isTrusted)
            guard let place else { return }
            let facts = ConnectionFacts(peer: peer, isTLS: server.tls != nil, place: place)
            let arrival = SocketArrival(pair, on: loop, of: server, encryptedBy: server.handlersOfTLS(facts))
            let handler = AppRequestHandler(states.state(of: loop), facts: facts, dialer: arrival)
            let http = HTTPConversation(handler, server.requestSettings, on: loop, place: place)
            arrival.http = http
            arrival.preamble = server.preamble(of: facts, isTrusted: isTrusted)
            http.begin(on: arrival)
            loop.thread.add(pair, to: arrival)
            if arrival.preamble == nil { arrival.encryptClient() } else { arrival.awaitPreamble() }
        }

        private func awaitPreamble() {
            preambleTimer = loop.startTimer(in: PreambleReader.timeout) { [pair] in pair.close(.client) }
        }

        // MARK: Encryption

        /// - Returns: what reads and writes the client's bytes from now on; nil where they are plain.
        @discardableResult private func encryptClient() -> SocketTLS? {
            guard !clientTLS.isEmpty else { return nil }
            defer { clientTLS = [] }
            return encrypt(.client, by: clientTLS)
        }

        private func encrypt(_ side: PairedSide, by handlers: [any ChannelHandler]) -> SocketTLS? {
            do {
                return try SocketTLS.begin(on: side, of: pair, by: handlers, on: loop, telling: self)
            } catch {
                encryptionFailed(side, error)
                pair.close(side, resets: true)
                return nil
            }
        }

        func isEncrypted(_ side: PairedSide) {
            // Nothing is said to a service before it has shown who it is.
            if side == .service { ask() }
        }

        func encryptionFailed(_ side: PairedSide, _ error: any Error) {
            if side == .service { attempt?.fail(DialFailure(error)) }
        }

        // MARK: What comes

        func received(_ bytes: UnsafeRawBufferPointer, from side: PairedSide) {
            let piece = ByteBuffer(bytes: bytes)
            if side == .client { receiveFromClient(piece) } else { receiveFromService(piece) }
        }

        private func receiveFromClient(_ piece: ByteBuffer) {
            guard let http else { return }
            if preamble == nil {
                http.receive(piece)
            } else {
                do throws(ProxyPreambleError) {
                    guard let rest = try preamble?.receive(piece) else { return }
                    preamble = nil
                    preambleTimer?.cancel()
                    let tls = encryptClient()
                    guard rest.readableBytes > 0 else { return }
                    if let tls { rest.withUnsafeReadableBytes(tls.received) } else { http.receive(rest) }
                } catch {
                    pair.close(.client)
                }
            }
            if !http.takesMore { pair.setWanted(false, from: .client) }
        }

        private func receiveFromService(_ piece: ByteBuffer) {
            do throws(DialFailure) {
                guard let answer = try handshake?.receive(piece), let attempt else { return }
                // Nothing more is read of it before somebody else looks after it.
                pair.setWanted(false, from: .service)
                self.attempt = nil
                attempt.succeed(.socket(answer, self))
            } catch {
                attempt?.fail(error)
            }
        }

        func inputEnded(of side: PairedSide) {}

        func ended(_ side: PairedSide, isBroken: Bool) {
            switch side {
            case .client: endHTTP()
            case .service:
                hasLostService = true
                attempt?.fail(
                    isBroken
                        ? DialFailure(errno: pair.errno(of: .service) ?? 0)
                        : .refused("it closed the connection"))
                attempt = nil
            }
        }

        private func endHTTP() {
            preambleTimer?.cancel()
            http?.end()
            // The conversation holds what answers it, and that holds this.
            http = nil
        }

        // MARK: What the conversation does

        func send(_ bytes: ByteBuffer) { bytes.withUnsafeReadableBytes { pair.send($0, to: .client) } }

        func endOutput() { pair.endOutput(to: .client) }

        func close() { pair.close(.client) }

        func readOn() { pair.setWanted(true, from: .client) }

        // MARK: The upstream

        func dial(
            _ request: UpstreamRequest, on loop: any EventLoop,
            done: @escaping (Result<UpstreamLink, DialFailure>) -> Void
        ) {
            let attempt = DialAttempt(loop, limit: dialer.limit, done)
            let this = NIOLoopBound((self, attempt, request), eventLoop: loop)
            // The end of a service that another attempt has closed is told first: it is not this one's.
            loop.execute {
                let (arrival, attempt, request) = this.value
                if !attempt.isOver { arrival.begin(attempt, for: request) }
            }
        }

        private func begin(_ attempt: DialAttempt, for request: UpstreamRequest) {
            attempt.whenFailed = { [pair] in pair.close(.service) }
            self.attempt = attempt
            handshake = dialer.handshake(for: request)
            hasLostService = false
            guard let address = dialer.socketAddress else { return dialByName(attempt) }
            do throws(SocketFailure) {
                attach(try ConnectedSocket(connectingTo: address))
            } catch {
                attempt.fail(DialFailure(errno: error.errno))
            }
        }

        private func dialByName(_ attempt: DialAttempt) {
            let this = NIOLoopBound((self, attempt), eventLoop: loop)
            dialer.connectSocket(on: helper).whenComplete { [loop] result in
                loop.execute {
                    let (arrival, attempt) = this.value
                    // It may have taken too long, and another one be under way.
                    guard !attempt.isOver, arrival.attempt === attempt else { return }
                    switch result {
                    case .success(let socket): arrival.attach(socket)
                    case .failure(let error): attempt.fail(DialFailure(error))
                    }
                }
            }
        }

        private func attach(_ socket: ConnectedSocket) {
            dialer.prepare(socket)
            guard pair.attach(service: socket) else {
                attempt?.fail(.unreachable("the client has gone"))
                return
            }
            pair.setWanted(true, from: .service)
            do {
                let handlers = try dialer.handlersOfTLS()
                if handlers.isEmpty { ask() } else { _ = encrypt(.service, by: handlers) }
            } catch {
                attempt?.fail(DialFailure(error))
            }
        }

        private func ask() { handshake?.bytes.withUnsafeReadableBytes { pair.send($0, to: .service) } }

        func closeService() { pair.close(.service) }

        // MARK: What follows

        /// Sends the client its 101, and passes on what comes from both sides.
        func connect(_ session: Session, _ answer: UpstreamAnswer, switchingBy bytes: ByteBuffer) {
            let rest = http?.takeOver()
            let early = handshake?.takeRest()
            endHTTP()
            for side in [PairedSide.client, .service] { pair.setWanted(true, from: side) }
            if mode == .bytes { PeerWatch.start(on: pair) }
            send(bytes)
            let next =
                switch mode {
                case .frames: SocketSide.connect(session, pair, following: answer.extensions)
                case .bytes: SocketLink.connect(session, pair)
                }
            early?.withUnsafeReadableBytes { next.received($0, from: .service) }
            rest?.withUnsafeReadableBytes { next.received($0, from: .client) }
            if hasLostService { next.ended(.service, isBroken: true) }
        }
    }

    /// A socket on which nobody has been let in yet.
    struct PendingSocket: PendingConnection {
        private let pair: RelayedPair
        private let loop: RelayLoop

        init(_ pair: RelayedPair, _ loop: RelayLoop) { (self.pair, self.loop) = (pair, loop) }

        func cut(resets: Bool) { loop.execute { [pair] in pair.close(.client, resets: resets) } }
    }

    extension SocketListener.Address {
        /// The address and the port; nil for what is no address of IP.
        fileprivate var internet: (address: IPAddress, port: Int)? {
            withUnsafeBytes(of: self) { bytes in
                switch CInt(ss_family) {
                case AF_INET:
                    let address = bytes.loadUnaligned(as: sockaddr_in.self)
                    return (IPAddress(address.sin_addr), Int(UInt16(bigEndian: address.sin_port)))
                case AF_INET6:
                    let address = bytes.loadUnaligned(as: sockaddr_in6.self)
                    return (IPAddress(address.sin6_addr), Int(UInt16(bigEndian: address.sin6_port)))
                default: return nil
                }
            }
        }
    }
#endif
