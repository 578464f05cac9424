internal import NIOCore

/// A conversation on a channel, at the tail of its pipeline.
final class HTTPHandler: ChannelDuplexHandler, RemovableChannelHandler, HTTPConnection {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    let http: HTTPConversation
    private var context: ChannelHandlerContext?
    private var wantsRead = false

    init(_ http: HTTPConversation) { self.http = http }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        http.begin(on: self)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        http.end()
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { http.receive(unwrapInboundIn(data)) }

    func read(context: ChannelHandlerContext) {
        if http.takesMore { context.read() } else { wantsRead = true }
    }

    func channelInactive(context: ChannelHandlerContext) {
        http.end()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    // MARK: What the conversation does

    func send(_ bytes: ByteBuffer) { context?.writeAndFlush(wrapOutboundOut(bytes), promise: nil) }

    func endOutput() { context?.close(mode: .output, promise: nil) }

    func close() { context?.close(promise: nil) }

    func readOn() {
        guard wantsRead, let context else { return }
        wantsRead = false
        context.read()
    }

    /// The channel; nil once the handler has left it.
    var channel: (any Channel)? { context?.channel }

    /// Gives the connection to other handlers, which are put behind this one before.
    ///
    /// - Returns: what came behind the request.
    func takeOver() -> ByteBuffer {
        defer { context?.pipeline.syncOperations.removeHandler(self, promise: nil) }
        return http.takeOver()
    }
}

extension HTTPConversation {
    /// The handler that it is had by; nil for a socket, and once it is over.
    var channelHandler: HTTPHandler? { connection as? HTTPHandler }
}
