import BasicFoundation
import CodeMeasurement
import Files
import HardwareKeys
import Synchronization
import Threads
import Vigil

#if os(Linux)
    import Glibc
#endif

/// A validator: answers apps, looks at them, and takes its word back when it finds something.
///
///     let engine = VigilValidatorEngine(identity, policy, pins: store, inspector: inspector)
///     try engine.run(UnixListener(at: "/run/vigil/vigil.sock"))
///
/// Each connection that is let in has a thread of its own, which sleeps until a message comes or it is time to look;
/// without connections nothing wakes up.
///
/// Source: `vigil` sections 2.4 and 7.8.
public final class VigilValidatorEngine: Sendable {
    private let services: ValidatorServices
    private let inspector: any PeerInspector
    private let admission: Admission
    private let refused = RefusedConnections()
    private let onVerdict: @Sendable (Verdict) -> Void
    private let onFinding: @Sendable (Refusal, ProcessIdentity?) -> Void
    private let onIdle: @Sendable () -> Void
    private let open = Mutex<[ObjectIdentifier: any MessageChannel]>([:])

    /// - Parameters:
    ///   - evidence: nil for a validator that gives none.
    ///   - onVerdict: is told of each verdict, for the log; on the thread of the connection. Of connections that are
    ///     refused before anything is said some are left out where one user makes many.
    ///   - onFinding: is told of what ended a session, once it has ended; on the same thread.
    ///   - onIdle: is told that there is no conversation any more; on the thread of the last connection.
    public init(
        _ identity: ValidatorIdentity, _ policy: ValidatorPolicy, pins: any PinStore, inspector: any PeerInspector,
        window: any ProvisioningWindow = TimedWindow(), evidence: EvidenceSource? = nil,
        onVerdict: @escaping @Sendable (Verdict) -> Void = { _ in },
        onFinding: @escaping @Sendable (Refusal, ProcessIdentity?) -> Void = { _, _ in },
        onIdle: @escaping @Sendable () -> Void = {},
        calendar: @escaping @Sendable () -> Date = { Date() },
        chance: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
    ) {
        services = ValidatorServices(
            identity: identity, policy: policy, pins: pins, window: window, evidence: evidence, calendar: calendar,
            chance: chance, rates: SessionRates(policy.limits),
            inspections: AppInspections(time: policy.stateTime))
        self.inspector = inspector
        self.onVerdict = onVerdict
        self.onFinding = onFinding
        self.onIdle = onIdle
        admission = Admission(policy.limits)
    }

    /// Talks with one app until one of the two ends it. Blocks.
    public func serve(_ channel: any MessageChannel) {
        let user = Self.user(of: channel)
        guard admission.admitPending(user) else { return Self.turnAway(channel) }
        serve(channel, pendingOf: user)
    }

    private static func user(of channel: any MessageChannel) -> UInt32 { channel.peer?.user ?? 0 }

    /// - Parameter user: among whose pending connections this one counts already.
    private func serve(_ channel: any MessageChannel, pendingOf user: UInt32) {
        let clock = SuspendingClock()
        defer { channel.close() }
        open.withLock { $0[ObjectIdentifier(channel)] = channel }
        defer { leave(channel) }
        // A connection that is not admitted takes no place from those that are.
        let met = identify(channel, user)
        admission.endPending(user)
        guard let (peer, identity) = met else { return }
        let place = admission.enter(user, at: clock.now) {
            Self.turnAway(channel)
        }
        guard let place else { return Self.turnAway(channel) }
        defer { admission.leave(place) }
        let connection = ValidatorConnection(services, peer, identity: identity, user: user)
        // The app measures itself meanwhile, and looks at this process.
        services.inspections.prepare(peer, of: user)
        exchangeMessages(over: channel, from: connection, at: place)
    }

    /// It may ask again; nobody waits until it has heard that.
    private static func turnAway(_ channel: any MessageChannel) {
        try? channel.send(Failure(.busy, retryAfter: .seconds(1)).bytes, until: SuspendingClock().now)
        channel.close()
    }

