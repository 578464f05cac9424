internal import AppAttest
internal import NIOCore
internal import NIOHTTP1
internal import Synchronization
internal import TextForms

/// The sender of a request, and the name of the request.
struct Visitor: Sendable {
    /// The address of the socket's other end, or that of the PROXY preamble.
    let peer: IPAddress
    let isPeerTrusted: Bool
    /// Whose limits count: the peer's own address, or the one that a trusted proxy tells.
    let client: IPAddress
    let certificate: PeerCertificate?
    let requestID: RequestID

    init(
        peer: IPAddress, headers: HTTPHeaders, certificate: PeerCertificate? = nil, requestID: RequestID,
        by rule: ClientAddressRule
    ) {
        self.peer = peer
        isPeerTrusted = rule.trusted.contains(peer)
        client = rule.client(peer: peer, headers: headers)
        self.certificate = certificate
        self.requestID = requestID
    }
}

/// Decides who gets in.
///
/// It knows no sockets: it takes heads of requests, asks the stores and the verifiers, and gives answers. Its own state
/// are limits, counts and two flags; every part of it may be used from any thread.
/// Source: `appattest-gate` sections 3.1 to 3.5.
final class AccessControl: Sendable {
    struct Parts: Sendable {
        var keys: any KeyStore
        var nonces: NonceIssuer
        var attestations: any AttestationVerifying
        var assertions: any AssertionVerifying
        var clock: any GateClock
        var random: any RandomSource
        var events: any EventSink
        /// The names of accounts; nil where keys are not bound to accounts.
        var accounts: AccountNames?
        /// The service for the bits of devices; nil where Apple is not asked about devices.
        var devices: (any DeviceBitsService)?

        init(
            keys: any KeyStore, nonces: NonceIssuer, attestations: any AttestationVerifying,
            assertions: any AssertionVerifying, clock: any GateClock, random: any RandomSource, events: any EventSink
        ) {
            self.keys = keys
            self.nonces = nonces
            self.attestations = attestations
            self.assertions = assertions
            self.clock = clock
            self.random = random
            self.events = events
        }
    }

    let rules: GateConfiguration.DecisionRules
    let metrics: GateMetrics
    let caps: ConnectionCaps
    let parts: Parts
    private let live: Mutex<LiveRules>
    let deviceTokens = Mutex(DeviceTokens())
    let openDeviceChecks = Atomic(0)
    private let isDrainingFlag = Atomic(false)
    /// Failures in a row, of each store by itself: one that works does not speak for the other. What a store answers
    /// from memory does not speak for its disk either: of checks, only a check ends the row. Nor does a nonce store
    /// speak for its room by what it forgets and counts: that it keeps or gives back a nonce ends the row.
    private let keyStoreFailures = Atomic(0)
    private let keyStoreFailedChecks = Atomic(0)
    private let nonceStoreFailures = Atomic(0)
    /// When the tables of a database are to be counted again.
    private let nextCounts = Mutex((keys: NIODeadline.uptimeNanoseconds(0), nonces: NIODeadline.uptimeNanoseconds(0)))

    /// What a reload may change, and what the limits have counted.
    private struct LiveRules: Sendable {
        var settings: GateConfiguration.Reloadable
        var challenges: RateLimiter
        var registrations: RateLimiter
        var failures: RateLimiter
        var shares: KeyShares
    }

    enum Limiter { case challenge, register, failedAuthentication }

    /// - Parameter limits: in place of the configuration's, where the process can have less than those.
    init(
        _ configuration: GateConfiguration, limits: ConnectionCaps.Limits? = nil, parts: Parts,
        metrics: GateMetrics = GateMetrics()
    ) {
        rules = configuration.decisionRules
        self.parts = parts
        self.metrics = metrics
        caps = ConnectionCaps(limits ?? configuration.connectionLimits)
        let settings = configuration.reloadable
        live = Mutex(
            LiveRules(
                settings: settings, challenges: RateLimiter(settings.challengeRate),
                registrations: RateLimiter(settings.registerRate), failures: RateLimiter(settings.failedAuthRate),
                shares: KeyShares(settings.keyShareRate)))
    }

    /// Takes over what may change without a restart. Established connections live on.
    func reload(_ settings: GateConfiguration.Reloadable) {
        live.withLock { live in
            live.settings = settings
            live.challenges.change(to: settings.challengeRate)
            live.registrations.change(to: settings.registerRate)
            live.failures.change(to: settings.failedAuthRate)
            live.shares.change(to: settings.keyShareRate)
        }
        parts.events.record(GateEvent(.reloaded))
    }

