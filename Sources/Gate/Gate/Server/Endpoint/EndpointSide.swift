internal import NIOCore

/// One of the two ends of an endpoint, at the tail of its channel's pipeline. It reads only while the other end takes
/// what is read.
///
/// What the gate answers by itself (pings, offers of telnet, bad requests) comes back to who asked, and no other end
/// holds that up: who does not read answers is not heard any more.
final class EndpointSide: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private static let maximumAnswers = 65_536

    private let endpoint: Endpoint
    private var context: ChannelHandlerContext?
    private var wantsRead = false
    /// When it was read again behind a pause.
    private var resumed = NIODeadline.uptimeNanoseconds(0)
    private var needsFlush = false
    private var isHeld = false
    private var isTakingRest = false
    private var hasClosedOutput = false
    /// Bytes of answers that were written since the channel took no more.
    private var unreadAnswers = 0

    init(_ endpoint: Endpoint) { self.endpoint = endpoint }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        endpoint.receive(unwrapInboundIn(data), from: self)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        endpoint.flush()
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        if canRead { context.read() } else { wantsRead = true }
    }

    private var canRead: Bool { !isHeld && canPass && !endpoint.hasRest(of: self) }

    /// Whether what is read here can go, and what the gate says to it.
    var canPass: Bool { unreadAnswers <= Self.maximumAnswers && endpoint.other(self)?.isTaking != false }

    /// Whether what is sent to it can go.
    private var isTaking: Bool { hasClosedOutput || context?.channel.isWritable != false }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            unreadAnswers = 0
            endpoint.writable(self)
        }
        context.fireChannelWritabilityChanged()
    }

    func resume() {
        guard let context else { return }
        if endpoint.hasRest(of: self) { takeRest(context) }
        guard wantsRead, canRead else { return }
        wantsRead = false
        resumed = context.eventLoop.now
        context.read()
    }

    /// Goes on with what has waited, in a turn of its own: a channel may say in the middle of a write that it takes
    /// more.
    private func takeRest(_ context: ChannelHandlerContext) {
        guard !isTakingRest else { return }
        isTakingRest = true
        let this = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.execute {
            let side = this.value
            side.isTakingRest = false
            guard !side.isHeld, side.canPass else { return }
            side.resumed = .now()
            side.endpoint.takeRest()
            side.resume()
        }
    }

    /// Whether the client is heard whose side it is. That one which does not read the gate's answers is not, is its own
    /// doing.
    var reading: ClientReading {
        guard wantsRead else { return .since(resumed) }
        if isHeld { return .paused }
        let other = endpoint.other(self)
        return other === self || other?.isTaking != false ? .since(resumed) : .heldUp
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { endpoint.ended(self) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        endpoint.lose(self)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    // MARK: What the endpoint does

    /// - Parameter isAnswer: whether the gate says it because of what came from here.
    func write(_ bytes: ByteBuffer, isAnswer: Bool = false) {
        guard !hasClosedOutput, let context else { return }
        needsFlush = true
        if isAnswer, !context.channel.isWritable { unreadAnswers += bytes.readableBytes }
        context.write(wrapOutboundOut(bytes), promise: nil)
    }

    func flush() {
        guard needsFlush else { return }
        needsFlush = false
        context?.flush()
    }

    /// Reads nothing until the deadline.
    func hold(until deadline: NIODeadline) {
        guard !isHeld, let context else { return }
        isHeld = true
        let this = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(deadline: deadline) {
            this.value.isHeld = false
            this.value.resume()
        }
    }

    func closeOutput() {
        guard !hasClosedOutput, let context else { return }
        flush()
        hasClosedOutput = true
        context.close(mode: .output, promise: nil)
    }

    func cut() { context?.channel.cut() }
}
