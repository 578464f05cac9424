internal import GateRules
internal import NIOCore
internal import NIOSSL
internal import NIOTLS
internal import Synchronization

/// How many TLS handshakes are under way.
final class HandshakeCount: Sendable {
    static let maximum = 512

    private let count = Atomic(0)

    /// - Returns: false if there are too many; then nothing was counted.
    func begin() -> Bool {
        guard count.wrappingAdd(1, ordering: .relaxed).newValue <= Self.maximum else {
            end()
            return false
        }
        return true
    }

    func end() { count.wrappingSubtract(1, ordering: .relaxed) }
}

/// Stands behind the handler of TLS until the handshake is done: ends those that take too long, and notes the client's certificate.
///
/// Source: `appattest-gate` sections 3.5 and 3.7.
final class HandshakeWatch: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let count: HandshakeCount
    private let timeout: TimeAmount
    private let facts: ConnectionFacts
    private var isCounted = false
    private var timer: Scheduled<Void>?

    init(_ count: HandshakeCount, timeout: TimeAmount, _ facts: ConnectionFacts) {
        self.count = count
        self.timeout = timeout
        self.facts = facts
    }

    func handlerAdded(context: ChannelHandlerContext) {
        isCounted = count.begin()
        guard isCounted else { return context.close(promise: nil) }
        let channel = context.channel
        timer = context.eventLoop.scheduleTask(in: timeout) { channel.close(promise: nil) }
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
        if isCounted { count.end() }
        isCounted = false
    }
}
