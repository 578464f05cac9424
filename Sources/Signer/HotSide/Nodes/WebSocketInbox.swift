import NIOCore
import NIOHTTP1
import NIOWebSocket

/// What a node has sent over a WebSocket and nobody has taken yet. One at a time waits for more.
///
/// Lives on its channel's event loop.
final class WebSocketInbox: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    /// Messages that are kept until somebody asks for them; a node that sends more is cut off.
    private static let messageLimit = 64
    /// Pieces of a message at the most.
    static let fragmentLimit = 4096

    private let url: NodeURL
    private let byteLimit: Int
    private var unread: [[UInt8]] = []
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
            promise.fail(NodeError.malformedAnswer(method: "", reason: "two questions were asked at once"))
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
        if let waiting {
            timer?.cancel()
            self.waiting = nil
            waiting.succeed(message)
        } else if unread.count < Self.messageLimit {
            unread.append(message)
        } else {
            fail(.malformedAnswer(method: "", reason: "the node sends what nobody has asked for"))
            context.close(promise: nil)
        }
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
        case .ping:
            let pong = WebSocketFrame(fin: true, opcode: .pong, maskKey: .random(), data: frame.unmaskedData)
            context.writeAndFlush(wrapOutboundOut(pong), promise: nil)
        case .connectionClose:
            fail(.closed(url: url.text))
            context.close(promise: nil)
        default: break
        }
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
