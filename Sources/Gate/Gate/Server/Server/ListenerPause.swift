internal import NIOCore

/// Lets a listener rest for a moment after the system refused it a connection.
///
/// Out of descriptors, a connection can neither be taken nor turned away: asking again at once keeps a core busy with
/// nothing.
final class ListenerPause: ChannelInboundHandler {
    typealias InboundIn = any Channel

    private static let time = TimeAmount.milliseconds(100)

    /// Puts a pause into the pipeline of a listener.
    @Sendable static func add(to listener: any Channel) -> EventLoopFuture<Void> {
        listener.eventLoop.makeCompletedFuture {
            try listener.pipeline.syncOperations.addHandler(ListenerPause())
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is IOError else { return context.fireErrorCaught(error) }
        let listener = context.channel
        _ = listener.setOption(.autoRead, value: false)
        // One that has closed meanwhile reads nothing anyway.
        context.eventLoop.scheduleTask(in: Self.time) { _ = listener.setOption(.autoRead, value: true) }
    }
}
