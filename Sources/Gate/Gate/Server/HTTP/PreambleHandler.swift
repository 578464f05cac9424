internal import NIOCore

/// Reads the PROXY preamble, or makes sure that there is none.
///
/// Source: `appattest-gate` section 3.8.
struct PreambleReader {
    static let timeout = TimeAmount.seconds(3)

    private let facts: ConnectionFacts
    private let events: any EventSink
    private var preamble: ProxyPreamble
    /// The bytes that came so far.
    private var held = ByteBuffer()
    private(set) var isOver = false

    init(_ expectation: ProxyPreamble.Expectation, facts: ConnectionFacts, events: any EventSink) {
        preamble = ProxyPreamble(expectation)
        self.facts = facts
        self.events = events
    }

    /// Takes what came, and notes whose connection it is once that is known.
    ///
    /// - Returns: what came behind the preamble; nil where it is not complete.
    /// - Throws: where the connection has to be closed, which is logged.
    mutating func receive(_ bytes: ByteBuffer) throws(ProxyPreambleError) -> ByteBuffer? {
        guard !isOver else { return nil }
        do throws(ProxyPreambleError) {
            let progress = try preamble.feed(bytes.readableBytesView)
            held.writeImmutableBuffer(bytes)
            guard case .complete(let source, let consumed) = progress else { return nil }
            if let source {
                facts.peer = source.address
                facts.place.move(to: source.address)
            }
            held.moveReaderIndex(forwardBy: consumed)
            isOver = true
            defer { held = ByteBuffer() }
            return held
        } catch {
            isOver = true
            var event = GateEvent(.preambleRefused, .warning, detail: "\(error)")
            event.peer = facts.peer
            events.record(event)
            throw error
        }
    }
}

/// Reads the preamble of a channel, and then steps aside.
final class PreambleHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private var reader: PreambleReader
    private var timer: Scheduled<Void>?

    init(_ reader: PreambleReader) { self.reader = reader }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        timer = context.eventLoop.scheduleTask(in: PreambleReader.timeout) { channel.close(promise: nil) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        do throws(ProxyPreambleError) {
            guard let rest = try reader.receive(unwrapInboundIn(data)) else { return }
            if rest.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(rest)) }
            context.pipeline.syncOperations.removeHandler(self, promise: nil)
        } catch {
            context.close(promise: nil)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }
}
