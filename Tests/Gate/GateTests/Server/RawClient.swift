import GateTestKit
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
    typealias Received = ConnectionInbox.Received

    let channel: any Channel
    private let inbox: ConnectionInbox
    private let unread = Mutex<[UInt8]>([])

    private init(_ channel: any Channel, _ inbox: ConnectionInbox) {
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
        let inbox = ConnectionInbox()
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
        let inbox = ConnectionInbox()
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
        let inbox = ConnectionInbox()
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
        return await inbox.next(within: time, on: channel.eventLoop)
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
