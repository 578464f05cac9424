import NIOCore
import NIOHTTP1
import NIOWebSocket

/// What a node has sent over a WebSocket and nobody has taken yet. One at a time waits for more.
///
/// Lives on its channel's event loop.
final class WebSocketInbox: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    /// Messages that are kept until somebody asks for them, of one answer's bytes together; a node that sends more is
    /// cut off.
    private static let messageLimit = 64
    /// Pieces of a message at the most.
    static let fragmentLimit = 4096
    /// Pings between two messages at the most: an honest node sends one in some seconds.
    static let pingLimit = 256

    private let url: NodeURL
    private let byteLimit: Int
    private var unread: [[UInt8]] = []
    private var pingCount = 0
    /// What the newest ping holds that was not answered.
    private var unanswered: ByteBuffer?
    private var waiting: EventLoopPromise<[UInt8]>?
    private var failure: NodeError?
    private var timer: Scheduled<Void>?

    init(url: NodeURL, byteLimit: Int) {
        self.url = url
        self.byteLimit = byteLimit
    }

    /// The next message.
    ///
    /// - Parameter patience: for how long it is waited for; the connection ends with it.
    func next(within patience: Duration, on channel: any Channel) -> EventLoopFuture<[UInt8]> {
        let promise = channel.eventLoop.makePromise(of: [UInt8].self)
        if !unread.isEmpty {
            promise.succeed(unread.removeFirst())
        } else if let failure {
            promise.fail(failure)
        } else if waiting != nil {
            promise.fail(Self.malformed("two questions were asked at once"))
        } else {
            waiting = promise
            let late = NodeError.timedOut(url: url.text, seconds: patience.wholeSeconds, step: .answer)
            timer = channel.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(patience)) {
                self.fail(late)
                channel.close(promise: nil)
            }
        }
        return promise.futureResult
    }

    private func take(_ message: [UInt8], _ context: ChannelHandlerContext) {
        pingCount = 0
        if let waiting {
            timer?.cancel()
            self.waiting = nil
            waiting.succeed(message)
        } else if unread.count < Self.messageLimit, unread.reduce(message.count, { $0 + $1.count }) <= byteLimit {
            unread.append(message)
        } else {
            fail(Self.malformed("the node sends what nobody has asked for"))
            context.close(promise: nil)
        }
    }

    private func take(ping: ByteBuffer, _ context: ChannelHandlerContext) {
        pingCount += 1
        guard pingCount <= Self.pingLimit else {
            fail(Self.malformed("the node sends nothing but pings"))
            context.close(promise: nil)
            return
        }
        unanswered = ping
        pong(context)
    }

    /// Answers the newest ping, once the node takes what it is sent: a node that only sends would make answers pile up.
    ///
    /// Source: RFC 6455 section 5.5.3.
    private func pong(_ context: ChannelHandlerContext) {
        guard context.channel.isWritable, let data = unanswered else { return }
        unanswered = nil
        let pong = WebSocketFrame(fin: true, opcode: .pong, maskKey: .random(), data: data)
        context.writeAndFlush(wrapOutboundOut(pong), promise: nil)
    }

    private static func malformed(_ reason: String) -> NodeError {
        .malformedAnswer(method: "a question", reason: reason)
    }

    private func fail(_ error: NodeError) {
        failure = failure ?? error
        timer?.cancel()
        let waiting = waiting
        self.waiting = nil
        waiting?.fail(failure ?? error)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.opcode {
        case .text, .binary: take(Array(frame.unmaskedData.readableBytesView), context)
        case .ping: take(ping: frame.unmaskedData, context)
        case .connectionClose:
            fail(.closed(url: url.text))
            context.close(promise: nil)
        default: break
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        pong(context)
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(.closed(url: url.text))
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case NIOWebSocketError.invalidFrameLength, NIOWebSocketFrameAggregator.Error.accumulatedFrameSizeIsTooLarge,
            NIOWebSocketFrameAggregator.Error.tooManyFragments:
            fail(.answerTooLarge(url: url.text, limit: byteLimit))
        default: fail(.unreachable(url: url.text, reason: "\(error)"))
        }
        context.close(promise: nil)
    }
}
