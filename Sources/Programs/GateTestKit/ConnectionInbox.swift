import NIOCore
import Synchronization

/// What came over a connection and was not taken yet. One task waits at a time.
package final class ConnectionInbox: Sendable {
    package enum Received: Hashable, Sendable {
        case bytes([UInt8])
        /// Nothing came for as long as was asked.
        case quiet
        case ended
    }

    private struct State {
        var bytes: [UInt8] = []
        var isOver = false
        var isBroken = false
        /// Counts who waited: a time that ends is that of one of them.
        var number = 0
        var isTimeOver = false
        var waiter: CheckedContinuation<Received, Never>?

        mutating func take() -> Received? {
            guard bytes.isEmpty else {
                defer { bytes = [] }
                return .bytes(bytes)
            }
            return isOver ? .ended : isTimeOver ? .quiet : nil
        }
    }

    private let state = Mutex(State())

    package init() {}

    /// What fills it from a channel, at the tail of its pipeline.
    package func handler() -> any ChannelHandler { InboxHandler(self) }

    /// Whether its connection ended by an error: a reset, or TLS without its last word.
    package var isBroken: Bool { state.withLock(\.isBroken) }

    /// What has come; else what comes next.
    ///
    /// - Parameter patience: nil: however long it takes.
    package func next(within patience: Duration?, on loop: any EventLoop) async -> Received {
        let number = state.withLock { state in
            state.number += 1
            state.isTimeOver = false
            return state.number
        }
        let timer = patience.map { patience in
            loop.scheduleTask(in: TimeAmount(patience)) { [self] in
                change { if $0.number == number { $0.isTimeOver = true } }
            }
        }
        defer { timer?.cancel() }
        return await withCheckedContinuation { continuation in
            let received = state.withLock { state in
                let received = state.take()
                if received == nil { state.waiter = continuation }
                return received
            }
            if let received { continuation.resume(returning: received) }
        }
    }

    fileprivate func add(_ bytes: some Sequence<UInt8>) { change { $0.bytes += bytes } }

    fileprivate func end(isBroken: Bool = false) {
        change { state in
            state.isOver = true
            if isBroken { state.isBroken = true }
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let (waiter, received) = state.withLock { state in
            body(&state)
            guard let waiter = state.waiter, let received = state.take() else {
                return (CheckedContinuation<Received, Never>?.none, Received.quiet)
            }
            state.waiter = nil
            return (waiter, received)
        }
        waiter?.resume(returning: received)
    }
}

private final class InboxHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let inbox: ConnectionInbox

    init(_ inbox: ConnectionInbox) { self.inbox = inbox }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        inbox.add(unwrapInboundIn(data).readableBytesView)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { inbox.end() }
    }

    func channelInactive(context: ChannelHandlerContext) { inbox.end() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        inbox.end(isBroken: true)
        context.close(promise: nil)
    }
}
