internal import WebSocketFrames

/// Everything that the gate counts.
///
/// It stands by itself rather than behind a general front end for metrics: such a front end takes names and labels as
/// free text and looks each up, here the sets are types and a count is one atomic addition.
/// Source: `appattest-gate` section 3.12.
struct GateMetrics: Sendable {
    let challenges = CounterFamily<ChallengeResult>(
        name: "gate_challenges_total", help: "Challenges asked for.")
    let registrations = CounterFamily2<RegistrationResult, OutcomeReason>(
        name: "gate_registrations_total", help: "Registrations of keys.")
    let upgrades = ReasonedCounterFamily<AuthenticationMethod, UpgradeResult, OutcomeReason>(
        name: "gate_upgrades_total", help: "Connections and forwarded questions that were decided.")
    let connections = GaugeFamily<ConnectionState>(name: "gate_connections", help: "Connections by state.")
    let waitingDropped = CounterFamily<DropReason>(
        name: "gate_waiting_dropped_total", help: "Connections cut before anybody was let in, to make room.")
    let relays = CounterFamily<RelayKind>(
        name: "gate_relays_total", help: "Connections let through, by what the gate reads of them.")
    let frames = CounterFamily2<Direction, FrameOpcode>(name: "gate_frames_total", help: "WebSocket frames.")
    let bytes = CounterFamily<Direction>(name: "gate_bytes_total", help: "Bytes behind the handshakes.")
    let closes = CounterFamily2<CloseSide, CloseCode?>(
        name: "gate_close_total", help: "Ends of connections, by who began them.")
    let nonces = GaugeMetric(name: "gate_nonces", help: "Nonces kept.")
    let keys = GaugeMetric(name: "gate_keys", help: "Keys kept.")
    let verifications = HistogramFamily<VerificationKind>(
        name: "gate_verify_seconds", help: "Time of verifications.")
    let upstreamConnects = HistogramMetric.seconds()
    let upstreamErrors = CounterFamily<UpstreamError>(
        name: "gate_upstream_errors_total", help: "Failures of the upstream.")
    let storeTimes = HistogramFamily<StoreOperation>(
        name: "gate_store_seconds", help: "Time of store operations.")
    let storeErrors = CounterFamily<StoreOperation>(
        name: "gate_store_errors_total", help: "Store operations that failed.")
    let rateLimited = CounterFamily<LimiterName>(
        name: "gate_rate_limited_total", help: "What a limit kept out.")
    let keyShares = CounterFamily<LimiterName>(
        name: "gate_key_shares_total",
        help: "What passed on a key's own share, behind an address that had spent its allowance.")
    let counterRegressions = CounterMetric(
        name: "gate_counter_regressions_total", help: "Good signatures with a counter that did not rise.")
    let certificateExpiry = GaugeMetric(
        name: "gate_tls_certificate_expiry_seconds", help: "When the TLS certificate expires, in seconds since 1970.")
    let eventLoopLag = HistogramMetric.seconds()
    let riskMetrics = HistogramMetric(bounds: [1, 2, 3, 5, 10, 20, 50, 100], scale: 1)
    let riskRefreshes = CounterFamily<RefreshResult>(
        name: "gate_risk_refreshes_total", help: "Questions for newer receipts, by what came of them.")
    let riskVerdicts = CounterFamily<RiskPolicy.Verdict>(
        name: "gate_risk_verdicts_total", help: "Good assertions, by what the risk policy says of their keys.")

    let accounts = CounterFamily<AccountResult>(
        name: "gate_accounts_total", help: "Good assertions, by what the service's account came to.")

    let deviceChecks = CounterFamily<DeviceCheckResult>(
        name: "gate_device_checks_total", help: "Registrations, by what Apple says of the device.")
    let deviceBans = CounterFamily<DeviceCheckResult>(
        name: "gate_device_bans_total", help: "Bans of devices, by what Apple said to them.")

    init() {}

    /// What the process uses of the machine, as far as it can be read.
    struct ProcessFacts: Sendable {
        var cpuTime: Duration
        var residentBytes: Int
        var openFiles: Int
        var startTime: Timestamp
    }

    /// All metrics in the text format of Prometheus, version 0.0.4.
    func exposition(process: ProcessFacts? = nil) -> String {
        var text = MetricText()
        text.counters(challenges)
        text.counters(registrations)
        text.counters(upgrades)
        text.gauges(connections)
        text.counters(waitingDropped)
        text.counters(relays)
        text.counters(frames)
        text.counters(bytes)
        text.counters(closes)
        text.gauge(nonces)
        text.gauge(keys)
        text.histograms(verifications)
        text.histogram(
            upstreamConnects, name: "gate_upstream_connect_seconds", help: "Time of connecting to the upstream.")
        text.counters(upstreamErrors)
        text.histograms(storeTimes)
        text.counters(storeErrors)
        text.counters(rateLimited)
        text.counters(keyShares)
        text.counter(counterRegressions)
        text.gauge(certificateExpiry)
        text.histogram(
            eventLoopLag, name: "gate_event_loop_lag_seconds", help: "How late event loops ran what was due.")
        text.histogram(
            riskMetrics, name: "gate_risk_metric", help: "Keys attested for a device in about 30 days, by receipt.")
        text.counters(riskRefreshes)
        text.counters(riskVerdicts)
        text.counters(accounts)
        text.counters(deviceChecks)
        text.counters(deviceBans)
        if let process { text.process(process) }
        return text.content
    }
}
