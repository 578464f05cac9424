import AppAttest
import Synchronization
import Testing

@testable import Gate

@Suite("Risk")
struct RiskTests {
    private func key(notBefore: Timestamp?, expires: Timestamp?, receipt: Bool = true, revoked: Bool = false) throws
        -> AttestedKey
    {
        AttestedKey(
            id: .zero, appID: try #require(FormVerifier.appID), environment: .production, publicKey: [],
            registeredAt: 1_000,
            lastUsedAt: 0, receipt: receipt ? StoredReceipt(bytes: [1], notBefore: notBefore, expiresAt: expires) : nil,
            revocation: revoked ? Revocation(at: 0, reason: "") : nil)
    }

    @Test("a receipt is exchanged between its first and its last day")
    func due() throws {
        #expect(try RiskSchedule.isDue(key(notBefore: 50, expires: 100), now: 50))
        #expect(try !RiskSchedule.isDue(key(notBefore: 50, expires: 100), now: 49))
        #expect(try !RiskSchedule.isDue(key(notBefore: 50, expires: 100), now: 100))
        #expect(try RiskSchedule.due(key(notBefore: nil, expires: nil), now: 0) == 1_000 + 86_400_000)
        #expect(try RiskSchedule.due(key(notBefore: 1, expires: nil, receipt: false), now: 9) == nil)
        #expect(try RiskSchedule.due(key(notBefore: 1, expires: nil, revoked: true), now: 9) == nil)
    }

    @Test("a key that is registered is asked about a day later")
    func registration() async throws {
        let site = try Site(
            verifier: FormVerifier(receipt: StoredReceipt(bytes: [1], expiresAt: Timestamp(milliseconds: .max))))
        let device = FormDevice(1)
        #expect(try await site.register(device).status == 200)
        let receipt = await site.keys.records[device.keyID]?.receipt
        #expect(receipt?.notBefore == site.clock.now + 86_400_000)
    }

    @Test("questions come at most one a second, and back off to an hour")
    func pace() {
        var pace = RiskPace()
        let pauses = (0..<16).map { _ in pace.pause(after: .unavailable, random: 0) }
        #expect(Array(pauses.prefix(4)) == [2, 4, 8, 16].map { Duration.seconds($0) })
        #expect(pauses.suffix(4).allSatisfy { $0 == .seconds(3_600) })
        for result in [RefreshResult.refreshed, .tooEarly, .refused, .unknown, .rejected, .superseded] {
            #expect(pace.pause(after: result, random: 0) == .seconds(1))
        }
        #expect(
            (Duration.milliseconds(2_000)...(.milliseconds(2_500))).contains(pace.pause(after: .slowDown, random: .max))
        )
        #expect((Duration.seconds(3_600)...(.seconds(4_500))).contains(pace.pause(after: .unauthorized, random: .max)))
        #expect(pace.pause(after: .unreachable, random: 0) == .seconds(3_600))
    }

    @Test("a number counts against a key only above the maximum")
    func policy() {
        #expect(RiskPolicy(maximum: 3, action: .deny).judge(3) == .fine)
        #expect(RiskPolicy(maximum: 3, action: .deny).judge(4) == .denied)
        #expect(RiskPolicy(maximum: 3, action: .deny).judge(nil) == .fine)
        #expect(RiskPolicy(maximum: nil, action: .deny).judge(999) == .fine)
    }
}

/// Answers as a test says, and keeps what it was asked.
private final class ScriptedService: ReceiptService {
    typealias Answer = Result<ReceiptRefresh.Answer, ReceiptServiceFailure>

    private let asked = Mutex<[[UInt8]]>([])
    private let answer: @Sendable () async -> Answer

    init(_ answer: @escaping @Sendable () async -> Answer) { self.answer = answer }

    convenience init(_ answer: ReceiptRefresh.Answer) { self.init { .success(answer) } }

    var questions: [[UInt8]] { asked.withLock { $0 } }

    func answer(
        to receipt: [UInt8], _ environment: AppAttestEnvironment, now: Timestamp
    ) async throws(ReceiptServiceFailure) -> ReceiptRefresh.Answer {
        asked.withLock { $0.append(receipt) }
        return try await answer().get()
    }
}

/// Finds in every receipt what a test says.
private struct ScriptedVerifier: ReceiptVerifying {
    var result = Result<StoredReceipt, VerificationFailure>.failure(.unavailable)

    func verify(
        receipt: [UInt8], of key: AttestedKey, now: Timestamp
    ) async throws(VerificationFailure) -> StoredReceipt {
        var found = try result.get()
        found.bytes = receipt
        return found
    }
}

@Suite("Asking for newer receipts")
struct RiskRefresherTests {
    private static let hour: Int64 = 3_600_000
    private let clock = StillClock()
    private let site: Site
    private let old: StoredReceipt

