internal import NIOCore
internal import NIOHTTP1
internal import WebSocketFrames

/// What answers the requests of a connection.
protocol RequestHandler: AnyObject {
    /// A request's head is there. It is answered by ``HTTPConversation/answer(_:)``, sooner or later, or taken over.
    func receive(_ head: HTTPRequestHead, on http: HTTPConversation)
    /// The answer where what came is no request, or not in time.
    func refuse(_ refusal: Refusal) -> Answer
}

/// The connection that a conversation is had on: a channel or a socket.
protocol HTTPConnection: AnyObject {
    /// Sends bytes now.
    func send(_ bytes: ByteBuffer)
    /// Sends the end of what goes out, behind everything that was sent.
    func endOutput()
    func close()
    /// Goes on reading where the conversation takes more again (``HTTPConversation/takesMore``).
    func readOn()
}

/// Speaks HTTP/1.1 with one client: a request at a time, bounded in every size and time.
///
/// While a request is being answered one piece of what follows is read, and no more. A connection that has to end
/// behind an answer is closed to writing and read on for a moment, so that the answer is not lost to a reset.
/// Source: `appattest-gate` section 3.7.
final class HTTPConversation {
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
    private let loop: any EventLoop
    /// Nil before it begins and once it is over.
    private(set) var connection: (any HTTPConnection)?
    private var timer: LoopTimer?
    private var requests = 0
    /// Whether the request that is being answered is the last of its connection.
    private var isLast = false
    /// Whether that request would be the last, whether or not its body is read.
    private var endsByItself = false
    private var isHead = false
    private var isWaitingForRequest = false
    /// Whether something is being done for the request (``run(_:on:then:)``).
    private var isWorking = false
    /// Whether what has come is being looked at, and whether it is to be looked at once more.
    private var (isAdvancing, advancesAgain) = (false, false)

    init(_ handler: any RequestHandler, _ settings: Settings, on loop: any EventLoop, place: PendingPlace? = nil) {
        self.handler = handler
        self.settings = settings
        self.loop = loop
        self.place = place
    }

    /// Whether there is nobody left to answer.
    var isOver: Bool { if case .over = state { true } else { false } }

    // MARK: What a connection tells

    /// Begins to wait for the first request.
    func begin(on connection: any HTTPConnection) {
        self.connection = connection
        setTimer(settings.header)
    }

    /// Whether more is to be read. Reading on costs the system nothing before something comes; stopping and starting
    /// again does.
    var takesMore: Bool { if case .busy = state { buffer.readableBytes == 0 } else { true } }

    func receive(_ bytes: consuming ByteBuffer) {
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

    /// Lets go of everything: the connection has ended, or belongs to somebody else. Its place it keeps until nothing
    /// is done for it any more.
    func end() {
        timer?.cancel()
        if !isWorking { place?.leave() }
        state = .over
        connection = nil
    }

    /// Looks at what has come. A request that is answered within this call is followed by the next one behind it and
    /// not inside of it: a client may send as many at once as it likes.
    private func advance() {
        advancesAgain = true
        guard !isAdvancing else { return }
        isAdvancing = true
        defer { isAdvancing = false }
        while advancesAgain {
            advancesAgain = false
            takeNext()
        }
    }

    private func takeNext() {
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
                connection?.readOn()
                return
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
            setTimer(settings.header)
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
        guard let connection, case .busy = state else { return }
        isLast = isLast || answer.headers.lists("close", in: "connection")
        var bytes = ByteBuffer()
        bytes.reserveCapacity(512)
        bytes.write(answer, closes: isLast, isHead: isHead)
        connection.send(bytes)
        place?.endService()
        guard !isLast else { return linger(settings.linger) }
        state = .head
        isWaitingForRequest = buffer.readableBytes == 0
        setTimer(isWaitingForRequest ? settings.idle : settings.header)
        if !isWaitingForRequest { advance() }
        connection.readOn()
    }

    /// Has something done for the request that is being answered, which others have to be asked for.
    ///
    /// It counts among those that wait until it is done, and not only until the client has gone: who asks and leaves at
    /// once makes the gate do no more at a time than who stays. For one who has gone before it begins it is not done.
    ///
    /// - Parameter next: goes on with what came of it, if it was done.
    func run<Value: Sendable>(
        _ work: @escaping @Sendable () async -> Value, on executor: LoopExecutor,
        then next: @escaping (Value) -> Void
    ) {
        isWorking = true
        executor.run(
            work, if: { [self] in !isOver },
            then: { [self] result in
                isWorking = false
                if isOver { place?.leave() }
                if let result { next(result) }
            })
    }

    /// Reads the body of the request that is being answered.
    func readBody(
        _ head: HTTPRequestHead, maximumBytes: Int, done: @escaping (Result<[UInt8], BodyFailure>) -> Void
    ) {
        guard let connection, case .busy = state else { return }
        if head.headers.lists("100-continue", in: "expect") {
            connection.send(ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n"))
        }
        // Until the body is there it is the client that is waited for.
        place?.endService()
        place?.noteActivity()
        setTimer(settings.body)
        take(BodyReader(head, maximumBytes: maximumBytes), done)
    }

    /// Writes the last bytes of the connection.
    ///
    /// - Parameter time: how long the client may take to close it.
    func finish(with bytes: ByteBuffer, within time: TimeAmount) {
        guard let connection, case .busy = state else { return }
        connection.send(bytes)
        place?.endService()
        linger(time)
    }

    /// Ends the conversation, for the connection to be used otherwise.
    ///
    /// - Returns: what came behind the request.
    func takeOver() -> ByteBuffer {
        end()
        defer { buffer = ByteBuffer() }
        return buffer
    }

    // MARK: Ends

    private func linger(_ time: TimeAmount) {
        guard let connection else { return }
        state = .lingering
        buffer = ByteBuffer()
        connection.endOutput()
        setTimer(time)
        connection.readOn()
    }

    private func headIsLate() {
        guard let connection else { return }
        guard buffer.readableBytes > 0 else { return connection.close() }
        isLast = true
        state = .busy
        answer(handler.refuse(Refusal(.requestTimeout)))
    }

    private func setTimer(_ time: TimeAmount) {
        timer?.cancel()
        let this = NIOLoopBound(self, eventLoop: loop)
        timer = loop.startTimer(in: time) { this.value.isLate() }
    }

    /// Ends what has taken too long.
    private func isLate() {
        switch state {
        case .head: headIsLate()
        case .body(_, let done):
            state = .busy
            done(.failure(.tooSlow))
        case .lingering: connection?.close()
        case .busy, .over: break
        }
    }
}

extension HeadReader.Failure {
    var refusal: Refusal { Refusal(self == .tooLarge ? .headersTooLarge : .malformedHeader) }
}
