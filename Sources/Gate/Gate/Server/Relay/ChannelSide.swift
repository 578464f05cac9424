internal import NIOCore
internal import WebSocketFrames

/// An end of a relay at the tail of its channel's pipeline.
final class ChannelSide: RelaySide, RelayHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var context: ChannelHandlerContext?
    private var wantsRead = false
    /// When it was read again behind a pause.
    private var resumed = NIODeadline.uptimeNanoseconds(0)
    private var needsFlush = false
    private var hasEndedOutput = false

    /// Sends the client its 101, and passes on what comes from both sides.
    ///
    /// - Parameter extensions: what the handshakes settled on.
    static func connect(
        _ session: Session, _ ends: RelayEnds, following extensions: ExtensionUse, switchingBy bytes: ByteBuffer
    ) throws {
        let relay = Relay(session, extensions)
        let client = ChannelSide(relay, .client)
        let upstream = ChannelSide(relay, .server)
        try ends.handOver(to: client, upstream, switchingBy: bytes) { relay.open(client: client, upstream: upstream) }
        if !client.isOpen { relay.lose(client) }
        if !upstream.isOpen { relay.lose(upstream) }
    }

    // MARK: Events

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        isOpen = context.channel.isActive
    }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { receive(unwrapInboundIn(data)) }

    func receive(_ buffer: ByteBuffer) {
        buffer.withUnsafeReadableBytes { relay.receive(RelayedPiece(bytes: $0, buffer: buffer), from: self) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        other?.flush()
        flush()
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        if canRead { context.read() } else { wantsRead = true }
    }

    private var canRead: Bool { !isHeld && (other as? ChannelSide)?.isTaking != false }

    /// Whether its channel takes more bytes. One that has gone takes all: they are dropped.
    private var isTaking: Bool { !isOpen || context?.channel.isWritable != false }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { (other as? ChannelSide)?.readOn() }
        context.fireChannelWritabilityChanged()
    }

    override func release() {
        super.release()
        readOn()
    }

    private func readOn() {
        guard wantsRead, canRead, let context else { return }
        wantsRead = false
        resumed = context.eventLoop.now
        context.read()
    }

    override var readSince: NIODeadline? { wantsRead ? nil : resumed }

    func channelInactive(context: ChannelHandlerContext) {
        isOpen = false
        relay.lose(self)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    // MARK: Writing

    override func write(_ bytes: [UInt8]) { write(ByteBuffer(bytes: bytes)) }

    override func write(_ range: Range<Int>, of piece: RelayedPiece) {
        guard let buffer = piece.buffer else {
            return write(ByteBuffer(bytes: UnsafeRawBufferPointer(rebasing: piece.bytes[range])))
        }
        let isWhole = range.count == buffer.readableBytes
        let slice =
            isWhole ? buffer : buffer.getSlice(at: buffer.readerIndex + range.lowerBound, length: range.count)
        if let slice { write(slice) }
    }

    private func write(_ buffer: ByteBuffer) {
        guard isOpen, let context else { return }
        needsFlush = true
        context.write(wrapOutboundOut(buffer), promise: nil)
    }

    override func flush() {
        guard needsFlush else { return }
        needsFlush = false
        context?.flush()
    }

    // MARK: Ends

    override func endOutput() {
        guard isOpen, !hasEndedOutput, let context else { return }
        hasEndedOutput = true
        flush()
        context.close(mode: .output, promise: nil)
    }

    override func close() { context?.close(promise: nil) }

    override func cut() { context?.channel.cut() }
}
