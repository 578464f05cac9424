import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// The loops of all clients and upstreams of these tests.
let testLoops = MultiThreadedEventLoopGroup(numberOfThreads: 1)

struct ConnectionEnded: Error {}

/// One connection, byte for byte, from either side. It reads HTTP and WebSockets strictly: what does not fit is an
/// error.
final class RawClient: Sendable {
    enum Received: Equatable {
        case bytes([UInt8])
        case quiet
        case ended
    }

    private struct Inbox: Sendable {
        var bytes: [UInt8] = []
        var hasEnded = false
        var isBroken = false
        var reads = 0
        var waiter: CheckedContinuation<Received, Never>?

        mutating func take() -> Received? {
            if !bytes.isEmpty {
                defer { bytes = [] }
                return .bytes(bytes)
            }
            return hasEnded ? .ended : nil
        }
    }

    let channel: any Channel
    private let inbox: InboxBox
    private let unread = Mutex<[UInt8]>([])

    fileprivate init(_ channel: any Channel, _ inbox: InboxBox) {
        self.channel = channel
        self.inbox = inbox
    }

    deinit { channel.close(promise: nil) }

    /// - Parameters:
    ///   - reads: false for a client that never reads a byte.
    ///   - preamble: bytes that go as soon as the connection stands, before TLS.
    static func connect(
        port: Int, tls: TLSConfiguration? = nil, reads: Bool = true, preamble: [UInt8] = []
    ) async throws -> RawClient {
        let inbox = InboxBox()
        let context = try tls.map { try NIOSSLContext(configuration: $0) }
        let channel = try await ClientBootstrap(group: testLoops)
            .channelOption(.autoRead, value: reads)
            .channelOption(.allowRemoteHalfClosure, value: tls == nil)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if !preamble.isEmpty { try channel.pipeline.syncOperations.addHandler(First(preamble)) }
                    if let context {
                        try channel.pipeline.syncOperations.addHandler(
                            NIOSSLClientHandler(context: context, serverHostname: "gate.test"))
                    }
                    try channel.pipeline.syncOperations.addHandler(inbox.handler())
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        return RawClient(channel, inbox)
    }

