import HotSideKnownAnswers
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import StrictJSON
import Synchronization

/// A node on this machine that answers with captured answers, or does what a bad one does.
package final class TestNode: Sendable {
    /// How a node behaves.
    package enum Conduct: Hashable, Sendable {
        /// Answers.
        case honest
        /// Leaves out the end of each answer.
        case truncated
        /// Answers another question than was asked.
        case wrongID
        /// Announces an answer of 1 GiB, and begins with it.
        case endless
        /// Sends an answer in pieces that never end.
        case endlessPieces
        /// Sends an answer byte by byte, with long pauses.
        case slow
        /// Takes the connection and says nothing at all.
        case silent
        /// Ends the connection when it is asked.
        case closing
        /// Says that a transaction is ready, and ends the connection.
        case leavingOnceReady
        /// Sends what is no JSON.
        case noise
        /// Sends pings, and reads nothing any more.
        case endlessPings
        /// Answers once its ping was answered.
        case pingFirst
    }

    private let channel: any Channel
    private let log: QuestionLog

    /// The port on 127.0.0.1.
    package let port: Int
    /// Its address for a WebSocket.
    package var webSocket: String { "ws://127.0.0.1:\(port)" }
    /// Its address for plain requests.
    package var http: String { "http://127.0.0.1:\(port)" }

    /// The questions that it was asked, as text.
    package var questions: [String] { log.questions.withLock { $0 } }

    /// - Parameter port: 0 for one that is free.
    package init(_ node: CapturedNode, _ conduct: Conduct = .honest, port: Int = 0) async throws {
        let log = QuestionLog(node: node, conduct: conduct)
        channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { Self.configure($0, log) }
            .bind(host: "127.0.0.1", port: port).get()
        self.log = log
        self.port = channel.localAddress?.port ?? 0
    }

    /// Stops it.
    package func stop() async { try? await channel.close() }

    deinit { channel.close(promise: nil) }

    private static func configure(_ channel: any Channel, _ log: QuestionLog) -> EventLoopFuture<Void> {
        if log.conduct == .silent { return channel.eventLoop.makeSucceededVoidFuture() }
        return channel.eventLoop.makeCompletedFuture {
            let upgrader = NIOWebSocketServerUpgrader(
                maxFrameSize: 1 << 20, shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture([:]) },
                upgradePipelineHandler: { channel, _ in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(SocketAnswers(log))
                    }
                })
            let requests = RequestAnswers(log)
            let removal = NIOLoopBound(requests, eventLoop: channel.eventLoop)
            let upgrade: NIOHTTPServerUpgradeSendableConfiguration = (
                upgraders: [upgrader],
                completionHandler: { context in
                    context.pipeline.syncOperations.removeHandler(removal.value, promise: nil)
                }
            )
            try channel.pipeline.syncOperations.configureHTTPServerPipeline(withServerUpgrade: upgrade)
            try channel.pipeline.syncOperations.addHandler(requests)
        }
    }
}

/// What a node was asked, and what it says.
final class QuestionLog: Sendable {
    let node: CapturedNode
    let conduct: TestNode.Conduct
    let questions = Mutex<[String]>([])

    init(node: CapturedNode, conduct: TestNode.Conduct) {
        self.node = node
        self.conduct = conduct
    }

    /// The messages that answer a question.
    func messages(for question: [UInt8]) -> [[UInt8]] {
        questions.withLock { $0.append(String(decoding: question, as: UTF8.self)) }
        var answers = [node.answer(to: question)]
        if let text = try? JSONReader(maximumBytes: 16 << 20).read(question),
            text["method"]?.string == "author_submitAndWatchExtrinsic", let id = text["id"]
        {
            answers = Self.subscription(id)
        }
        switch conduct {
        case .truncated: return answers.map { Array($0.dropLast($0.count / 2)) }
        case .wrongID: return answers.map(Self.renumbered)
        case .noise: return [Array("<html>busy</html>".utf8)]
        default: return answers
        }
    }

    private static func renumbered(_ answer: [UInt8]) -> [UInt8] {
        guard case .object(let members)? = try? JSONReader(maximumBytes: 16 << 20).read(answer) else { return answer }
        return JSON.object(members.map { $0.name == "id" ? .init(name: "id", value: .integer(77)) : $0 }).utf8()
    }

    /// A transaction that gets into a block.
    private static func subscription(_ id: JSON) -> [[UInt8]] {
        let hash = "0x" + String(repeating: "ab", count: 32)
        let steps: [JSON] = [
            .string("ready"), .object([.init(name: "broadcast", value: .array([.string("12D3")]))]),
            .object([.init(name: "inBlock", value: .string(hash))]),
            .object([.init(name: "finalized", value: .string(hash))]),
        ]
        let first: JSON = .object([
            .init(name: "jsonrpc", value: .string("2.0")), .init(name: "id", value: id),
            .init(name: "result", value: .string("sub")),
        ])
        return [first.utf8()]
            + steps.map { step in
                JSON.object([
                    .init(name: "jsonrpc", value: .string("2.0")),
                    .init(name: "method", value: .string("author_extrinsicUpdate")),
                    .init(
                        name: "params",
                        value: .object([
                            .init(name: "subscription", value: .string("sub")), .init(name: "result", value: step),
                        ])),
                ]).utf8()
            }
    }
}