    init() throws {
        site = try Site(["RISK_MAX": "3"], clock: clock)
        old = StoredReceipt(
            bytes: [1], riskMetric: 2, notBefore: clock.now,
            expiresAt: clock.now + 100 * Self.hour)
    }

    /// Keys whose receipts are due.
    private func addKeys(_ numbers: ClosedRange<UInt8>) async throws {
        for number in numbers {
            var receipt = old
            receipt.bytes = [number]
            await site.keys.put(
                AttestedKey(
                    id: FormDevice(number).keyID, appID: try #require(FormVerifier.appID), environment: .production,
                    publicKey: FormDevice(number).publicKey, registeredAt: 0, lastUsedAt: 0, receipt: receipt))
        }
    }

    private func receipt(_ number: UInt8 = 1) async -> StoredReceipt? {
        await site.keys.records[FormDevice(number).keyID]?.receipt
    }

    private var now: Timestamp { clock.now }
    private var names: [GateEvent.Name] { site.events.events.map(\.name) }
    private func count(_ result: RefreshResult) -> UInt64 { site.gate.metrics.riskRefreshes.value(result) }

    private func found(_ metric: Int, notBefore: Timestamp) -> ScriptedVerifier {
        ScriptedVerifier(
            result: .success(
                StoredReceipt(bytes: [], riskMetric: metric, notBefore: notBefore, expiresAt: now + 90 * 24 * Self.hour)
            ))
    }

    @Test("a newer receipt takes the old one's place, and its metric is known")
    func refreshed() async throws {
        try await addKeys(1...1)
        let verifier = found(4, notBefore: now + 24 * Self.hour)
        let service = ScriptedService(.receipt([9, 9]))
        var task = ReceiptRefreshTask(site.gate, service: service, verifier: verifier)
        let pause = await task.step()
        #expect((.milliseconds(1_000)...Duration.milliseconds(1_250)).contains(pause))
        #expect(service.questions == [[1]])
        var expected = try verifier.result.get()
        expected.bytes = [9, 9]
        #expect(await receipt() == expected)
        #expect(count(.refreshed) == 1 && names == [.riskRefreshed, .riskFlagged])
        #expect(site.gate.metrics.exposition().contains("gate_risk_metric_bucket{le=\"5\"} 1\n"))
        #expect(await task.step() == .seconds(60))
        #expect(service.questions.count == 1)
    }

    @Test(
        "an answer without a receipt leaves the old one until it is time again",
        arguments: [
            (ReceiptRefresh.Answer.tooEarly, RefreshResult.tooEarly, 1), (.refused, .refused, 24),
            (.unknown, .unknown, 24),
            (.unauthorized, .unauthorized, 24),
        ] as [(ReceiptRefresh.Answer, RefreshResult, Int64)])
    func refusals(_ answer: ReceiptRefresh.Answer, _ result: RefreshResult, hours: Int64) async throws {
        try await addKeys(1...1)
        var task = ReceiptRefreshTask(site.gate, service: ScriptedService(answer), verifier: ScriptedVerifier())
        let pause = await task.step()
        #expect(pause >= (answer == .unauthorized ? .seconds(3_600) : .seconds(1)))
        var expected = old
        expected.notBefore = now + hours * Self.hour
        #expect(await receipt() == expected)
        #expect(count(result) == 1)
        #expect(names == (answer == .tooEarly ? [] : [.riskRefreshFailed]))
    }

