internal import NIOCore
internal import NIOHTTP1
internal import NIOTLS
internal import WebSocketFrames

/// Opens a WebSocket at the upstream, checks its answer, and reads nothing more.
///
/// Source: RFC 6455 section 4.1; `appattest-gate` section 4.1.
final class UpstreamHandshake: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let attempt: DialAttempt
    private let key: HandshakeKey
    private let request: HTTPRequestHead
    private let bytes: ByteBuffer
    /// The client's extensions that the upstream was offered.
    private let offered: [WebSocketExtension]
    private let waitsForTLS: Bool
    private var reader = HeadReader()
    private var buffer = ByteBuffer()
    private var isOver = false

    /// - Parameter offersExtensions: whether the client's offers are in `bytes`.
    init(
        _ attempt: DialAttempt, _ key: HandshakeKey, for request: HTTPRequestHead, sending bytes: ByteBuffer,
        offersExtensions: Bool, waitsForTLS: Bool
    ) {
        let offers = offersExtensions ? request.headers["sec-websocket-extensions"] : []
        offered = WebSocketExtension.list(offers) ?? []
        self.attempt = attempt
        self.key = key
        self.request = request
        self.bytes = bytes
        self.waitsForTLS = waitsForTLS
    }

    func channelActive(context: ChannelHandlerContext) {
        if !waitsForTLS { ask(context) }
        context.fireChannelActive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // Nothing is said to a service before it has shown who it is.
        if case TLSUserEvent.handshakeCompleted = event { ask(context) }
        context.fireUserInboundEventTriggered(event)
    }

    private func ask(_ context: ChannelHandlerContext) { context.writeAndFlush(wrapOutboundOut(bytes), promise: nil) }

    func read(context: ChannelHandlerContext) { if !isOver { context.read() } }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var piece = unwrapInboundIn(data)
        if buffer.readableBytes == 0 { buffer = piece } else { buffer.writeBuffer(&piece) }
        guard !isOver else { return }
        do throws(HeadReader.Failure) {
            guard let lines = try reader.next(&buffer) else { return }
            isOver = true
            judge(lines, context.channel)
        } catch {
            isOver = true
            attempt.fail(.refused(error == .tooLarge ? "its head is too large" : "its head is malformed"))
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        isOver = true
        attempt.fail(.refused("it closed the connection"))
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        isOver = true
        attempt.fail(DialFailure(error))
        context.close(promise: nil)
    }

    // MARK: The answer

    private func judge(_ lines: HeadLines, _ channel: any Channel) {
        let words = lines.start.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count >= 2, words[0] == "HTTP/1.1", words[1].utf8.count == 3 else {
            return attempt.fail(.refused("it does not speak HTTP/1.1"))
        }
        guard words[1] == "101" else { return attempt.fail(.refused("status \(words[1])")) }
        let fields = lines.fields
        if let part = fields.malformedPart {
            return attempt.fail(.refused("its head has a field whose \(part) is malformed"))
        }
        guard fields.lists("upgrade", in: "connection"),
            fields.isOnly("websocket", in: "upgrade"), fields.single("sec-websocket-accept") == .one(key.accept),
            let accepted = WebSocketExtension.list(fields["sec-websocket-extensions"]),
            HandshakeAnswer.areOffered(accepted, in: offered),
            HandshakeAnswer.isOffered(
                subprotocol: fields["sec-websocket-protocol"],
                in: request.headers["sec-websocket-protocol"])
        else { return attempt.fail(.refused("its handshake does not fit")) }
        attempt.succeed(
            .webSocket(
                channel,
                UpstreamAnswer(
                    fields: HTTPHeaders(
                        fields.filter { !Self.fieldsOfThisHop.contains(ASCIIText.fieldName($0.name)) }
                            .map { ($0.name, $0.value) }),
                    extensions: ExtensionUse(accepted: accepted),
                    accounts: HTTPHeaders(fields[AccountHeader.name].map { (AccountHeader.name, $0) }),
                    handler: self)))
    }

    /// Takes the bytes that came behind the answer, also while it was being judged.
    func takeRest() -> ByteBuffer {
        defer { buffer = ByteBuffer() }
        return buffer
    }

    /// As ``ASCIIText/fieldName(_:)`` has them.
    private static let fieldsOfThisHop: Set<String> = [
        "connection", "upgrade", "sec-websocket-accept", "keep-alive", "transfer-encoding", "content-length", "te",
        "trailer", "proxy-authenticate", "proxy-connection", ASCIIText.lowercased(AccountHeader.name),
    ]
}

/// Waits until a stream is there.
final class StreamReady: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer

    private let attempt: DialAttempt
    private let waitsForTLS: Bool
    private var isOver = false

    init(_ attempt: DialAttempt, waitsForTLS: Bool) {
        self.attempt = attempt
        self.waitsForTLS = waitsForTLS
    }

    func channelActive(context: ChannelHandlerContext) {
        if !waitsForTLS { succeed(context) }
        context.fireChannelActive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted = event { succeed(context) }
        context.fireUserInboundEventTriggered(event)
    }

    func read(context: ChannelHandlerContext) { if !isOver { context.read() } }

    func channelInactive(context: ChannelHandlerContext) {
        isOver = true
        attempt.fail(.unreachable("it closed the connection"))
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        isOver = true
        attempt.fail(DialFailure(error))
        context.close(promise: nil)
    }

    private func succeed(_ context: ChannelHandlerContext) {
        guard !isOver else { return }
        isOver = true
        attempt.succeed(.stream(context.channel))
        // Whoever took the stream has put its own handler behind this one.
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }
}
