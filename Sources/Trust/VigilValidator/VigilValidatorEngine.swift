import CodeMeasurement
import HardwareKeys
import Synchronization
import Threads
import Vigil

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A validator: answers apps, looks at them, and takes its word back when it finds something.
///
///     let engine = VigilValidatorEngine(identity, policy, pins: store, inspector: inspector)
///     try engine.run(UnixListener(at: "/run/vigil/vigil.sock"))
///
/// Each connection has a thread of its own, which sleeps until a message comes or it is time to look; without connections nothing
/// wakes up.
///
/// Source: `vigil` sections 2.4 and 7.8.
public final class VigilValidatorEngine: Sendable {
    private let services: ValidatorServices
    private let inspector: any PeerInspector
    private let admission: Admission
    private let onVerdict: @Sendable (Verdict) -> Void
    private let onFinding: @Sendable (Refusal, ProcessIdentity?) -> Void
    private let onIdle: @Sendable () -> Void
    private let open = Mutex<[ObjectIdentifier: any MessageChannel]>([:])

    /// - Parameters:
    ///   - evidence: nil for a validator that gives none.
    ///   - onVerdict: is told of each verdict, for the log; on the thread of the connection.
    ///   - onFinding: is told of what ended a session, once it has ended; on the same thread.
    ///   - onIdle: is told that nobody is being talked with any more; on the thread of the last connection.
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
            looks: AppLooks(time: policy.stateTime))
        self.inspector = inspector
        self.onVerdict = onVerdict
        self.onFinding = onFinding
        self.onIdle = onIdle
        admission = Admission(policy.limits)
    }

    /// Talks with one app until one of the two ends it. Blocks.
    public func serve(_ channel: any MessageChannel) {
        let clock = SuspendingClock()
        defer { channel.close() }
        let user = channel.peer?.user ?? 0
        guard admission.enter(user, at: clock.now) else {
            try? channel.send(
                Failure(.busy, retryAfterMilliseconds: 1000).bytes, until: clock.now.advanced(by: .seconds(1)))
            return
        }
        defer { admission.leave(user) }
        open.withLock { $0[ObjectIdentifier(channel)] = channel }
        defer { leave(channel) }
        let peer: any InspectedPeer
        let identity: ProcessIdentity?
        do throws(Refusal) {
            (peer, identity) = try services.looks.run(of: user) { [inspector] () throws(Refusal) in
                let peer = try inspector.inspect(channel)
                return (peer, peer.identity)
            }
        } catch {
            onVerdict(Verdict(nil, .connection, error, measured: [], .init()))
            try? channel.send(Failure(error.reason).bytes, until: clock.now.advanced(by: .seconds(1)))
            return
        }
        let connection = ValidatorConnection(services, peer, identity, user: user)
        // The app measures itself meanwhile, and looks at this process.
        services.looks.prepare(peer, of: user)
        converse(channel, connection)
    }

    private func leave(_ channel: any MessageChannel) {
        let isLast = open.withLock { open in
            open.removeValue(forKey: ObjectIdentifier(channel))
            return open.isEmpty
        }
        if isLast { onIdle() }
    }

    private func converse(_ channel: any MessageChannel, _ start: ValidatorConnection) {
        let clock = SuspendingClock()
        var connection = start
        perform(connection.begin(at: clock.now), of: connection, over: channel)
        while let deadline = connection.nextDeadline {
            do throws(ChannelError) {
                let received = try channel.receive(until: deadline)
                perform(connection.receive(received, at: clock.now), of: connection, over: channel)
            } catch .timedOut {
                perform(connection.pass(to: clock.now), of: connection, over: channel)
            } catch {
                perform(connection.lose(error), of: connection, over: channel)
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

    /// Waits until those who are being talked with have heard their answer.
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

    /// Ends all conversations. Whoever was told that it is valid is not told otherwise: its session ends by silence.
    public func stop() {
        for channel in open.withLock({ Array($0.values) }) { channel.close() }
    }
}

#if os(Linux)
    extension VigilValidatorEngine {
        /// Serves everybody who connects, until the listener is closed.
        ///
        /// - Throws: `ChannelError`: `failed` if the listener does.
        public func run(_ listener: UnixListener) throws(ChannelError) {
            while true {
                let socket: OwnedDescriptor
                do throws(ChannelError) { socket = try listener.accept() } catch .closed { return }
                let channel = try? UnixSocketChannel(
                    socket, isAccepting: true, frameTime: services.policy.frameTime)
                guard let channel else { continue }
                SystemThread.start { self.serve(channel) }
            }
        }
    }
#endif