    @Test(
        "a service that fails is asked less and less often, and the key again when its lease is over",
        arguments: [
            (.success(.slowDown), .slowDown), (.success(.unavailable), .unavailable),
            (.success(.unexpected(status: 302)), .unexpected),
            (.failure(ReceiptServiceFailure("nobody there")), .unreachable),
        ] as [(Result<ReceiptRefresh.Answer, ReceiptServiceFailure>, RefreshResult)])
    func failures(_ answer: Result<ReceiptRefresh.Answer, ReceiptServiceFailure>, _ result: RefreshResult) async throws
    {
        try await addKeys(1...3)
        let service = ScriptedService { answer }
        var task = ReceiptRefreshTask(site.gate, service: service, verifier: ScriptedVerifier())
        for pause in [2, 4, 8] { #expect(await task.step() >= .seconds(pause)) }
        #expect(Set(service.questions) == [[1], [2], [3]] && count(result) == 3)
        #expect(await receipt()?.riskMetric == 2)
        #expect(await task.step() == .seconds(60))
        clock.advance(milliseconds: ReceiptRefreshTask.lease.milliseconds)
        #expect(await task.step() >= .seconds(16))
        #expect(service.questions.count == 4)
    }

    @Test("a receipt that is not good is not kept, and one that could not be verified is asked for again")
    func rejected() async throws {
        try await addKeys(1...2)
        let service = ScriptedService(.receipt([9]))
        var bad = ReceiptRefreshTask(
            site.gate, service: service, verifier: ScriptedVerifier(result: .failure(.rejected(.receiptUntrusted))))
        _ = await bad.step()
        #expect(count(.rejected) == 1)
        let detail = site.events.events.last?.detail?.description
        #expect(detail == "the new receipt is not good: receipt_untrusted")
        var busy = ReceiptRefreshTask(
            site.gate, service: service, verifier: ScriptedVerifier(result: .failure(.overloaded)))
        clock.advance(milliseconds: ReceiptRefreshTask.lease.milliseconds)
        _ = await busy.step()
        #expect(count(.postponed) == 1)
        for number in 1...2 as ClosedRange<UInt8> { #expect(await receipt(number)?.bytes == [number]) }
    }

    @Test("a receipt that somebody else replaced meanwhile stays")
    func superseded() async throws {
        try await addKeys(1...1)
        let keys = site.keys
        let other = StoredReceipt(bytes: [7], notBefore: Timestamp(milliseconds: .max))
        let service = ScriptedService {
            _ = try? await keys.updateReceipt(FormDevice(1).keyID, expecting: [1], new: other)
            return .success(.receipt([9]))
        }
        var task = ReceiptRefreshTask(site.gate, service: service, verifier: found(1, notBefore: now))
        _ = await task.step()
        #expect(await receipt() == other)
        #expect(count(.superseded) == 1 && names.isEmpty)
    }

    @Test("a date in the past does not make the gate ask every second")
    func pastDate() async throws {
        try await addKeys(1...1)
        var task = ReceiptRefreshTask(
            site.gate, service: ScriptedService(.receipt([9])), verifier: found(1, notBefore: 5))
        _ = await task.step()
        #expect(await receipt()?.notBefore == now + Self.hour)
    }

    @Test("gates on one store ask about different keys")
    func twoGates() async throws {
        try await addKeys(1...40)
        let service = ScriptedService(.tooEarly)
        var refreshers = (0..<2).map { _ in
            ReceiptRefreshTask(site.gate, service: service, verifier: ScriptedVerifier())
        }
        for _ in 0..<40 { for index in refreshers.indices { _ = await refreshers[index].step() } }
        #expect(service.questions.count == 40 && Set(service.questions).count == 40)
    }

    @Test("a gate that has slept over its lease leaves what it had claimed to the one that has it now")
    func lostLease() async throws {
        try await addKeys(1...2)
        let service = ScriptedService(.tooEarly)
        var (slow, other) = (
            ReceiptRefreshTask(site.gate, service: service, verifier: ScriptedVerifier()),
            ReceiptRefreshTask(site.gate, service: service, verifier: ScriptedVerifier())
        )
        _ = await slow.step()
        clock.advance(milliseconds: ReceiptRefreshTask.lease.milliseconds)
        _ = await other.step()
        #expect(Set(service.questions) == [[1], [2]])
        #expect(await slow.step() == .seconds(60))
        #expect(service.questions.count == 2)
    }

    @Test("a wall clock that is ahead for a while puts no receipt off for as long", arguments: [true, false])
    func clockAhead(isAsked: Bool) async throws {
        try await addKeys(1...2)
        let service = ScriptedService(isAsked ? .refused : .unavailable)
        var task = ReceiptRefreshTask(site.gate, service: service, verifier: ScriptedVerifier())
        let start = now
        clock.setWall(start + 40 * 24 * Self.hour)
        _ = await task.step()
        #expect(service.questions.count == 1)
        clock.setWall(start)
        clock.advance(milliseconds: 24 * Self.hour)
        for _ in 0..<2 { _ = await task.step() }
        #expect(service.questions.count == 3)
        for number in 1...2 as ClosedRange<UInt8> {
            let time = try #require(await receipt(number)?.notBefore)
            #expect(time <= now + 24 * Self.hour)
        }
    }

    @Test("a clock that was behind when the gate began puts no receipt off once it is right")
    func clockBehind() async throws {
        try await addKeys(1...1)
        let service = ScriptedService(.unavailable)
        let start = now
        clock.setWall(start + -100 * 24 * Self.hour)
        var task = ReceiptRefreshTask(site.gate, service: service, verifier: ScriptedVerifier())
        _ = await task.step()
        #expect(service.questions.isEmpty)
        clock.setWall(start)
        for _ in 0..<3 {
            clock.advance(milliseconds: Self.hour)
            _ = await task.step()
        }
        #expect(!service.questions.isEmpty)
    }

    @Test("a store that fails is waited for, and is no reason to ask")
    func storeFailure() async throws {
        try await addKeys(1...1)
        await site.keys.fail(with: .unavailable("gone"))
        let service = ScriptedService(.tooEarly)
        var task = ReceiptRefreshTask(site.gate, service: service, verifier: ScriptedVerifier())
        for pause in [2, 4] { #expect(await task.step() >= .seconds(pause)) }
        #expect(service.questions.isEmpty && count(.postponed) == 2)
        await site.keys.fail(with: nil)
        _ = await task.step()
        #expect(service.questions == [[1]])
    }
}
