internal import NIOCore
internal import NIOHTTP1
internal import WebSocketFrames

/// What answers the requests of a connection.
protocol RequestHandler: AnyObject {
    /// A request's head is there. It is answered by ``HTTPHandler/answer(_:)``, sooner or later, or taken over.
    func receive(_ head: HTTPRequestHead, on http: HTTPHandler)
    /// The answer where what came is no request, or not in time.
    func refuse(_ refusal: Refusal) -> Answer
}

/// Speaks HTTP/1.1 with one client: a request at a time, bounded in every size and time.
///
/// While a request is being answered one piece of what follows is read, and no more. A connection that has to end
/// behind an answer is closed to writing and read on for a moment, so that the answer is not lost to a reset.
/// Source: `appattest-gate` section 3.7.
final class HTTPHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    struct Settings: Sendable {
        var header: TimeAmount
        var body: TimeAmount
        var idle = TimeAmount.seconds(30)
        var linger = TimeAmount.seconds(1)
        var maximumRequests = 100
    }

    enum BodyFailure: Error {
        case tooLarge, malformed, tooSlow
    }

    private enum State {
        case head
        case body(BodyReader, done: (Result<[UInt8], BodyFailure>) -> Void)
        /// The handler works on the answer.
        case busy
        case lingering
        case over
    }

    private let handler: any RequestHandler
    private let settings: Settings
    /// The connection's place among those that wait; nil where nobody is kept out.
    private let place: PendingPlace?
    private var state = State.head
    private var reader = HeadReader()
    private var buffer = ByteBuffer()
    private var context: ChannelHandlerContext?
    private var timer: Scheduled<Void>?
    private var requests = 0
    private var wantsRead = false
    /// Whether the request that is being answered is the last of its connection.
    private var isLast = false
    /// Whether that request would be the last, whether or not its body is read.
    private var endsByItself = false
    private var isHead = false
    private var isWaitingForRequest = false

    init(_ handler: any RequestHandler, _ settings: Settings, place: PendingPlace? = nil) {
        self.handler = handler
        self.settings = settings
        self.place = place
    }

    var loop: (any EventLoop)? { context?.eventLoop }
    var channel: (any Channel)? { context?.channel }

    /// Whether there is nobody left to answer.
    var isOver: Bool { if case .over = state { true } else { false } }

    // MARK: Bytes

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        setTimer(settings.header) { $0.headIsLate() }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        place?.leave()
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        switch state {
        case .lingering, .over: return
        default: break
        }
        if buffer.readableBytes == 0 {
            buffer = bytes
            if case .head = state { place?.noteActivity() }
        } else {
            buffer.writeBuffer(&bytes)
        }
        advance()
    }

    func read(context: ChannelHandlerContext) {
        // Reading on costs the system nothing before something comes; stopping and starting again does.
        if case .busy = state, buffer.readableBytes > 0 { wantsRead = true } else { context.read() }
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func end() {
        timer?.cancel()
        place?.leave()
        state = .over
    }

    private func advance() {
        switch state {
        case .head:
            do throws(HeadReader.Failure) { try readHead() } catch {
                isLast = true
                state = .busy
                answer(handler.refuse(error.refusal))
            }
        case .body(let body, let done):
            // The reader is let go of before it is changed, so that its bytes are not copied.
            state = .busy
            take(body, done)
        default: break
        }
    }

    private func take(_ body: consuming BodyReader, _ done: @escaping (Result<[UInt8], BodyFailure>) -> Void) {
        do throws(BodyReader.Failure) {
            guard let bytes = try body.next(&buffer) else {
                state = .body(body, done: done)
                return resumeReading()
            }
            timer?.cancel()
            place?.beginService()
            // The body has an end, and behind it the next request begins.
            isLast = endsByItself
            done(.success(bytes))
        } catch {
            timer?.cancel()
            done(.failure(error == .tooLarge ? .tooLarge : .malformed))
        }
    }

    private func readHead() throws(HeadReader.Failure) {
        if isWaitingForRequest, buffer.readableBytes > 0 {
            isWaitingForRequest = false
            setTimer(settings.header) { $0.headIsLate() }
        }
        guard let lines = try reader.next(&buffer) else { return }
        let head = try HTTPRequestHead(lines)
        timer?.cancel()
        requests += 1
        isHead = head.method == .HEAD
        // What is no list might be read as one that closes.
        let tokens = HeaderTokens.list(head.headers["connection"])
        let closes = tokens?.contains { HeaderTokens.isEqual($0, to: "close") } ?? true
        endsByItself = requests >= settings.maximumRequests || head.version != .http1_1 || closes
        // What follows the head of a request whose body nobody reads is no request.
        isLast = endsByItself || head.bodyFraming != .empty
        state = .busy
        place?.beginService()
        handler.receive(head, on: self)
    }

    // MARK: What a handler does

    /// Answers the request, and waits for the next.
    func answer(_ answer: Answer) {
        guard let context, case .busy = state else { return }
        isLast = isLast || answer.headers.lists("close", in: "connection")
        var bytes = context.channel.allocator.buffer(capacity: 512)
        bytes.write(answer, closes: isLast, isHead: isHead)
        context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
        place?.endService()
        guard !isLast else { return linger(settings.linger) }
        state = .head
        isWaitingForRequest = buffer.readableBytes == 0
        setTimer(isWaitingForRequest ? settings.idle : settings.header) { $0.headIsLate() }
        if !isWaitingForRequest { advance() }
        resumeReading()
    }

    /// Reads the body of the request that is being answered.
    func readBody(
        _ head: HTTPRequestHead, maximumBytes: Int, done: @escaping (Result<[UInt8], BodyFailure>) -> Void
    ) {
        guard let context, case .busy = state else { return }
        if head.headers.lists("100-continue", in: "expect") {
            context.writeAndFlush(
                wrapOutboundOut(ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n")), promise: nil)
        }
        // Until the body is there it is the client that is waited for.
        place?.endService()
        place?.noteActivity()
        setTimer(settings.body) { $0.fail(.tooSlow) }
        take(BodyReader(head, maximumBytes: maximumBytes), done)
    }

    /// Writes the last bytes of the connection.
    ///
    /// - Parameter time: how long the client may take to close it.
    func finish(with bytes: ByteBuffer, within time: TimeAmount) {
        guard let context, case .busy = state else { return }
        context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
        place?.endService()
        linger(time)
    }

    /// Gives the connection to other handlers, which are put behind this one before.
    ///
    /// - Returns: what came behind the request.
    func takeOver() -> ByteBuffer {
        timer?.cancel()
        state = .over
        let rest = buffer
        buffer = ByteBuffer()
        context?.pipeline.syncOperations.removeHandler(self, promise: nil)
        return rest
    }

    // MARK: Ends

    private func linger(_ time: TimeAmount) {
        guard let context else { return }
        state = .lingering
        buffer = ByteBuffer()
        context.close(mode: .output, promise: nil)
        setTimer(time) { $0.context?.close(promise: nil) }
        resumeReading()
    }

    private func resumeReading() {
        guard wantsRead, let context else { return }
        wantsRead = false
        context.read()
    }

    private func headIsLate() {
        guard case .head = state, let context else { return }
        guard buffer.readableBytes > 0 else { return context.close(promise: nil) }
        isLast = true
        state = .busy
        answer(handler.refuse(Refusal(.requestTimeout)))
    }

    private func fail(_ failure: BodyFailure) {
        guard case .body(_, let done) = state else { return }
        state = .busy
        done(.failure(failure))
    }

    private func setTimer(_ time: TimeAmount, _ act: @escaping (HTTPHandler) -> Void) {
        timer?.cancel()
        guard let context else { return }
        let act = NIOLoopBound(act, eventLoop: context.eventLoop)
        let this = NIOLoopBound(self, eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(in: time) { act.value(this.value) }
    }
}

extension HeadReader.Failure {
    var refusal: Refusal { Refusal(self == .tooLarge ? .headersTooLarge : .malformedHeader) }
}
