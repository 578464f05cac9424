internal import NIOCore

/// Turns connections away, before anything is made for them, of addresses whose connections had to be cut too often.
///
/// It stands at the listener. A client that opens its connections anew as soon as they are cut would otherwise keep the
/// gate busy with making and cutting them, and others would wait behind them.
/// Source: `appattest-gate` section 3.7.
final class ArrivalGuard: ChannelInboundHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel

    private let waiting: PendingConnections
    /// The trusted proxies, which are never turned away: many clients stand behind one address.
    private let trusted: AddressSet

    init(_ waiting: PendingConnections, trusted: AddressSet) {
        self.waiting = waiting
        self.trusted = trusted
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let channel = unwrapInboundIn(data)
        if let peer = IPAddress(channel.remoteAddress), !trusted.contains(peer),
            waiting.turnsAway(peer, port: channel.remoteAddress?.port)
        {
            return PendingChannel(channel).cut(resets: true)
        }
        context.fireChannelRead(data)
    }
}