    /// The settings as the last reload left them.
    var settings: GateConfiguration.Reloadable { live.withLock(\.settings) }

    /// Lets no upgrade through from now on. There is no way back.
    func beginDraining() { isDrainingFlag.store(true, ordering: .releasing) }

    var isDraining: Bool { isDrainingFlag.load(ordering: .acquiring) }

    func requestID() -> RequestID { RequestID(parts.random) }

    func route(_ head: HTTPRequestHead) -> RequestAction {
        Router(
            hasAttestation: rules.hasAttestation, forwardAuthPath: rules.forwardAuthPath, paths: settings.paths
        ).route(head)
    }

    // MARK: Limits

    /// - Returns: a refusal if the client has had what it may have.
    func limit(_ limiter: Limiter, _ client: IPAddress) -> Refusal? {
        let now = parts.clock.uptime
        let key = ClientKey(client)
        let (name, wait): (LimiterName, Duration?) = live.withLock { live in
            switch limiter {
            case .challenge: (.challenge, live.challenges.take(key, at: now))
            case .register: (.register, live.registrations.take(key, at: now))
            case .failedAuthentication: (.failedAuthentication, live.failures.take(key, at: now))
            }
        }
        guard let wait else { return nil }
        metrics.rateLimited.add(name)
        return .rateLimited(retryAfter: wait)
    }

    /// After which time a client may fail once more; nil if now. Nothing is counted.
    func failureWait(of client: IPAddress) -> Duration? {
        let now = parts.clock.uptime
        return live.withLock { $0.failures.wait(of: ClientKey(client), at: now) }
    }

    /// Notes that somebody signed with a key: from now on it has a share of its own, or no longer.
    func noteProven(_ key: KeyID, isGood: Bool) { live.withLock { $0.shares.note(key, isGood: isGood) } }

    /// Whether a key that a request names has signed at this gate before.
    func isProven(_ key: KeyID) -> Bool { live.withLock { $0.shares.isProven(key) } }

    /// Lets a request pass on the share of the key that it names, where its address has had what it may have.
    ///
    /// Nobody is told whether there is such a key: the refusal stays what it was.
    func takeShare(of key: KeyID, from client: IPAddress, for limiter: LimiterName) async throws(Refusal) -> Bool {
        let now = parts.clock.uptime
        let isLocal = parts.keys.isLocal
        let (isProven, maySearch) = live.withLock { live -> (Bool, Bool) in
            guard !live.shares.isOff else { return (false, false) }
            let isProven = live.shares.isProven(key)
            return (isProven, !isProven && (isLocal || live.shares.search(for: ClientKey(client), at: now)))
        }
        if !isProven {
            guard maySearch else { return false }
            let record = try await ask(.get) { try await parts.keys.key(key) }
            guard let record, record.revocation == nil, rules.environments.contains(record.environment) else {
                return false
            }
        }
        guard live.withLock({ $0.shares.take(key, for: limiter, at: now) }) == nil else { return false }
        metrics.keyShares.add(limiter)
        return true
    }

    // MARK: Stores

    static let failuresUntilNotReady = 3

    /// Whether a store has failed so often in a row that others should serve.
    var isStoreFailing: Bool {
        let failures = [
            keyStoreFailures.load(ordering: .relaxed), keyStoreFailedChecks.load(ordering: .relaxed),
            nonceStoreFailures.load(ordering: .relaxed),
        ]
        return failures.contains { $0 >= Self.failuresUntilNotReady }
    }

    private func noteStore(_ operation: StoreOperation, hasFailed: Bool) {
        switch (operation, hasFailed) {
        case (.check, false):
            keyStoreFailures.store(0, ordering: .relaxed)
            keyStoreFailedChecks.store(0, ordering: .relaxed)
        case (.check, true):
            keyStoreFailures.wrappingAdd(1, ordering: .relaxed)
            keyStoreFailedChecks.wrappingAdd(1, ordering: .relaxed)
        case (_, true) where operation.isOfNonces: nonceStoreFailures.wrappingAdd(1, ordering: .relaxed)
        case (.sweepNonces, false), (.countNonces, false): break
        // A sealed one is issued without the store.
        case (.putNonce, false) where parts.nonces.seals: break
        case (_, false) where operation.isOfNonces: nonceStoreFailures.store(0, ordering: .relaxed)
        case (_, true): keyStoreFailures.wrappingAdd(1, ordering: .relaxed)
        case (.count, false): break
        case (_, false): keyStoreFailures.store(0, ordering: .relaxed)
        }
    }

