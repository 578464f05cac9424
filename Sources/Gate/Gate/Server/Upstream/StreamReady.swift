internal import NIOCore
internal import NIOTLS

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
