import CLibrary
internal import NIOCore
internal import NIOSSL
internal import Synchronization

/// A connection that waits, as it is cut from another thread.
protocol PendingConnection: Sendable {
    /// Ends it now.
    ///
    /// - Parameter resets: whether the system forgets it at once, since nothing was said that could get lost.
    func cut(resets: Bool)
}

/// A channel on which nobody has been let in yet.
struct PendingChannel: PendingConnection {
    private let channel: any Channel

    init(_ channel: any Channel) { self.channel = channel }

    func cut(resets: Bool) {
        channel.eventLoop.execute { [channel] in channel.cut(resets: resets) }
    }
}

/// All connections for apps on which nobody has been let in yet, from the moment they are accepted.
///
/// Source: `appattest-gate` section 3.7.
final class PendingConnections: Sendable {
    typealias Table = PendingTable<any PendingConnection>

    private struct State: Sendable {
        var table: Table
        /// How often connections of an address were cut to make room, of what it may cost.
        var drops: AllowanceTable
        /// How often somebody behind an address that had too many cuts may try all the same, by blocks of ports.
        var retries = AllowanceTable(burst: 8, perSecond: 1)
    }

    private let state: Mutex<State>
    /// The uptime in nanoseconds when a connection was cut last; 0 for never.
    private let lastDrop = Atomic<UInt64>(0)
    private let metrics: GateMetrics
    private let events: any EventSink
    /// How long after the last cut nobody is turned away any more.
    private static let quietTime = TimeAmount.seconds(30)

    /// - Parameter cuts: how many cuts of one address there are at once before it is turned away; and a
    ///   quarter of it each second after that.
    init(_ limits: GateConfiguration.WaitingLimits, cuts: Int, metrics: GateMetrics, events: any EventSink) {
        state = Mutex(
            State(
                table: Table(capacity: limits.total, perClient: limits.perClient),
                drops: AllowanceTable(burst: cuts, perSecond: max(1, cuts / 4))))
        self.metrics = metrics
        self.events = events
    }

    /// Gives a new connection a place, in that of another where there is none.
    ///
    /// - Parameter isShared: whether many clients come from this address, as from a proxy.
    /// - Returns: nil where the connection has to be closed, since everybody else is being served.
    func enter(_ connection: any PendingConnection, from peer: IPAddress, isShared: Bool) -> PendingPlace? {
        let arrival = state.withLock { $0.table.enter(connection, from: ClientKey(peer), isShared: isShared) }
        if let dropped = arrival.dropped { drop(dropped.connection, of: dropped.client, for: dropped.reason) }
        guard let ticket = arrival.ticket else {
            note(ClientKey(peer), for: .total)
            return nil
        }
        if arrival.dropped == nil { metrics.connections.change(.waiting, by: 1) }
        return PendingPlace(self, ticket)
    }

    /// Cuts all waiting connections.
    func cutAll() {
        for connection in state.withLock(\.table.connections) { connection.cut(resets: false) }
    }

    fileprivate func change(_ body: (inout Table) -> Void) { state.withLock { body(&$0.table) } }

    fileprivate func leave(_ ticket: Table.Ticket) {
        if state.withLock({ $0.table.leave(ticket) }) { metrics.connections.change(.waiting, by: -1) }
    }

    fileprivate func move(_ ticket: Table.Ticket, to client: IPAddress) {
        guard let dropped = state.withLock({ $0.table.move(ticket, to: ClientKey(client)) }) else { return }
        metrics.connections.change(.waiting, by: -1)
        drop(dropped.connection, of: dropped.client, for: dropped.reason)
    }

    /// Whether a new connection is to be reset because too many of its address had to be cut lately: making and cutting
    /// more of them would keep others waiting.
    ///
    /// Carriers that put many behind one address give each of them a block of its ports (RFC 7422). So each block of
    /// 1,024 ports has a few connections of its own: who floods from behind such an address turns away nobody in other
    /// blocks.
    func turnsAway(_ peer: IPAddress, port: Int?) -> Bool {
        let last = lastDrop.load(ordering: .relaxed)
        let now = NIODeadline.now()
        guard last > 0, now - .uptimeNanoseconds(last) < Self.quietTime else { return false }
        let client = ClientKey(peer)
        let block = ClientKey.block(of: peer, port: port)
        let isAllowed = state.withLock { state in
            state.drops.has(client, at: now) || block.map { state.retries.take($0, at: now) } == true
        }
        guard !isAllowed else { return false }
        note(client, for: .rate)
        return true
    }

    private func drop(_ connection: any PendingConnection, of client: ClientKey, for reason: DropReason) {
        let now = NIODeadline.now()
        lastDrop.store(now.uptimeNanoseconds, ordering: .relaxed)
        state.withLock { _ = $0.drops.take(client, at: now) }
        note(client, for: reason)
        connection.cut(resets: true)
    }

    private func note(_ client: ClientKey, for reason: DropReason) {
        metrics.waitingDropped.add(reason)
        var event = GateEvent(.waitingDropped, .warning, detail: "\(reason)")
        event.peer = IPAddress(high: client.high, low: client.low)
        events.record(event)
    }
}

/// The place of one connection among those that wait. It belongs to the connection's event loop.
struct PendingPlace {
    private let connections: PendingConnections
    private let ticket: PendingConnections.Table.Ticket

    fileprivate init(_ connections: PendingConnections, _ ticket: PendingConnections.Table.Ticket) {
        self.connections = connections
        self.ticket = ticket
    }

    /// Notes that a request has begun.
    func noteActivity() { connections.change { $0.noteActivity(of: ticket) } }

    /// Notes that the gate works for the connection.
    func beginService() { connections.change { $0.beginService(of: ticket) } }

    /// Notes that the connection has its answer.
    func endService() { connections.change { $0.endService(of: ticket) } }

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
    /// Ends a connection now. The closing alert of TLS is left out, for which the other end would be waited for. On its
    /// event loop.
    ///
    /// - Parameter resets: whether the other end is told by a reset, and what the system has for it is dropped.
    func cut(resets: Bool = false) {
        if resets { _ = (self as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0)) }
        if let tls = try? pipeline.syncOperations.context(handlerType: NIOSSLHandler.self) {
            // From there it goes to the socket, and not through TLS.
            tls.close(promise: nil)
        } else {
            close(promise: nil)
        }
    }
}
