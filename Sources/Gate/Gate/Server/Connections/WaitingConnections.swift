internal import NIOCore
internal import NIOSSL
internal import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// All connections for apps on which nobody has been let in yet, from the moment they are accepted.
///
/// Source: `appattest-gate` section 3.7.
final class WaitingConnections: Sendable {
    typealias Room = WaitingRoom<any Channel>

    private struct State: Sendable {
        var room: Room
        /// How often connections of an address were cut to make room, of what it may cost.
        var drops: AllowanceTable
        /// How often somebody behind an address that had too many cuts may knock all the same, by blocks of ports.
        var knocks = AllowanceTable(burst: 8, perSecond: 1)
    }

    private let state: Mutex<State>
    /// When a connection was cut last, in nanoseconds; 0 for never.
    private let lastDrop = Atomic<UInt64>(0)
    private let metrics: GateMetrics
    private let events: any EventSink
    /// How long after the last cut nobody is turned away any more.
    private static let calm: UInt64 = 30_000_000_000

    /// - Parameter cuts: how many cuts of one address there are at once before it is turned away at the door; and a
    ///   quarter of it each second after that.
    init(_ limits: GateConfiguration.WaitingLimits, cuts: Int, _ metrics: GateMetrics, _ events: any EventSink) {
        state = Mutex(
            State(
                room: Room(capacity: limits.total, perClient: limits.perClient),
                drops: AllowanceTable(burst: cuts, perSecond: max(1, cuts / 4))))
        self.metrics = metrics
        self.events = events
    }

    /// Gives a new connection a place, in that of another where there is none.
    ///
    /// - Parameter isShared: whether many clients come from this address, as from a proxy.
    /// - Returns: nil where the connection has to be closed, since everybody else is being served.
    func enter(_ channel: any Channel, from peer: IPAddress, isShared: Bool) -> WaitingPlace? {
        let arrival = state.withLock { $0.room.enter(channel, from: ClientKey(peer), isShared: isShared) }
        if let dropped = arrival.dropped { drop(dropped.guest, of: dropped.client, for: dropped.reason) }
        guard let ticket = arrival.ticket else {
            note(ClientKey(peer), for: .total)
            return nil
        }
        if arrival.dropped == nil { metrics.connections.add(1, .waiting) }
        return WaitingPlace(self, ticket)
    }

    /// Cuts all waiting connections.
    func cutAll() {
        for channel in state.withLock(\.room.guests) { channel.eventLoop.execute { channel.cut() } }
    }

    fileprivate func change(_ body: (inout Room) -> Void) { state.withLock { body(&$0.room) } }

    fileprivate func leave(_ ticket: Room.Ticket) {
        if state.withLock({ $0.room.leave(ticket) }) { metrics.connections.add(-1, .waiting) }
    }

    fileprivate func move(_ ticket: Room.Ticket, to client: IPAddress) {
        guard let dropped = state.withLock({ $0.room.move(ticket, to: ClientKey(client)) }) else { return }
        metrics.connections.add(-1, .waiting)
        drop(dropped.guest, of: dropped.client, for: dropped.reason)
    }

    /// Turns a new connection away if too many of its address had to be cut lately: making and cutting more of them
    /// would keep others waiting.
    ///
    /// Carriers that put many behind one address give each of them a block of its ports (RFC 7422). So each block of
    /// 1,024 ports has a few connections of its own: who floods from behind such an address turns himself away, and not
    /// his neighbours in other blocks.
    ///
    /// - Returns: whether it was turned away.
    func turnAway(_ channel: any Channel, from peer: IPAddress) -> Bool {
        let last = lastDrop.load(ordering: .relaxed)
        let now = NIODeadline.now().uptimeNanoseconds
        guard last > 0, now &- last < Self.calm else { return false }
        let client = ClientKey(peer)
        let block = ClientKey.block(of: peer, port: channel.remoteAddress?.port)
        let isWelcome = state.withLock { state in
            state.drops.has(client, at: now) || block.map { state.knocks.take($0, at: now) } == true
        }
        guard !isWelcome else { return false }
        cut(channel, of: client, for: .rate)
        return true
    }

    private func drop(_ channel: any Channel, of client: ClientKey, for reason: DropReason) {
        let now = NIODeadline.now().uptimeNanoseconds
        lastDrop.store(now, ordering: .relaxed)
        state.withLock { _ = $0.drops.take(client, at: now) }
        cut(channel, of: client, for: reason)
    }

    /// Ends a connection on which nothing was said that could get lost: the system forgets it at once.
    private func cut(_ channel: any Channel, of client: ClientKey, for reason: DropReason) {
        note(client, for: reason)
        channel.eventLoop.execute {
            _ = (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
            channel.cut()
        }
    }

    private func note(_ client: ClientKey, for reason: DropReason) {
        metrics.waitingDropped.add(1, reason)
        var event = GateEvent(.waitingDropped, "\(reason)", .warning)
        event.peer = IPAddress(high: client.high, low: client.low)
        events.record(event)
    }
}

/// The place of one connection among those that wait. It belongs to the connection's event loop.
struct WaitingPlace {
    private let connections: WaitingConnections
    private let ticket: WaitingConnections.Room.Ticket

    fileprivate init(_ connections: WaitingConnections, _ ticket: WaitingConnections.Room.Ticket) {
        self.connections = connections
        self.ticket = ticket
    }

    /// Notes that a request has begun.
    func hear() { connections.change { $0.hear(ticket) } }

    /// Notes that the gate works for the connection.
    func serve() { connections.change { $0.serve(ticket) } }

    /// Notes that the connection has its answer.
    func rest() { connections.change { $0.rest(ticket) } }

    /// Moves the connection to the client that a proxy names.
    func move(to client: IPAddress) { connections.move(ticket, to: client) }

    /// Leaves the place: the connection has ended, or somebody was let in.
    func leave() { connections.leave(ticket) }
}

extension ClientKey {
    /// A block of 1,024 ports of an IPv4 address: its number stands where such an address has only zeros. Nil for IPv6,
    /// whose users have addresses of their own.
    fileprivate static func block(of address: IPAddress, port: Int?) -> ClientKey? {
        guard address.isIPv4, let port, 0...65_535 ~= port else { return nil }
        return ClientKey(high: 1 << 16 | UInt64(port >> 10), low: address.low)
    }
}

extension Channel {
    /// Ends a connection now. The farewell of TLS is left out, for which the other end would be waited for. On its
    /// event loop.
    func cut() {
        if let tls = try? pipeline.syncOperations.context(handlerType: NIOSSLHandler.self) {
            // From there it goes to the socket, and not through TLS.
            tls.close(promise: nil)
        } else {
            close(promise: nil)
        }
    }
}