/// Answers over a WebSocket.
private final class SocketAnswers: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private static let pingFrame = WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer(string: "there?"))

    private let log: QuestionLog
    /// What is said once a ping was answered.
    private var later: [[UInt8]] = []

    init(_ log: QuestionLog) { self.log = log }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.opcode {
        case .text: answer(frame, context)
        case .connectionClose: context.close(promise: nil)
        case .pong where frame.unmaskedData == Self.pingFrame.data:
            say(later, context)
            later = []
        default: break
        }
    }

    private func answer(_ question: WebSocketFrame, _ context: ChannelHandlerContext) {
        let messages = log.messages(for: Array(question.unmaskedData.readableBytesView))
        switch log.conduct {
        case .closing: context.close(promise: nil)
        case .leavingOnceReady where messages.count > 1:
            say(Array(messages.prefix(2)), context)
            context.close(promise: nil)
        case .endless: writeHuge(context)
        case .endlessPieces: writePieces(context, opcode: .text)
        case .slow: writeSlowly(context)
        case .endlessPings:
            context.channel.setOption(.autoRead, value: false).whenComplete { _ in }
            writePings(context)
        case .pingFirst:
            later = messages
            context.writeAndFlush(wrapOutboundOut(Self.pingFrame), promise: nil)
        default: say(messages, context)
        }
    }

    private func say(_ messages: [[UInt8]], _ context: ChannelHandlerContext) {
        for message in messages {
            let data = context.channel.allocator.buffer(bytes: message)
            context.write(wrapOutboundOut(WebSocketFrame(fin: true, opcode: .text, data: data)), promise: nil)
        }
        context.flush()
    }

    private func writePings(_ context: ChannelHandlerContext) {
        let (loop, bound) = (context.eventLoop, NIOLoopBound((self, context), eventLoop: context.eventLoop))
        context.writeAndFlush(wrapOutboundOut(Self.pingFrame)).whenSuccess {
            // In a turn of its own: so short a write is done at once.
            loop.execute {
                let (handler, context) = bound.value
                handler.writePings(context)
            }
        }
    }

    /// The head of a frame of 1 GiB, past the encoder.
    private func writeHuge(_ context: ChannelHandlerContext) {
        var head = context.channel.allocator.buffer(bytes: [0x81, 127])
        head.writeInteger(UInt64(1) << 30)
        head.writeRepeatingByte(UInt8(ascii: " "), count: 1 << 16)
        writeRaw(head, context)
    }

    private func writeSlowly(_ context: ChannelHandlerContext) {
        var head = context.channel.allocator.buffer(bytes: [0x81, 126])
        head.writeInteger(UInt16(1000))
        head.writeString("{")
        writeRaw(head, context)
    }

    /// Straight to the socket: what is no whole frame has no encoder.
    private func writeRaw(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        let encoder = try? context.channel.pipeline.syncOperations.context(handlerType: WebSocketFrameEncoder.self)
        encoder?.writeAndFlush(NIOAny(bytes), promise: nil)
    }

    private func writePieces(_ context: ChannelHandlerContext, opcode: WebSocketOpcode) {
        let data = context.channel.allocator.buffer(repeating: UInt8(ascii: " "), count: 1 << 18)
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(WebSocketFrame(fin: false, opcode: opcode, data: data)))
            .whenSuccess {
                let (handler, context) = bound.value
                handler.writePieces(context, opcode: .continuation)
            }
    }
}

/// Answers to plain requests.
private final class RequestAnswers: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let log: QuestionLog
    private var body: [UInt8] = []

    init(_ log: QuestionLog) { self.log = log }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: body = []
        case .body(let part): body += part.readableBytesView
        case .end: answer(context)
        }
    }

    private func answer(_ context: ChannelHandlerContext) {
        let message = log.messages(for: body).first ?? []
        switch log.conduct {
        case .closing: context.close(promise: nil)
        case .endless, .slow: write(context, message: Array(message.prefix(1)), stated: 1 << 30, isWhole: false)
        case .endlessPieces:
            write(context, message: [], stated: nil, isWhole: false)
            writePieces(context)
        default: write(context, message: message, stated: message.count, isWhole: true)
        }
    }

    private func write(_ context: ChannelHandlerContext, message: [UInt8], stated: Int?, isWhole: Bool) {
        var headers = HTTPHeaders()
        if let stated {
            headers.add(name: "Content-Length", value: "\(stated)")
        } else {
            headers.add(name: "Transfer-Encoding", value: "chunked")
        }
        context.write(
            wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .ok, headers: headers))), promise: nil)
        let data = context.channel.allocator.buffer(bytes: message)
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(data))), promise: nil)
        if isWhole { context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil) }
    }

    private func writePieces(_ context: ChannelHandlerContext) {
        let data = context.channel.allocator.buffer(repeating: UInt8(ascii: " "), count: 1 << 18)
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(data)))).whenSuccess {
            let (handler, context) = bound.value
            handler.writePieces(context)
        }
    }
}