    /// Asks a store. Where it fails with any error, the request is refused.
    func ask<Value>(
        _ operation: StoreOperation, _ body: () async throws -> Value
    ) async throws(Refusal) -> Value {
        let start = parts.clock.uptime
        do {
            let value = try await body()
            metrics.storeTimes.observe(parts.clock.uptime - start, operation)
            noteStore(operation, hasFailed: false)
            return value
        } catch {
            metrics.storeErrors.add(operation)
            noteStore(operation, hasFailed: true)
            parts.events.record(
                GateEvent(.storeFailed, .error).with { $0.detail = SafeText("\(operation): \(error)") })
            throw Refusal(.storeUnavailable)
        }
    }

    private static let keyCountInterval = TimeAmount.seconds(600)
    private static let nonceCountInterval = TimeAmount.seconds(10)

    /// What is counted now: in memory anything, but a database reads a whole table for it.
    private func dueCounts() -> (keys: Bool, nonces: Bool) {
        let now = parts.clock.uptime
        return nextCounts.withLock { next in
            let due = (
                keys: parts.keys.isLocal || next.keys <= now, nonces: !parts.nonces.isShared || next.nonces <= now
            )
            if due.keys { next.keys = now + Self.keyCountInterval }
            if due.nonces { next.nonces = now + Self.nonceCountInterval }
            return due
        }
    }

    /// Forgets expired nonces, and notes how many nonces and keys there are, of a database less often. To be called
    /// every second or so: it is also how a gate without requests finds out that its stores are back.
    func sweepStores() async {
        // Each by itself: what one store fails with is no news of the other.
        try? await ask(.check) { try await parts.keys.check() }
        do throws(Refusal) {
            try await ask(.sweepNonces) { try await parts.nonces.sweep() }
            if nonceStoreFailures.load(ordering: .relaxed) > 0 {
                try await ask(parts.nonces.seals ? .consumeNonce : .putNonce) { try await parts.nonces.probe() }
            }
            let due = dueCounts()
            if due.nonces { metrics.nonces.set(try await ask(.countNonces) { try await parts.nonces.count() }) }
            if due.keys { metrics.keys.set(try await ask(.count) { try await parts.keys.count() }) }
        } catch {
            // Logged and counted where it happened; the next call may fare better.
        }
    }

    /// Which of these keys, whose connections are open, get in no more. Where the store does not say, none.
    func withdrawn(of keys: [KeyID]) async -> [KeyID] {
        let found = try? await ask(.withdrawn) { try await parts.keys.withdrawn(of: keys) }
        return found ?? []
    }

    /// Notes that the keys are in use whose connections are open: they are not idle, however long ago they signed. To
    /// be called every minute or so.
    func noteUse() async {
        let (keys, now) = (caps.keys, parts.clock.now)
        guard !keys.isEmpty else { return }
        try? await ask(.noteUse) { try await parts.keys.noteUse(of: keys, now: now) }
    }

    /// Runs a verification and records how long it took.
    func timed<Value>(
        _ kind: VerificationKind, _ body: () async throws(VerificationFailure) -> Value
    ) async throws(VerificationFailure) -> Value {
        let start = parts.clock.uptime
        defer { metrics.verifications.observe(parts.clock.uptime - start, kind) }
        return try await body()
    }

    // MARK: Answers

    /// The answer to a refusal, noted in the log.
    func answer(
        _ refusal: Refusal, to visitor: Visitor, key: KeyID? = nil
    ) -> Answer {
        note(refusal, of: visitor, key: key)
        return refusal.answer(requestID: visitor.requestID, showsReason: rules.showsReasons)
    }

    func note(_ refusal: Refusal, of visitor: Visitor, key: KeyID?) {
        let level: GateEvent.Level = refusal.code == .notFound ? .debug : .info
        parts.events.record(
            GateEvent(.refused, level, of: visitor).with {
                $0.key = key.map(KeyName.init)
                $0.code = refusal.code
                $0.reason = refusal.reason
            })
    }

    /// Answers by what the gate found out last, each second (``sweepStores()``) and for its clients: anybody may ask
    /// as often as he likes, and no store is asked for it.
    ///
    /// - Returns: whether a connection may be let through now, for a balancer between gates.
    func ready(isHead: Bool = false) -> Answer {
        if isDraining { return Answer(status: 503, json: #"{"status":"draining"}"#).withoutBody(isHead) }
        guard !isStoreFailing else {
            return Answer(status: 503, json: #"{"status":"store_unavailable"}"#).withoutBody(isHead)
        }
        return Answer(status: 200, json: #"{"status":"ready"}"#).withoutBody(isHead)
    }
}
