internal import NIOCore
internal import NIOSSL
internal import NIOTLS

/// Stands behind the handler of TLS until the handshake is done: ends those that take too long, and notes the client's
/// certificate.
///
/// Source: `appattest-gate` sections 3.5 and 3.7.
final class TLSHandshakeHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let timeout: TimeAmount
    private let facts: ConnectionFacts
    private var timer: Scheduled<Void>?

    init(timeout: TimeAmount, _ facts: ConnectionFacts) {
        self.timeout = timeout
        self.facts = facts
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        timer = context.eventLoop.scheduleTask(in: timeout) { channel.cut() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case TLSUserEvent.handshakeCompleted = event else {
            return context.fireUserInboundEventTriggered(event)
        }
        let handler = try? context.pipeline.syncOperations.handler(type: NIOSSLHandler.self)
        facts.certificate = handler?.peerCertificate.flatMap { PeerCertificate(verified: $0) }
        end()
        context.fireUserInboundEventTriggered(event)
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A handshake that fails, whatever with, ends the connection.
        context.close(promise: nil)
    }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    private func end() {
        timer?.cancel()
        timer = nil
    }
}
