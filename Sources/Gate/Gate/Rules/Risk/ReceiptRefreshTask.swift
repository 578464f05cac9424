internal import AppAttest

/// Asks for newer receipts, one after the other, and keeps what they say of the devices.
///
///     var task = ReceiptRefreshTask(gate, service: service, verifier: verifiers)
///     while true { try await Task.sleep(for: await task.step()) }
///
/// It stands beside the decisions and never in their way: what fails here leaves the receipt that is kept, and everyone
/// gets in as before. Several gates on one store take different keys; a gate that ends in between gives its keys back
/// by doing nothing.
/// Source: `appattest-gate` section 3.11.
struct ReceiptRefreshTask: Sendable {
    /// How many keys are taken from the store at a time, and for how long no other gate gets them.
    static let claimCount = 16
    static let lease = Duration.seconds(600)
    /// How long to rest when no receipt is due.
    static let idleTime = Duration.seconds(60)

    private let gate: AccessControl
    private let service: any ReceiptService
    private let verifier: any ReceiptVerifying
    /// What is due, and when again. A wall clock that is ahead for a while would put receipts off for as long as it was
    /// ahead, in most cases beyond their end.
    private var time: CautiousTime
    private var pace = RiskPace()
    private var claimed: [AttestedKey] = []
    /// When the claim of the keys ends.
    private var leaseEnd = Timestamp(milliseconds: 0)

    init(_ gate: AccessControl, service: any ReceiptService, verifier: any ReceiptVerifying) {
        self.gate = gate
        self.service = service
        self.verifier = verifier
        time = CautiousTime(gate.parts.clock)
    }

    /// Asks about one key, if one is due.
    ///
    /// - Returns: how long to wait before the next step.
    mutating func step() async -> Duration {
        do throws(Refusal) {
            guard let key = try await next() else { return Self.idleTime }
            return pause(after: try await refresh(key))
        } catch {
            // The store: logged and counted where it failed.
            gate.metrics.riskRefreshes.add(.postponed)
            return pause(after: .postponed)
        }
    }

    private mutating func pause(after result: RefreshResult) -> Duration {
        let random = gate.parts.random.bytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return pace.pause(after: result, random: random)
    }

    private mutating func next() async throws(Refusal) -> AttestedKey? {
        time.renew()
        let now = time.earlier
        if now >= leaseEnd { claimed = [] }
        if claimed.isEmpty {
            let end = now + Self.lease
            claimed = try await gate.ask(.claimReceipts) { [gate] in
                try await gate.parts.keys.claimDueReceipts(now: now, until: end, limit: Self.claimCount)
            }
            leaseEnd = end
        }
        return claimed.isEmpty ? nil : claimed.removeFirst()
    }

    // MARK: One key

    private func refresh(_ key: AttestedKey) async throws(Refusal) -> RefreshResult {
        guard let old = key.receipt else { return .superseded }
        let (result, detail) = try await exchange(old, of: key)
        // A gate that ends cuts its questions off, which is nobody's failure.
        guard !Task.isCancelled else { return result }
        gate.metrics.riskRefreshes.add(result)
        if let detail { note(.riskRefreshFailed, result == .unauthorized ? .error : .warning, of: key, detail: detail) }
        return result
    }

    private func exchange(
        _ old: StoredReceipt, of key: AttestedKey
    ) async throws(Refusal) -> (result: RefreshResult, detail: String?) {
        let answer: ReceiptRefresh.Answer
        do throws(ReceiptServiceFailure) {
            answer = try await service.answer(to: old.bytes, key.environment, now: time.wall)
        } catch {
            return (.unreachable, "no answer: \(error.reason)")
        }
        switch answer {
        case .receipt(let bytes): return try await keep(bytes, inPlaceOf: old, of: key)
        case .tooEarly:
            try await postpone(old, of: key, to: time.earlier + RiskSchedule.leastWait)
            return (.tooEarly, nil)
        case .refused: return try await giveUp(old, of: key, because: .refused, detail: "the receipt is refused (400)")
        case .unknown:
            return try await giveUp(old, of: key, because: .unknown, detail: "there is no data on the receipt (404)")
        case .unauthorized:
            // If it is the key's own team that the token is not for, the others must not wait behind it for ever.
            return try await giveUp(
                old, of: key, because: .unauthorized,
                detail: "the token is refused (401): look at RISK_KEY_PATH, RISK_KEY_ID and the team")
        case .slowDown: return (.slowDown, "too many requests (429)")
        case .unavailable: return (.unavailable, "the service fails")
        case .unexpected(let status): return (.unexpected, "an answer that the protocol does not have (\(status))")
        }
    }

    private func keep(
        _ bytes: [UInt8], inPlaceOf old: StoredReceipt, of key: AttestedKey
    ) async throws(Refusal) -> (RefreshResult, String?) {
        var new: StoredReceipt
        do throws(VerificationFailure) {
            new = try await gate.timed(.receipt) { () throws(VerificationFailure) in
                try await verifier.verify(receipt: bytes, of: key, now: time.wall)
            }
        } catch .rejected(let code) {
            return try await giveUp(
                old, of: key, because: .rejected, detail: "the new receipt is not good: \(code.rawValue)")
        } catch {
            return (.postponed, "the new receipt could not be verified now")
        }
        let soonest = time.earlier + RiskSchedule.leastWait
        new.notBefore = max(new.notBefore ?? soonest, soonest)
        guard try await replace(old, of: key, by: new) else { return (.superseded, nil) }
        noteMetric(of: key, in: new)
        return (.refreshed, nil)
    }

    private func giveUp(
        _ old: StoredReceipt, of key: AttestedKey, because result: RefreshResult, detail: String
    ) async throws(Refusal) -> (RefreshResult, String?) {
        try await postpone(old, of: key, to: time.earlier + RiskSchedule.refusedWait)
        return (result, detail)
    }

    /// Keeps the receipt, to be asked about again later.
    private func postpone(_ old: StoredReceipt, of key: AttestedKey, to time: Timestamp) async throws(Refusal) {
        var later = old
        later.notBefore = time
        _ = try await replace(old, of: key, by: later)
    }

    private func replace(
        _ old: StoredReceipt, of key: AttestedKey, by new: StoredReceipt
    ) async throws(Refusal) -> Bool {
        try await gate.ask(.updateReceipt) {
            try await gate.parts.keys.updateReceipt(key.id, expecting: old.bytes, new: new)
        }
    }

    // MARK: The log

    private func noteMetric(of key: AttestedKey, in receipt: StoredReceipt) {
        note(.riskRefreshed, .info, of: key)
        guard let metric = receipt.riskMetric else { return }
        gate.metrics.riskMetrics.observe(UInt64(max(0, metric)))
        switch gate.rules.risk.judge(metric) {
        case .fine: break
        case .flagged: note(.riskFlagged, .warning, of: key, detail: "\(metric) keys on its device")
        case .denied: note(.riskDenied, .warning, of: key, detail: "\(metric) keys on its device")
        }
    }

    private func note(
        _ name: GateEvent.Name, _ level: GateEvent.Level, of key: AttestedKey, detail: String? = nil
    ) {
        gate.parts.events.record(
            GateEvent(name, level).with {
                $0.key = KeyName(key.id)
                $0.detail = detail.map { SafeText($0) }
            })
    }
}
