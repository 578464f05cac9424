internal import NIOCore

/// Two connections whose bytes are passed from channel to channel, on their event loop.
final class LoopLink: ByteLink {
    private var client: ByteSide?
    private var upstream: ByteSide?
    private let bytes: CounterFamily<Direction>
    private var last = NIODeadline.now()
    /// Whether the gate ends it, or an end has gone.
    private var isEnding = false

    override private init(_ session: Session) {
        bytes = session.server.gate.metrics.bytes
        super.init(session)
    }

    /// Sends the client its 101, and passes on what comes from both sides.
    static func connect(_ session: Session, _ ends: RelayEnds, switchingBy bytes: ByteBuffer) throws {
        PeerWatch.start(on: ends.client)
        let link = LoopLink(session)
        let client = ByteSide(link, .client)
        let upstream = ByteSide(link, .upstream)
        (client.other, upstream.other) = (upstream, client)
        try ends.handOver(to: client, upstream, switchingBy: bytes) {
            (link.client, link.upstream) = (client, upstream)
            link.begin()
        }
        for side in [client, upstream] where !side.isOpen { link.lose(side) }
    }

    func received(_ count: Int, _ direction: Direction) {
        bytes.add(direction, count: count)
        last = .now()
    }

    override var lastMove: NIODeadline { last }

    override func finish() {
        isEnding = true
        client?.closeOutput()
        upstream?.closeOutput()
    }

    override func cut() {
        client?.cut()
        upstream?.cut()
    }

    /// Ends what is left when an end has gone.
    func lose(_ side: ByteSide) {
        guard let client, let upstream else { return }
        guard client.isOpen || upstream.isOpen else {
            // The ends hold each other and the link, and the link them.
            (self.client, self.upstream, client.other, upstream.other) = (nil, nil, nil, nil)
            return over(brokenBy: nil)
        }
        inputEnded(of: side.cause, isBroken: side.isBroken)
        // An end in order would say that it has heard all.
        let isCutOff = side.isBroken && !isEnding
        isEnding = true
        if isCutOff { side.other?.cut(resets: true) } else { side.other?.closeOutput() }
    }
}

/// One of the two ends of such a link, at the tail of its channel's pipeline. It reads only while the other end's
/// channel takes what is read.
final class ByteSide: RelayHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let link: LoopLink
    let cause: CloseSide
    private let direction: Direction
    var other: ByteSide?
    private var context: ChannelHandlerContext?
    private var wantsRead = false
    private var needsFlush = false
    private var hasClosedOutput = false
    private(set) var isOpen = true
    /// Whether its connection ended by an error.
    private(set) var isBroken = false

    init(_ link: LoopLink, _ cause: CloseSide) {
        self.link = link
        self.cause = cause
        direction = cause == .client ? .toUpstream : .toClient
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        isOpen = context.channel.isActive
    }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { receive(unwrapInboundIn(data)) }

    func receive(_ piece: ByteBuffer) {
        link.received(piece.readableBytes, direction)
        other?.pass(piece)
    }

    private func pass(_ piece: ByteBuffer) {
        guard isOpen, !hasClosedOutput, let context else { return }
        needsFlush = true
        context.write(wrapOutboundOut(piece), promise: nil)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        other?.flush()
        context.fireChannelReadComplete()
    }

    func flush() {
        guard needsFlush else { return }
        needsFlush = false
        context?.flush()
    }

    func read(context: ChannelHandlerContext) {
        if other?.isTaking != false { context.read() } else { wantsRead = true }
    }

    /// Whether its channel takes more bytes. One that has gone takes all: they are dropped.
    private var isTaking: Bool { !isOpen || hasClosedOutput || context?.channel.isWritable != false }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { other?.resume() }
        context.fireChannelWritabilityChanged()
    }

    private func resume() {
        guard wantsRead, let context else { return }
        wantsRead = false
        context.read()
    }

    func channelInactive(context: ChannelHandlerContext) {
        isOpen = false
        other?.resume()
        link.lose(self)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        isBroken = true
        context.close(promise: nil)
    }

    func closeOutput() {
        guard isOpen, !hasClosedOutput, let context else { return }
        flush()
        hasClosedOutput = true
        context.close(mode: .output, promise: nil)
        other?.resume()
    }

    /// - Parameter resets: whether the other end is told that something is missing.
    func cut(resets: Bool = false) { context?.channel.cut(resets: resets) }
}
