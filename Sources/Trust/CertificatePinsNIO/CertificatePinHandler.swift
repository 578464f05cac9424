import CertificatePins
import NIOCore
import NIOTLS

/// Lets nothing through until the handshake is done and the pins allow the server's key; closes the connection if they
/// do not.
///
/// It stands directly behind the handler of TLS, which has verified chain and host name by then (``PinnedTLSClient``
/// puts both in place). What is written early waits here. After a refusal every write fails with the ``PinRefusal``,
/// which also goes through the pipeline as an error.
///
/// Source: `mainkey` section 26.
public final class CertificatePinHandler: ChannelDuplexHandler {
    /// What comes in goes through unread.
    public typealias InboundIn = NIOAny
    /// What goes out waits or goes through unread.
    public typealias OutboundIn = NIOAny

    private enum State {
        case handshaking(waiting: CircularBuffer<(NIOAny, EventLoopPromise<Void>?)>, wantsFlush: Bool)
        case allowed
        case closed(any Error)
    }

    private let policy: PinPolicy
    private var state = State.handshaking(waiting: [], wantsFlush: false)

    /// A handler for one connection.
    public init(policy: PinPolicy) {
        self.policy = policy
    }

    // MARK: Inbound

    /// Judges the key when the handshake is done.
    public func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted = event, case .handshaking = state {
            switch policy.verdict(on: ShownCertificates.of(context.pipeline.syncOperations)) {
            case .allow:
                context.fireUserInboundEventTriggered(event)
                release(context: context)
            case .deny(let refusal):
                refuse(refusal, context: context)
            }
        } else if case .closed = state {
            return
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    /// Passes on what comes in once the key is allowed.
    public func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch state {
        case .allowed: context.fireChannelRead(data)
        // Bytes before the end of a handshake: there is no TLS in front of this handler.
        case .handshaking: refuse(.noCertificate, context: context)
        case .closed: break
        }
    }

    /// Fails what waits if the connection ends within the handshake.
    public func channelInactive(context: ChannelHandlerContext) {
        if case .handshaking = state { fail(with: ChannelError.ioOnClosedChannel) }
        context.fireChannelInactive()
    }

    /// Fails what waits if the handler is taken away within the handshake.
    public func handlerRemoved(context: ChannelHandlerContext) {
        if case .handshaking = state { fail(with: ChannelError.ioOnClosedChannel) }
    }

    // MARK: Outbound

    /// Keeps what is written within the handshake.
    public func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch state {
        case .handshaking(var waiting, let wantsFlush):
            waiting.append((data, promise))
            state = .handshaking(waiting: waiting, wantsFlush: wantsFlush)
        case .allowed: context.write(data, promise: promise)
        case .closed(let error): promise?.fail(error)
        }
    }

    /// Remembers a flush within the handshake.
    public func flush(context: ChannelHandlerContext) {
        switch state {
        case .handshaking(let waiting, _): state = .handshaking(waiting: waiting, wantsFlush: true)
        case .allowed: context.flush()
        case .closed: break
        }
    }

    // MARK: The decision

    private func release(context: ChannelHandlerContext) {
        guard case .handshaking(let waiting, let wantsFlush) = state else { return }
        state = .allowed
        for (data, promise) in waiting { context.write(data, promise: promise) }
        if wantsFlush { context.flush() }
    }

    private func refuse(_ refusal: PinRefusal, context: ChannelHandlerContext) {
        fail(with: refusal)
        context.fireErrorCaught(refusal)
        HardClose.close(context.channel)
    }

    private func fail(with error: any Error) {
        guard case .handshaking(let waiting, _) = state else { return }
        state = .closed(error)
        for (_, promise) in waiting { promise?.fail(error) }
    }
}

@available(*, unavailable)
extension CertificatePinHandler: Sendable {}
