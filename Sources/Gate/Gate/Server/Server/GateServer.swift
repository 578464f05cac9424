public import AppAttest
internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// A gate on its sockets: the listener for apps, the listener for operators, and everything that stands between them
/// and the rules.
///
///     let configuration = try GateConfiguration(environment: ProcessInfo.processInfo.environment)
///     let log = EventLog(for: configuration) { print($0) }
///     let stores = try await Stores.open(for: configuration)
///     let server = try GateServer(configuration, stores: stores, log: log)
///     let places = try await server.start()
///     …
///     await server.drain()  // on SIGTERM; returns when all is stopped and the stores are closed
///
/// Each connection lives on one event loop, and so does its upstream: what passes through it meets no other thread.
/// Where the upstream is a WebSocket service, that loop is a relay's thread on Linux (``RelayLoop``).
/// Source: `appattest-gate` sections 3, 4 and 6.
public final class GateServer: Sendable {
    /// What a server is given beside its configuration.
    package struct Parts: Sendable {
        package var keys: any KeyStore
        package var nonces: any NonceStore
        package var events: any EventSink
        package var clock: any GateClock = SystemClock()
        var random: any RandomSource = SystemRandomSource()
        var metrics = GateMetrics()
        /// Roots in place of Apple's and of those that the configuration names.
        package var anchors: TrustAnchors?
        /// A service in place of Apple's for receipts and devices.
        var receiptService: ReceiptServicePlace?
        /// How long a connection may wait for its next request.
        var requestPause = Duration.seconds(30)
        /// Whether connections may live on threads of the gate's own.
        var usesSockets = true
        /// How often the store is asked how the keys stand whose connections are open.
        var standingInterval = Duration.seconds(1)
        /// The version that a telnet server reads of this program.
        package var version = "1"

        package init(keys: any KeyStore, nonces: any NonceStore, events: any EventSink) {
            self.keys = keys
            self.nonces = nonces
            self.events = events
        }
    }

    let configuration: GateConfiguration
    let gate: AccessControl
    let parts: Parts
    let verifiers: AppVerifiers
    let group: MultiThreadedEventLoopGroup
    let pool: NIOThreadPool
    let connections = OpenConnections()
    let waiting: PendingConnections
    /// The TLS of the listener for apps; nil for plain text.
    let tls: ServerTLS?
    let dialer: UpstreamDialer
    let relays: SocketRelays?
    let adminAccess: AdminAuthoriser.Access
    /// The access to Apple's services; nil where Apple is asked for nothing.
    let receipts: ReceiptServiceAccess?
    let life = Mutex(Life())

    /// What changes between start and stop.
    struct Life: Sendable {
        var phase = Phase.new
        var listeners: [any Channel] = []
        var background: [Task<Void, Never>] = []
        var waiting: [CheckedContinuation<Void, Never>] = []

        enum Phase { case new, serving, draining, stopped }
    }

    /// Reads what the configuration names: certificates, roots, secrets.
    ///
    /// - Parameters:
    ///   - configuration: all settings, checked.
    ///   - stores: where keys and nonces are kept; closed when the server has been drained.
    ///   - log: where events go.
    /// - Throws: ``GateServerError`` with the setting whose file cannot be used.
    public convenience init(
        _ configuration: GateConfiguration, stores: Stores, log: EventLog
    ) throws(GateServerError) {
        try self.init(configuration, parts: Parts(keys: stores.keys, nonces: stores.nonces, events: log))
    }

    /// Reads what the configuration names: certificates, roots, secrets.
    ///
    /// - Throws: ``GateServerError`` with the setting whose file cannot be used.
    package init(_ configuration: GateConfiguration, parts: Parts) throws(GateServerError) {
        self.configuration = configuration
        self.parts = parts
        tls = try configuration.listener.tls.map { (settings) throws(GateServerError) in try ServerTLS(settings) }
        let threads = configuration.eventLoops ?? System.coreCount
        dialer = try UpstreamDialer(configuration.upstream)
        adminAccess = try AdminAuthoriser.Access(configuration.admin)
        receipts = try ReceiptServiceAccess(configuration.risk, parts.receiptService)
        let issuer = try NonceIssuer(configuration, parts)
        let accounts = try AccountNames(configuration)
        let workers = System.coreCount
        pool = NIOThreadPool(numberOfThreads: workers)
        verifiers = try AppVerifiers(configuration, anchors: parts.anchors, AttestationQueue(pool, workers: workers))
        group = MultiThreadedEventLoopGroup(numberOfThreads: threads)
        let usesSockets = parts.usesSockets && configuration.takesSocketsOver
        relays = usesSockets ? SocketRelays(count: threads) : nil
        let budget = DescriptorBudget(
            configuration, limit: DescriptorBudget.limit, loops: threads,
            // The connection that listens takes two.
            databases: configuration.stores.keys.isShared || configuration.stores.nonces.isShared
                ? 2 * configuration.stores.pool + 2 : 0)
        for warning in configuration.warnings {
            parts.events.record(GateEvent(.configurationWarning, .warning, detail: "\(warning)"))
        }
        for notice in configuration.notices {
            parts.events.record(GateEvent(.framesUnread, .warning, detail: "\(notice)"))
        }
        for warning in budget.warnings(configuration) { parts.events.record(warning) }
        waiting = PendingConnections(
            budget.waiting, cuts: configuration.waiting.perClient, metrics: parts.metrics, events: parts.events)
        var rules = AccessControl.Parts(
            keys: parts.keys, nonces: issuer, attestations: verifiers, assertions: verifiers, clock: parts.clock,
            random: parts.random, events: parts.events)
        rules.accounts = accounts
        if configuration.decisionRules.devices != .off, let receipts {
            rules.devices = AppleDeviceService(access: receipts, group: group, random: parts.random)
        }
        gate = AccessControl(configuration, limits: budget.connections, parts: rules, metrics: parts.metrics)
        if let tls { parts.metrics.certificateExpiry.set(Int(tls.expiry.seconds)) }
    }

