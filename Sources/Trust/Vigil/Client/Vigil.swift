import CodeMeasurement
import Threads

/// An app's link to its validator.
///
///     let vigil = Vigil(
///         configuration: "/opt/example/etc/vigil-app.json", tpm: .standard, logger: Logger(label: "example"))
///     try await vigil.initialize()
///     let report = await vigil.report()
///     guard report.result.isTrusted, let grant = report.grant else { throw NotTrusted(report.reason) }
///     grant.withUnsafeBytes { share in unlock(with: share) }
///
/// A validation that releases nothing can be left out by an attacker who patches the app: use the grant of
/// ``report(timeout:)``.
///
/// Source: `vigil` section 2.3.
public actor Vigil {
    /// The time that a validation may take unless the caller says otherwise.
    public static let defaultTimeout: Duration = .seconds(5)
    /// The version of this library and of the protocol that it speaks.
    public static let version = "2.0.0"

    /// What ``initialize()`` makes.
    struct Loaded: Sendable {
        var client: ValidationClient
        /// The delay that the configuration says.
        var exitDelay: Duration?
    }

    private let load: @Sendable () throws(VigilError) -> Loaded
    private var client: ValidationClient?
    private var monitor: Monitor?
    private let distrust: DistrustResponse
    private let completions = AsyncStream.makeStream(of: VigilReport.self, bufferingPolicy: .bufferingNewest(16))

    /// - Parameters:
    ///   - distrust: what follows where this app or its validator is not to be trusted.
    ///   - makeClient: loads keys, store and manifest; called once, by ``initialize()``.
    package init(
        distrust: DistrustPolicy = DistrustPolicy(),
        _ makeClient: @escaping @Sendable () throws(VigilError) -> ValidationClient
    ) {
        self.init(distrust: distrust, loading: { () throws(VigilError) in Loaded(client: try makeClient()) })
    }

    /// The link of an app that brings its own parts: another channel than an installation's socket, other keys, pins or
    /// ways to look at the validator.
    ///
    /// - Parameters:
    ///   - identity: what the app is and has.
    ///   - endpoint: where the validator answers.
    ///   - pins: the validator that is pinned.
    ///   - inspector: looks at the validator.
    ///   - requiredLevels: what has to be looked at in the validator.
    ///   - distrust: what follows where this app or its validator is not to be trusted.
    public init(
        _ identity: AppIdentity, endpoint: any ValidatorEndpoint, pins: any PinStore, inspector: any PeerInspector,
        requiredLevels: Levels = .requiredByDefault, distrust: DistrustPolicy = DistrustPolicy()
    ) {
        let client = ValidationClient(
            identity, endpoint, pins: pins, inspector: inspector, requiredLevels: requiredLevels)
        self.init(distrust: distrust, loading: { Loaded(client: client) })
    }

    init(distrust: DistrustPolicy, loading load: @escaping @Sendable () throws(VigilError) -> Loaded) {
        self.distrust = DistrustResponse(distrust)
        self.load = load
    }

    deinit {
        monitor?.stop()
        completions.continuation.finish()
    }

    /// Takes keys, store and manifest into use.
    ///
    /// - Throws: ``VigilError``
    public func initialize() throws(VigilError) {
        guard client == nil else { return }
        let loaded = try load()
        distrust.configure(exitDelay: loaded.exitDelay)
        client = loaded.client
    }

    /// Whether ``initialize()`` has succeeded.
    public var isInitialized: Bool { client != nil }

    /// Whether the validator vouches for this app, and this app for the validator. A fresh handshake each time.
    ///
    /// - Parameter timeout: for all of it.
    public func validate(timeout: Duration = defaultTimeout) async -> VigilResult {
        await report(timeout: timeout).result
    }

    /// The same with everything that was found, and the validator's grant.
    public func report(timeout: Duration = defaultTimeout) async -> VigilReport {
        guard let client else {
            let report = VigilReport(
                .error, .internal, findings: [Finding("Vigil is not initialised; call initialize() first")])
            distrust.take(report, since: distrust.generation)
            return report
        }
        let deadline = SuspendingClock().now.advanced(by: timeout)
        let report = await Self.blocking { [distrust] in
            let began = distrust.generation
            let outcome = client.validate(until: deadline)
            outcome.conversation?.close()
            distrust.take(outcome.report, since: began)
            return outcome.report
        }
        completions.continuation.yield(report.withoutGrant)
        return report
    }

    /// What the validator says of this app to a remote verifier, signed by both. A fresh handshake each time. A failure
    /// is distrust as in ``report(timeout:)``, unless the validator gives no evidence, or none now.
    ///
    /// - Parameters:
    ///   - nonce: from the verifier that the evidence is for.
    ///   - audience: the name of that verifier.
    ///   - timeout: for all of it.
    /// - Returns: what is sent there (``EvidenceEnvelope/json``).
    /// - Throws: ``EvidenceFailure``
    ///
    /// Source: `vigil` section 9.4.
    public func evidence(
        nonce: Bytes32, audience: String, timeout: Duration = defaultTimeout
    ) async throws(EvidenceFailure) -> EvidenceEnvelope {
        guard let client else {
            throw .refused(Refusal(.internal, "Vigil is not initialised; call initialize() first"))
        }
        let deadline = SuspendingClock().now.advanced(by: timeout)
        let (result, report) = await Self.blocking { [distrust] in
            Self.evidence(client, distrust, nonce: nonce, audience: Evidence.audience(audience), until: deadline)
        }
        if let report { completions.continuation.yield(report) }
        return try result.get()
    }

    /// - Returns: also the report of what failed, of which `distrust` has taken note.
    private static func evidence(
        _ client: ValidationClient, _ distrust: DistrustResponse, nonce: Bytes32, audience: Bytes32,
        until deadline: Deadline
    ) -> (Result<EvidenceEnvelope, EvidenceFailure>, VigilReport?) {
        let began = distrust.generation
        let outcome = client.validate(until: deadline)
        distrust.take(outcome.report, since: began)
        guard let conversation = outcome.conversation else {
            let refusal = Refusal(outcome.report.reason, "there is no session to ask for evidence in")
            return (.failure(.refused(refusal)), outcome.report.withoutGrant)
        }
        defer { conversation.close() }
        do throws(EvidenceFailure) {
            let envelope = try client.evidence(nonce: nonce, audience: audience, in: conversation, until: deadline)
            return (.success(envelope), nil)
        } catch {
            // The session has ended with it.
            let report = error.report
            if let report { distrust.take(report, since: distrust.generation) }
            return (.failure(error), report)
        }
    }

    /// Every report, as it comes, without its grant: a report that is not read would keep it. For one reader.
    public nonisolated var validationDidComplete: AsyncStream<VigilReport> { completions.stream }

    /// Goes on asking, and reports when the validator takes its word back. One monitor at a time.
    ///
    /// - Parameter onChange: is told of the first report and of each that is not like the one before, on a thread of
    ///   the monitor.
    /// - Throws: ``VigilError`` before ``initialize()``, for a policy whose questions do not fit into a session, and
    ///   where no thread can be made: nothing is monitored then.
    public func startMonitoring(
        _ policy: MonitorPolicy = MonitorPolicy(), onChange: @escaping @Sendable (VigilReport) -> Void
    ) throws(VigilError) {
        guard let client else {
            throw VigilError(.internalFailure, "Vigil is not initialised; call initialize() first")
        }
        guard policy.fits(into: policy.sessionTime) else {
            throw VigilError(
                .validatorNotConfigured, "the interval with its jitter and the timeout have to be less than sessionTime"
            )
        }
        monitor?.stop()
        self.monitor = nil
        let completions = completions.continuation
        let monitor = Monitor(client, policy: policy, distrust: distrust) { report in
            completions.yield(report.withoutGrant)
            onChange(report)
        }
        guard monitor.start() else {
            throw VigilError(
                .internalFailure, "the system has no thread for the monitor; end what takes them, or raise their limit")
        }
        self.monitor = monitor
    }

    /// Stops asking; nothing is reported from then on.
    public func stopMonitoring() {
        monitor?.stop()
        monitor = nil
    }

    /// Whether a validator is pinned and answers.
    public var validatorStatus: VigilValidatorStatus {
        get async {
            guard let client else { return .unknown }
            return await Self.blocking { client.status(within: .seconds(1)) }
        }
    }

    /// Validations block, each on a thread of its own: none waits for another, and none takes one of those that all
    /// tasks share. Where no thread can be made they are over at once, on whichever this is.
    private static func blocking<R: Sendable>(_ work: @escaping @Sendable () -> R) async -> R {
        await withCheckedContinuation { continuation in
            SystemThread.startOrRun { continuation.resume(returning: work()) }
        }
    }
}

extension ValidationClient {
    /// Whether a validator is pinned and says hello.
    package func status(within time: Duration) -> VigilValidatorStatus {
        let deadline = SuspendingClock().now.advanced(by: time)
        let found = try? TimeLimit.ofClients.run(until: deadline) { status(until: deadline) }
        return found ?? .unknown
    }

    private func status(until deadline: Deadline) -> VigilValidatorStatus {
        do throws(Refusal) {
            guard case .active = try pins.pin(of: .validator) else { return .notConfigured }
        } catch {
            return .unknown
        }
        do throws(ChannelError) {
            let channel = try endpoint.connect(until: deadline)
            defer { channel.close() }
            // Its challenge comes unasked.
            _ = try channel.receive(until: deadline)
            return .running
        } catch {
            return .notRunning
        }
    }
}