    /// Takes hold of the process at the other end.
    ///
    /// - Returns: nil where it may not connect, of which it is told.
    private func identify(_ channel: any MessageChannel, _ user: UInt32) -> (any InspectedPeer, ProcessIdentity?)? {
        do throws(Refusal) {
            return try services.inspections.run(of: user, .beforeVerdict) { [inspector] () throws(Refusal) in
                let peer = try inspector.inspect(channel)
                return (peer, peer.identity)
            }
        } catch {
            if let untold = refused.tell(user, at: SuspendingClock().now) {
                onVerdict(Verdict(.connection, of: nil, error, measured: [], details: .init(suppressed: untold)))
            }
            try? channel.send(
                Failure(error.reason).bytes, until: SuspendingClock().now.advanced(by: .seconds(1)))
            return nil
        }
    }

    private func leave(_ channel: any MessageChannel) {
        let isLast = open.withLock { open in
            open.removeValue(forKey: ObjectIdentifier(channel))
            return open.isEmpty
        }
        if isLast { onIdle() }
    }

    private func exchangeMessages(
        over channel: any MessageChannel, from start: ValidatorConnection, at place: Admission.Place
    ) {
        let clock = SuspendingClock()
        var connection = start
        perform(connection.begin(at: clock.now), of: connection, over: channel)
        admission.answered(place, isSession: false)
        while let deadline = connection.nextDeadline {
            do throws(ChannelError) {
                let received = try channel.receive(until: deadline)
                guard admission.answering(place) else { return }
                perform(connection.receive(received, at: clock.now), of: connection, over: channel)
                admission.answered(place, isSession: connection.isValid)
            } catch .timedOut {
                perform(connection.advance(to: clock.now), of: connection, over: channel)
            } catch {
                perform(connection.fail(with: error), of: connection, over: channel)
                return
            }
        }
    }

    private func perform(
        _ actions: [ValidatorConnection.Action], of connection: ValidatorConnection, over channel: any MessageChannel
    ) {
        let deadline = SuspendingClock().now.advanced(by: services.policy.stateTime)
        for action in actions {
            do throws(ChannelError) {
                switch action {
                case .send(let message): try channel.send(message, until: deadline)
                case .sendWithHandles(let message):
                    try channel.send(message, attachments: services.identity.handles, until: deadline)
                case .record(let verdict): onVerdict(verdict)
                case .close: channel.close()
                case .find(let refusal): onFinding(refusal, connection.identity)
                }
            } catch {
                // A part of the frame may have gone: nothing that follows would be understood. Receiving ends with it.
                channel.close()
            }
        }
    }

    /// Waits until the connections that are open have got their answer.
    ///
    /// - Returns: whether all have.
    @discardableResult
    public func finish(within time: Duration) -> Bool {
        let end = SuspendingClock().now.advanced(by: time)
        while !open.withLock(\.isEmpty) {
            guard SuspendingClock().now < end else { return false }
            SystemThread.sleep(for: .milliseconds(10))
        }
        return true
    }

    /// Ends all conversations. Apps that were told that they are valid are not told otherwise: their sessions end by
    /// silence.
    public func stop() {
        for channel in open.withLock({ Array($0.values) }) { channel.close() }
    }
}

#if os(Linux)
    extension VigilValidatorEngine {
        /// Serves every connection, until the listener is closed.
        ///
        /// - Throws: `ChannelError`: `failed` if the listener does.
        public func run(_ listener: UnixListener) throws(ChannelError) {
            while true {
                let socket: OpenFile
                do throws(ChannelError) { socket = try listener.accept() } catch .closed { return }
                let channel = try? UnixSocketChannel(
                    socket, isAccepting: true, frameTime: services.policy.frameTime)
                guard let channel else { continue }
                admit(channel, number: socket.number)
            }
        }

        /// A connection gets a thread once it counts as pending, of which each user has so many: whoever connects again
        /// and again gets neither all threads nor all descriptors.
        private func admit(_ channel: UnixSocketChannel, number: Int32) {
            let user = Self.user(of: channel)
            guard Self.leavesDescriptors(number), admission.admitPending(user) else { return Self.turnAway(channel) }
            guard SystemThread.tryStart({ self.serve(channel, pendingOf: user) }) else {
                admission.endPending(user)
                return Self.turnAway(channel)
            }
        }

        /// Whether enough descriptors are left for looks at those who were let in: a look that cannot be taken ends
        /// their sessions. A new descriptor has the lowest number that is free.
        private static func leavesDescriptors(_ number: Int32) -> Bool {
            var limit = rlimit()
            guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return true }
            return rlim_t(number) < limit.rlim_cur / 4 * 3
        }
    }
#endif
