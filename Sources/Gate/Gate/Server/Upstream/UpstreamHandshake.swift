internal import NIOCore
internal import NIOHTTP1
internal import NIOTLS
internal import WebSocketFrames

/// Opens a WebSocket at the upstream, reads its answer, and nothing more.
///
/// Source: RFC 6455 section 4.1; `appattest-gate` section 4.1.
struct UpstreamHandshake {
    /// The request with its headers, as it is sent to the upstream server.
    let bytes: ByteBuffer
    private let key: HandshakeKey
    /// The client's extensions that the upstream was offered, and its subprotocols.
    private let offers: (extensions: [WebSocketExtension], subprotocols: [String])
    private var reader = HeadReader()
    private var buffer = ByteBuffer()
    private var isOver = false

    /// - Parameters:
    ///   - request: the client's.
    ///   - offersExtensions: whether the client's offers are in `bytes`.
    init(_ key: HandshakeKey, for request: HTTPRequestHead, sending bytes: ByteBuffer, offersExtensions: Bool) {
        let extensions = offersExtensions ? request.headers["sec-websocket-extensions"] : []
        offers = (WebSocketExtension.list(extensions) ?? [], request.headers["sec-websocket-protocol"])
        self.key = key
        self.bytes = bytes
    }

    /// Whether nothing more is to be read: the answer is there, or it is none.
    var hasEnded: Bool { isOver }

    /// Takes what came.
    ///
    /// - Returns: the answer, checked; nil where it is not complete, and once it was returned.
    mutating func receive(_ piece: consuming ByteBuffer) throws(DialFailure) -> UpstreamAnswer? {
        if buffer.readableBytes == 0 { buffer = piece } else { buffer.writeBuffer(&piece) }
        guard !isOver else { return nil }
        let lines: HeadLines?
        do throws(HeadReader.Failure) { lines = try reader.next(&buffer) } catch {
            isOver = true
            throw .refused(error == .tooLarge ? "its head is too large" : "its head is malformed")
        }
        guard let lines else { return nil }
        isOver = true
        return try judge(lines)
    }

    /// Takes nothing more.
    mutating func end() { isOver = true }

    private func judge(_ lines: HeadLines) throws(DialFailure) -> UpstreamAnswer {
        let words = lines.words(2)
        guard words.count >= 2, words[0] == "HTTP/1.1", words[1].utf8.count == 3 else {
            throw .refused("it does not speak HTTP/1.1")
        }
        guard words[1] == "101" else { throw .refused("status \(words[1])") }
        let fields = lines.fields
        if let part = fields.malformedPart { throw .refused("its head has a field whose \(part) is malformed") }
        guard fields.lists("upgrade", in: "connection"),
            fields.isOnly("websocket", in: "upgrade"), fields.single("sec-websocket-accept") == .one(key.accept),
            let accepted = WebSocketExtension.list(fields["sec-websocket-extensions"]),
            HandshakeAnswer.areOffered(accepted, in: offers.extensions),
            HandshakeAnswer.isOffered(subprotocol: fields["sec-websocket-protocol"], in: offers.subprotocols)
        else { throw .refused("its handshake does not fit") }
        return UpstreamAnswer(
            fields: HTTPHeaders(
                fields.filter { !Self.fieldsOfThisHop.contains(ASCIIText.fieldName($0.name)) }
                    .map { ($0.name, $0.value) }),
            extensions: ExtensionUse(accepted: accepted),
            accounts: HTTPHeaders(fields[AccountHeader.name].map { (AccountHeader.name, $0) }))
    }

    /// Takes the bytes that came behind the answer, also while it was being judged.
    mutating func takeRest() -> ByteBuffer {
        defer { buffer = ByteBuffer() }
        return buffer
    }

    /// As ``ASCIIText/fieldName(_:)`` has them.
    private static let fieldsOfThisHop: Set<String> = [
        "connection", "upgrade", "sec-websocket-accept", "keep-alive", "transfer-encoding", "content-length", "te",
        "trailer", "proxy-authenticate", "proxy-connection", ASCIIText.lowercased(AccountHeader.name),
    ]
}

/// A handshake on a channel. It reads nothing more until other handlers take over.
final class UpstreamHandshakeHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let attempt: DialAttempt
    private var handshake: UpstreamHandshake
    private let waitsForTLS: Bool

    init(_ attempt: DialAttempt, _ handshake: UpstreamHandshake, waitsForTLS: Bool) {
        self.attempt = attempt
        self.handshake = handshake
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

    private func ask(_ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(handshake.bytes), promise: nil)
    }

    func read(context: ChannelHandlerContext) { if !handshake.hasEnded { context.read() } }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        do throws(DialFailure) {
            guard let answer = try handshake.receive(unwrapInboundIn(data)) else { return }
            attempt.succeed(.webSocket(context.channel, answer, self))
        } catch {
            attempt.fail(error)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(.refused("it closed the connection"))
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(DialFailure(error))
        context.close(promise: nil)
    }

    private func fail(_ failure: DialFailure) {
        handshake.end()
        attempt.fail(failure)
    }

    /// Takes the bytes that came behind the answer.
    func takeRest() -> ByteBuffer { handshake.takeRest() }
}