    static func connect(unix path: String, preamble: [UInt8] = []) async throws -> RawClient {
        let inbox = InboxBox()
        let channel = try await ClientBootstrap(group: testLoops)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if !preamble.isEmpty { try channel.pipeline.syncOperations.addHandler(First(preamble)) }
                    try channel.pipeline.syncOperations.addHandler(inbox.handler())
                }
            }
            .connect(unixDomainSocketPath: path).get()
        return RawClient(channel, inbox)
    }

    static func accepted(_ channel: any Channel) throws -> RawClient {
        let inbox = InboxBox()
        try channel.pipeline.syncOperations.addHandler(inbox.handler())
        return RawClient(channel, inbox)
    }

    func send(_ bytes: [UInt8]) async throws {
        try await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get()
    }

    func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    /// Sends bytes below TLS, as somebody on the way would.
    func sendBelowTLS(_ bytes: [UInt8]) async throws {
        try await channel.eventLoop.submit { [channel] in
            let tls = try channel.pipeline.syncOperations.context(handlerType: NIOSSLHandler.self)
            tls.writeAndFlush(NIOAny(ByteBuffer(bytes: bytes)), promise: nil)
        }.get()
    }

    /// Ends the connection without the last word of TLS.
    func closeBelowTLS() async throws {
        try await channel.eventLoop.submit { [channel] in
            try channel.pipeline.syncOperations.context(handlerType: NIOSSLHandler.self).close(promise: nil)
        }.get()
    }

    func close() { channel.close(promise: nil) }
    func closeOutput() { channel.close(mode: .output, promise: nil) }

    /// - Parameter time: nil to wait as long as the test may run.
    func receive(within time: Duration? = nil) async -> Received {
        let kept = unread.withLock { unread in
            defer { unread = [] }
            return unread
        }
        if !kept.isEmpty { return .bytes(kept) }
        return await inbox.receive(within: time, on: channel.eventLoop)
    }

    /// Whether its connection ended by an error: a reset, or TLS without its last word.
    var isBroken: Bool { inbox.isBroken }

    func keep(_ bytes: [UInt8]) { unread.withLock { $0 = bytes + $0 } }

    /// Everything until the other side closes.
    func rest() async -> [UInt8] {
        var all: [UInt8] = []
        while case .bytes(let bytes) = await receive() { all += bytes }
        return all
    }

    /// The same; nil if the other side is silent for so long and has not closed.
    func rest(within time: Duration) async -> [UInt8]? {
        var all: [UInt8] = []
        while true {
            switch await receive(within: time) {
            case .bytes(let bytes): all += bytes
            case .quiet: return nil
            case .ended: return all
            }
        }
    }

    /// Reads until `take` finds what it looks for at the beginning.
    func read<Value>(_ take: ([UInt8]) throws -> (Value, Int)?) async throws -> Value {
        var bytes: [UInt8] = []
        while true {
            if let (value, count) = try take(bytes) {
                keep(Array(bytes[count...]))
                return value
            }
            guard case .bytes(let more) = await receive() else { throw ConnectionEnded() }
            bytes += more
        }
    }

    func read(count: Int) async throws -> [UInt8] {
        try await read { $0.count >= count ? (Array($0[..<count]), count) : nil }
    }

    // MARK: Parts

    final class InboxBox: Sendable {
        private let inbox = Mutex(Inbox())

        fileprivate func handler() -> Handler { Handler(self) }

        fileprivate func put(_ bytes: [UInt8]?) {
            let (waiter, received) = inbox.withLock { inbox -> (CheckedContinuation<Received, Never>?, Received?) in
                if let bytes { inbox.bytes += bytes } else { inbox.hasEnded = true }
                guard inbox.waiter != nil, let received = inbox.take() else { return (nil, nil) }
                inbox.reads += 1
                defer { inbox.waiter = nil }
                return (inbox.waiter, received)
            }
            if let waiter, let received { waiter.resume(returning: received) }
        }

        fileprivate func noteError() { inbox.withLock { $0.isBroken = true } }

        var isBroken: Bool { inbox.withLock(\.isBroken) }

        func receive(within time: Duration?, on loop: any EventLoop) async -> Received {
            await withCheckedContinuation { continuation in
                let (received, number) = inbox.withLock { inbox -> (Received?, Int) in
                    if let received = inbox.take() { return (received, 0) }
                    inbox.waiter = continuation
                    return (nil, inbox.reads)
                }
                if let received { return continuation.resume(returning: received) }
                guard let time else { return }
                loop.scheduleTask(in: TimeAmount(time)) { [self] in
                    let waiter = inbox.withLock { inbox -> CheckedContinuation<Received, Never>? in
                        guard inbox.reads == number else { return nil }
                        inbox.reads += 1
                        defer { inbox.waiter = nil }
                        return inbox.waiter
                    }
                    waiter?.resume(returning: .quiet)
                }
            }
        }
    }

    fileprivate final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let box: InboxBox

        init(_ box: InboxBox) { self.box = box }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            box.put(Array(unwrapInboundIn(data).readableBytesView))
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case ChannelEvent.inputClosed = event { box.put(nil) }
        }

        func channelInactive(context: ChannelHandlerContext) { box.put(nil) }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            box.noteError()
            context.close(promise: nil)
        }
    }

    /// Writes bytes before anything else.
    private final class First: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        private let bytes: [UInt8]

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        func channelActive(context: ChannelHandlerContext) {
            context.writeAndFlush(NIOAny(ByteBuffer(bytes: bytes)), promise: nil)
            context.fireChannelActive()
        }
    }
}

/// Something that listens, and hands out what connects.
final class RawServer: Sendable {
    let port: Int
    private let channel: any Channel
    private let arrivals: AsyncStream<RawClient>

    init(_ arrivals: AsyncStream<RawClient>, _ channel: any Channel) {
        self.channel = channel
        self.arrivals = arrivals
        port = channel.localAddress?.port ?? 0
    }

    static func start(tls: TLSConfiguration? = nil) async throws -> RawServer {
        let context = try tls.map { try NIOSSLContext(configuration: $0) }
        let (stream, continuation) = AsyncStream.makeStream(of: RawClient.self)
        let channel = try await ServerBootstrap(group: testLoops)
            .childChannelOption(.allowRemoteHalfClosure, value: tls == nil)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let context {
                        try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    }
                    continuation.yield(try RawClient.accepted(channel))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return RawServer(stream, channel)
    }

    func next() async throws -> RawClient {
        for await client in arrivals { return client }
        throw ConnectionEnded()
    }

    deinit { channel.close(promise: nil) }
}
