internal import NIOCore

/// Reads the PROXY preamble, or makes sure that there is none, and then steps aside.
///
/// Source: `appattest-gate` section 3.8.
final class PreambleHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    static let timeout = TimeAmount.seconds(3)

    private let facts: ConnectionFacts
    private let events: any EventSink
    private var preamble: ProxyPreamble
    /// The bytes that came so far.
    private var held = ByteBuffer()
    private var timer: Scheduled<Void>?
    private var isOver = false

    init(_ expectation: ProxyPreamble.Expectation, facts: ConnectionFacts, events: any EventSink) {
        preamble = ProxyPreamble(expectation)
        self.facts = facts
        self.events = events
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        timer = context.eventLoop.scheduleTask(in: Self.timeout) { channel.close(promise: nil) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        var bytes = unwrapInboundIn(data)
        do throws(ProxyPreambleError) {
            let progress = try preamble.feed(bytes.readableBytesView)
            held.writeBuffer(&bytes)
            guard case .complete(let source, let consumed) = progress else { return }
            if let source {
                facts.peer = source.address
                facts.place.move(to: source.address)
            }
            held.moveReaderIndex(forwardBy: consumed)
            isOver = true
            let rest = held
            held = ByteBuffer()
            if rest.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(rest)) }
            context.pipeline.syncOperations.removeHandler(self, promise: nil)
        } catch {
            isOver = true
            var event = GateEvent(.preambleRefused, .warning, detail: "\(error)")
            event.peer = facts.peer
            events.record(event)
            context.close(promise: nil)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }
}
