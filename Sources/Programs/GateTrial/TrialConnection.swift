import BasicFoundation
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A connection whose bytes its user sends and receives as they are, with or without TLS.
package final class TrialConnection: Sendable {
    package enum Received: Hashable, Sendable {
        case bytes([UInt8])
        /// Nothing came for as long as was asked.
        case quiet
        case ended
    }

    private let channel: any Channel
    private let inbox: Inbox

    private init(_ channel: any Channel, _ inbox: Inbox) {
        self.channel = channel
        self.inbox = inbox
    }

    /// Takes over a connection that was accepted. To be called on the channel's event loop.
    convenience init(accepted channel: any Channel) throws {
        let inbox = Inbox()
        try channel.pipeline.syncOperations.addHandler(InboxHandler(inbox))
        self.init(channel, inbox)
    }

    /// - Parameters:
    ///   - tls: nil for plain text.
    ///   - serverName: whose certificate is expected.
    ///   - first: what is sent as soon as there is a connection, however long the caller has to wait for its turn.
    package static func open(
        host: String, port: Int, tls: NIOSSLContext? = nil, serverName: String? = nil, sending first: [UInt8] = []
    ) async throws -> TrialConnection {
        let inbox = Inbox()
        let (channel, sent): (any Channel, EventLoopFuture<Void>)
        do {
            (channel, sent) = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        if let tls {
                            try channel.pipeline.syncOperations.addHandler(
                                NIOSSLClientHandler(context: tls, serverHostname: serverName))
                        }
                        try channel.pipeline.syncOperations.addHandler(InboxHandler(inbox))
                    }
                }
                .connect(host: host, port: port)
                .map { channel in
                    guard !first.isEmpty else { return (channel, channel.eventLoop.makeSucceededVoidFuture()) }
                    return (channel, channel.writeAndFlush(channel.allocator.buffer(bytes: first)))
                }
                .get()
        } catch let error as NIOConnectionError {
            throw TrialFailure.unreachable(error.reason)
        } catch {
            throw TrialFailure.unreachable("\(error)")
        }
        let connection = TrialConnection(channel, inbox)
        try await sent.get()
        return connection
    }

    package func send(_ bytes: [UInt8]) async throws {
        try await channel.writeAndFlush(channel.allocator.buffer(bytes: bytes))
    }

    /// What has come; else what comes next.
    ///
    /// - Parameter patience: nil: however long it takes.
    package func receive(within patience: Duration? = nil) async -> Received {
        guard let patience else { return await inbox.next() }
        let nanoseconds =
            patience.components.seconds * 1_000_000_000 + patience.components.attoseconds / 1_000_000_000
        let timer = channel.eventLoop.scheduleTask(in: .nanoseconds(nanoseconds)) { [inbox] in inbox.giveUp() }
        defer { timer.cancel() }
        return await inbox.next()
    }

    /// Reads nothing more until it is told to: what comes stays with the system, and then with who sends it.
    package func pauseReading(_ isPaused: Bool) async throws {
        try await channel.setOption(.autoRead, value: !isPaused).get()
    }

    /// Ends it at once.
    package func close() async { try? await channel.close() }

    deinit { channel.close(promise: nil) }
}

/// What came and was not taken yet. One task waits at a time.
private final class Inbox: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        var isOver = false
        var waiter: CheckedContinuation<TrialConnection.Received, Never>?

        mutating func take() -> TrialConnection.Received? {
            guard bytes.isEmpty else {
                defer { bytes = [] }
                return .bytes(bytes)
            }
            return isOver ? .ended : nil
        }
    }

    private let state = Mutex(State())

    func next() async -> TrialConnection.Received {
        await withCheckedContinuation { continuation in
            let received = state.withLock { state in
                let received = state.take()
                if received == nil { state.waiter = continuation }
                return received
            }
            if let received { continuation.resume(returning: received) }
        }
    }

    func add(_ bytes: some Sequence<UInt8>) { change { $0.bytes += bytes } }

    func end() { change { $0.isOver = true } }

    func giveUp() {
        let waiter = state.withLock { state in
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: .quiet)
    }

    private func change(_ body: (inout State) -> Void) {
        let (waiter, received) = state.withLock { state in
            body(&state)
            guard let waiter = state.waiter, let received = state.take() else {
                return (CheckedContinuation<TrialConnection.Received, Never>?.none, TrialConnection.Received.quiet)
            }
            state.waiter = nil
            return (waiter, received)
        }
        waiter?.resume(returning: received)
    }
}

private final class InboxHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let inbox: Inbox

    init(_ inbox: Inbox) { self.inbox = inbox }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        inbox.add(unwrapInboundIn(data).readableBytesView)
    }

    func channelInactive(context: ChannelHandlerContext) { inbox.end() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        inbox.end()
        context.close(promise: nil)
    }
}

extension NIOConnectionError {
    /// Why nothing answers there, in the system's words.
    fileprivate var reason: String {
        guard let failure = connectionErrors.first else { return "the name \(host) is not known" }
        return (failure.error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(failure.error)"
    }
}
