internal import AppAttest
internal import NIOCore
internal import NIOPosix
internal import NIOSSL

/// Apple's service for receipts, asked over HTTPS: one connection for each question, at most one question a second.
///
/// Source: `appattest-gate` section 1.7.
struct AppleReceiptService: ReceiptService {
    /// The most bytes of an answer: a receipt of 16 KiB in Base64, with room to spare.
    private static let maximumBytes = 32 << 10

    let access: ReceiptServiceAccess
    let group: any EventLoopGroup

    func answer(
        to receipt: [UInt8], _ environment: AppAttestEnvironment, now: Timestamp
    ) async throws(ReceiptServiceFailure) -> ReceiptRefresh.Answer {
        let host = ReceiptRefresh.host(of: environment)
        do {
            let token = try access.token.token(at: .init(milliseconds: now.milliseconds))
            let answer = try await AppleQuestion(
                host: host, path: ReceiptRefresh.path, authorization: token, contentType: "text/plain",
                body: ReceiptRefresh.body(of: receipt), maximumBytes: Self.maximumBytes, timeout: access.timeout
            ).ask(access, group)
            return ReceiptRefresh.answer(status: answer.status, body: answer.body)
        } catch let error as ReceiptServiceFailure {
            throw error
        } catch {
            throw ReceiptServiceFailure(DialFailure(error).text)
        }
    }
}

/// Asks one of Apple's services over HTTPS, on a connection of its own.
struct AppleQuestion {
    private static let port = 443

    let host: String
    let path: String
    let authorization: String
    let contentType: StaticString
    let body: String
    /// The most bytes of the answer's body.
    let maximumBytes: Int
    /// How long connecting may take, and again the answer.
    let timeout: TimeAmount

    private var request: ByteBuffer {
        var bytes = ByteBuffer()
        bytes.reserveCapacity(body.utf8.count + 512)
        bytes.writeString("POST \(path) HTTP/1.1\r\n")
        bytes.writeField("Host", value: host)
        bytes.writeField("Authorization", value: authorization)
        bytes.writeField("Content-Length", value: String(body.utf8.count))
        bytes.writeField("Content-Type", value: "\(contentType)")
        bytes.writeStaticString("Accept: */*\r\nConnection: close\r\n\r\n")
        bytes.writeString(body)
        return bytes
    }

    func ask(_ access: ReceiptServiceAccess, _ group: any EventLoopGroup) async throws -> HTTPAnswer {
        let (host, request, maximumBytes, timeout) = (host, request, maximumBytes, timeout)
        let channel = ClientBootstrap(group: group.next())
            .connectTimeout(timeout)
            .channelOption(.maxMessagesPerRead, value: 1)
            .connect(host: access.place?.host ?? host, port: access.place?.port ?? Self.port)
        // Only now: of several addresses of the host, one has been connected to. TLS too, or it might fail before
        // anybody hears of it.
        return try await channel.flatMap { channel in
            let promise = channel.eventLoop.makePromise(of: HTTPAnswer.self)
            do {
                let pipeline = channel.pipeline.syncOperations
                try pipeline.addHandler(NIOSSLClientHandler(context: access.tls, serverHostname: host))
                try pipeline.addHandler(
                    ReceiptExchange(request, maximumBytes: maximumBytes, timeout: timeout, promise))
            } catch {
                promise.fail(error)
            }
            return promise.futureResult
        }.get()
    }
}

/// Sends one request on a connection that is there, reads its answer, and closes the connection.
final class ReceiptExchange: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let request: ByteBuffer
    private let timeout: TimeAmount
    private let promise: EventLoopPromise<HTTPAnswer>
    private var reader: AnswerReader
    private var buffer = ByteBuffer()
    private var timer: Scheduled<Void>?
    private var isOver = false

    /// - Parameters:
    ///   - maximumBytes: of the answer's body.
    ///   - promise: is kept or broken, once.
    init(
        _ request: ByteBuffer, maximumBytes: Int, timeout: TimeAmount, _ promise: EventLoopPromise<HTTPAnswer>
    ) {
        self.request = request
        self.timeout = timeout
        self.promise = promise
        reader = AnswerReader(maximumBytes: maximumBytes)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let this = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(in: timeout) {
            let (handler, context) = this.value
            handler.end(.failure(ReceiptServiceFailure("no answer in time")), context)
        }
        // It waits in the handler before this one until the handshake is done.
        context.writeAndFlush(wrapOutboundOut(request), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var piece = unwrapInboundIn(data)
        guard !isOver else { return }
        buffer.writeBuffer(&piece)
        do throws(AnswerReader.Failure) {
            if let answer = try reader.next(&buffer) { end(.success(answer), context) }
        } catch {
            end(
                .failure(ReceiptServiceFailure("the answer is \(error == .tooLarge ? "too large" : "malformed")")),
                context)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        let end = reader.atEnd().map { Result<HTTPAnswer, any Error>.success($0) }
        self.end(end ?? .failure(ReceiptServiceFailure("the connection ended before the answer")), context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { end(.failure(error), context) }

    func handlerRemoved(context: ChannelHandlerContext) {
        end(.failure(ReceiptServiceFailure("the connection ended")), context)
    }

    private func end(_ result: Result<HTTPAnswer, any Error>, _ context: ChannelHandlerContext) {
        guard !isOver else { return }
        isOver = true
        timer?.cancel()
        timer = nil
        promise.completeWith(result)
        context.close(promise: nil)
    }
}