    /// Where a server listens.
    public struct Places: Equatable, Sendable {
        /// The port of the listener for apps.
        public let port: Int
        /// The port of the operators' listener; nil where it is off or a Unix socket.
        public let adminPort: Int?
    }

    /// Opens the listeners.
    ///
    /// - Returns: the ports, which the system chose where the configuration says 0.
    public func start() async throws(GateServerError) -> Places {
        guard life.withLock({ $0.begin() }) else { throw .alreadyStarted }
        pool.start()
        let loops = LoopStates(allLoops) { [gate, configuration, connections, parts] loop in
            let sessions = SessionContext(
                gate: gate, configuration: configuration, connections: connections, events: parts.events, on: loop)
            return LoopState(sessions, version: parts.version)
        }
        let places: Places
        do throws(GateServerError) {
            let listener = try await listen(loops)
            let admin = try await listenForOperators()
            places = Places(
                port: listener.localAddress?.port ?? configuration.listener.port, adminPort: admin?.localAddress?.port)
        } catch {
            await stop()
            throw error
        }
        startBackground()
        parts.events.record(GateEvent(.started))
        return places
    }

    /// The event loops on which connections for apps may live.
    private var allLoops: [any EventLoop] {
        let loops: [any EventLoop] = Array(group.makeIterator())
        #if os(Linux)
            return loops + (relays?.loops ?? [])
        #else
            return loops
        #endif
    }

    /// All metrics in the text format of Prometheus, version 0.0.4.
    public func metrics() -> String { gate.metrics.exposition(process: .now()) }

    /// Lets no upgrade through from now on, as the first step of ``drain()`` does.
    package func refuseUpgrades() { gate.beginDraining() }

    /// Returns when the server has stopped.
    public func stopped() async {
        await withCheckedContinuation { continuation in
            let isOver = life.withLock { life in
                guard life.phase != .stopped else { return true }
                life.waiting.append(continuation)
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    /// Takes over what may change while the server runs, and reads the certificate anew. Established connections live
    /// on.
    ///
    /// - Returns: settings that differ and wait for a restart.
    public func reload(_ new: GateConfiguration) async -> [String] {
        let (settings, needRestart) = configuration.reloading(new)
        do throws(GateServerError) {
            try verifiers.reload(settings.lists)
        } catch {
            parts.events.record(GateEvent(.reloadFailed, .error, detail: "\(error)"))
            return needRestart
        }
        gate.reload(settings)
        if let tls {
            let settings = new.listener.tls
            _ = try? await pool.runIfActive { [self] in reloadCertificate(tls, settings) }
        }
        return needRestart
    }
}

extension GateServer.Life {
    package mutating func begin() -> Bool {
        guard phase == .new else { return false }
        phase = .serving
        return true
    }
}

/// Why a server does not start.
public enum GateServerError: Error, Equatable, Sendable {
    /// A file that a setting names cannot be used.
    case setting(SettingName, String)
    /// An address cannot be listened at.
    case listen(place: String, reason: String)
    case verifier(VerifierSetupError)
    case alreadyStarted
}

extension GateServerError: CustomStringConvertible {
    /// What is wrong, and what to do.
    public var description: String {
        switch self {
        case .setting(let name, let reason): "\(name.rawValue): \(reason)"
        case .listen(let place, let reason): "Cannot listen at \(place): \(reason). Choose another address or port."
        case .verifier(let error): "\(error)"
        case .alreadyStarted: "The server was started already."
        }
    }
}
