import AppAttest
import Foundation
import NIOCore
import NIOHTTP1
import TestSupport
import Testing
import TextForms
import WebSocketFrames

@testable import Gate

@Suite("Metrics")
struct MetricsTests {
    static let names = [
        "gate_challenges_total", "gate_registrations_total", "gate_upgrades_total", "gate_connections",
        "gate_waiting_dropped_total", "gate_frames_total",
        "gate_bytes_total", "gate_close_total", "gate_nonces", "gate_keys", "gate_verify_seconds",
        "gate_upstream_connect_seconds", "gate_upstream_errors_total", "gate_store_seconds", "gate_store_errors_total",
        "gate_rate_limited_total", "gate_counter_regressions_total", "gate_tls_certificate_expiry_seconds",
        "gate_event_loop_lag_seconds", "gate_risk_metric", "gate_risk_refreshes_total", "gate_risk_verdicts_total",
        "process_cpu_seconds_total", "process_resident_memory_bytes",
        "process_open_fds", "process_start_time_seconds",
    ]

    private let facts = GateMetrics.ProcessFacts(
        cpuTime: .milliseconds(1_500), residentBytes: 4_096, openFiles: 9, startTime: 7)

    @Test("every name of the specification is told once, and every line is of the format")
    func exposition() throws {
        let metrics = GateMetrics()
        metrics.upgrades.add(
            .appAttest, .refused, reason: OutcomeReason(Refusal(.assertionRejected, reason: .signatureInvalid)),
            count: 2)
        metrics.frames.add(.toClient, .ping, count: 3)
        metrics.closes.add(.client, CloseCode(rawValue: 4_711))
        metrics.connections.change(.open, by: -1)
        metrics.verifications.observe(.microseconds(120), .assertion)
        metrics.verifications.observe(.seconds(99), .assertion)
        let text = metrics.exposition(process: facts)
        for name in Self.names { #expect(text.components(separatedBy: "# TYPE \(name) ").count == 2, "\(name)") }
        for line in [
            #"gate_upgrades_total{auth="app-attest",result="refused",reason="signature_invalid"} 2"#,
            #"gate_frames_total{direction="to_client",opcode="ping"} 3"#,
            #"gate_close_total{side="client",code="4xxx"} 1"#,
            #"gate_connections{state="open"} -1"#, #"gate_verify_seconds_bucket{kind="assertion",le="0.0001"} 0"#,
            #"gate_verify_seconds_bucket{kind="assertion",le="0.00025"} 1"#,
            #"gate_verify_seconds_bucket{kind="assertion",le="+Inf"} 2"#,
            #"gate_verify_seconds_sum{kind="assertion"} 99.00012"#,
            #"gate_verify_seconds_count{kind="assertion"} 2"#, "process_cpu_seconds_total 1.5",
        ] { #expect(text.contains("\n\(line)\n"), "\(line)") }
        let form = /(# (HELP|TYPE) [a-z_]+ .+)|([a-z_]+(\{[a-z]+="[^"\\]*"(,[a-z]+="[^"\\]*")*\})? [-+0-9.e]+)/
        for line in text.split(separator: "\n") { #expect(line.wholeMatch(of: form) != nil, "\(line)") }
    }

    @Test("each label has a text for each value, and no two the same")
    func labels() {
        func check(_ label: any MetricLabel.Type, _ count: Int) {
            #expect(label.texts.count == count && Set(label.texts).count == count)
        }
        check(CloseCode?.self, 19)
        check(StoreOperation.self, StoreOperation.allCases.count)
        check(RefreshResult.self, RefreshResult.allCases.count)
        check(RiskPolicy.Verdict.self, 3)
        check(OutcomeReason.self, 1 + RefusalCode.allCases.count + AppAttestError.Code.allCases.count)
        for code in [nil, 0, 999, 1_000, 1_014, 1_015, 2_999, 3_000, 3_999, 4_000, 4_999, 5_000, 65_535] as [UInt16?] {
            #expect((0..<19).contains(code.map { CloseCode(rawValue: $0) }.place))
        }
        for code in [1_001, 1_014] as [UInt16] {
            #expect(CloseCode?.texts[(CloseCode(rawValue: code) as CloseCode?).place] == "\(code)")
        }
    }

    @Test("what threads count together is the sum")
    func concurrent() async {
        let metrics = GateMetrics()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { for _ in 0..<1_000 { metrics.bytes.add(.toUpstream, count: 3) } } }
        }
        #expect(metrics.bytes.value(.toUpstream) == 24_000)
    }

    @Test("a database's keys are counted seldom, those in memory each time", arguments: [true, false])
    func keyCount(isLocal: Bool) async throws {
        let site = try Site(keys: ScriptedKeyStore(isLocal: isLocal))
        _ = try await site.registered(1)
        for _ in 0..<60 {
            await site.gate.sweepStores()
            site.clock.advance(milliseconds: 1_000)
        }
        #expect(await site.keys.counts == (isLocal ? 60 : 1))
        #expect(site.gate.metrics.keys.value == 1)
        site.clock.advance(milliseconds: 600_000)
        await site.gate.sweepStores()
        #expect(await site.keys.counts == (isLocal ? 61 : 2))
    }

    @Test("a gate counts what it decides")
    func decisions() async throws {
        let site = try Site()
        let device = try await site.registered(1)
        _ = try await site.connect(device, counter: 0)
        #expect(site.gate.metrics.counterRegressions.value == 1)
        #expect(site.gate.metrics.challenges.value(.issued) == 1)
        let refusal = Refusal(.assertionRejected, reason: .counterNotIncreasing)
        #expect(site.gate.metrics.upgrades.value(.none, .refused, reason: OutcomeReason(refusal)) == 1)
    }
}

@Suite("The operator's listener")
struct AdminRuleTests {
    private func ask(
        _ authoriser: AdminAuthoriser, _ method: String, _ target: String, _ token: String? = nil,
        host: String = "localhost"
    ) throws(Refusal) -> AdminAction {
        let authorization: [(String, String)] = token.map { [("Authorization", $0)] } ?? []
        return try authoriser.action(
            HTTPRequestHead(
                version: .http1_1, method: HTTPMethod(rawValue: method), uri: target,
                headers: HTTPHeaders([("Host", host)] + authorization)))
    }

    private let sha = String(repeating: "ab", count: 32)

    @Test("what is asked is understood")
    func actions() throws {
        let authoriser = AdminAuthoriser(.everyone)
        let name = try #require(KeyNamePrefix(sha))
        #expect(try ask(authoriser, "GET", "/metrics") == .metrics)
        #expect(try ask(authoriser, "GET", "/admin/keys") == .keys(after: nil, limit: 100))
        let key = FormDevice(1).keyID
        let cursor = Base64.encode(key.bytes).replacing("=", with: "").replacing("+", with: "-").replacing(
            "/", with: "_")
        #expect(try ask(authoriser, "GET", "/admin/keys?cursor=\(cursor)&limit=7") == .keys(after: key, limit: 7))
        #expect(try ask(authoriser, "GET", "/admin/keys/\(sha)") == .key(name))
        #expect(try ask(authoriser, "DELETE", "/admin/keys/\(sha)") == .delete(name))
        #expect(try ask(authoriser, "POST", "/admin/keys/\(sha)/revoke") == .revoke(name))
        #expect(try ask(authoriser, "POST", "/admin/keys/\(sha)/ban") == .ban(name))
        #expect(try ask(authoriser, "GET", "/admin/accounts") == .accountBans(after: nil, limit: 100))
        let account = try #require(AccountTag(hex: sha))
        #expect(
            try ask(authoriser, "GET", "/admin/accounts?limit=3&cursor=\(sha)")
                == .accountBans(after: account, limit: 3))
        #expect(
            try ask(authoriser, "POST", "/admin/drain") == .drain
                && ask(authoriser, "GET", "/admin/config") == .configuration)
        #expect(
            try ask(authoriser, "GET", "/admin/keys/sha:\(sha.prefix(12))")
                == .key(#require(KeyNamePrefix(String(sha.prefix(12))))))
    }

    @Test(
        "what is not understood is refused",
        arguments: [
            ("GET", "/", 404), ("GET", "/admin", 404), ("GET", "/admin/x", 404), ("POST", "/metrics", 405),
            ("GET", "/admin/drain", 405),
            ("PUT", "/admin/keys/abababababab", 405), ("GET", "/admin/keys/abab", 400),
            ("GET", "/admin/keys/ABABABABABAB", 400),
            ("GET", "/admin/keys?limit=0", 400), ("GET", "/admin/keys?limit=1001", 400),
            ("GET", "/admin/keys?cursor=x", 400),
            ("GET", "/admin/keys?x=1", 400), ("GET", "/admin/keys/abababababab/revoke", 405),
            ("GET", "/admin/keys/a/b/c", 404), ("GET", "/admin/keys/abababababab/ban", 405),
            ("POST", "/admin/keys/abab/ban", 400), ("POST", "/admin/accounts", 405),
            ("GET", "/admin/accounts?cursor=abab", 400), ("POST", "/admin/accounts/ban", 400),
            ("GET", "/admin/accounts/ban", 405), ("POST", "/admin/accounts/x", 404),
            ("POST", "/admin/accounts/ban/x", 404),
        ])
    func refusals(_ method: String, _ target: String, _ status: Int) {
        let refusal = #expect(throws: Refusal.self) { try ask(AdminAuthoriser(.everyone), method, target) }
        #expect(refusal?.code.status == status)
    }

    @Test("over TCP only who knows the token may ask for more than metrics")
    func token() throws {
        let authoriser = AdminAuthoriser(.token(Array("s3cret".utf8)))
        #expect(try ask(authoriser, "POST", "/admin/drain", "Bearer s3cret") == .drain)
        #expect(try ask(authoriser, "GET", "/metrics") == .metrics)
        for wrong in [nil, "Bearer s3cre", "Bearer s3crett", "Bearer ", "s3cret", "Basic s3cret"] as [String?] {
            let refusal = #expect(throws: Refusal.self) { try ask(authoriser, "POST", "/admin/drain", wrong) }
            #expect(
                refusal?.code == .operatorTokenRequired
                    && refusal?.headers.first?.value == #"Bearer realm="gate-admin""#)
        }
        #expect(throws: Refusal.self) { try ask(AdminAuthoriser(.nobody), "POST", "/admin/drain", "Bearer s3cret") }
    }

    @Test("over TCP a request has to name the loopback, so that no page of a browser leads here under its own name")
    func host() throws {
        let authoriser = AdminAuthoriser(.token(Array("s3cret".utf8)))
        for host in ["localhost", "LOCALHOST:6201", "127.0.0.1:6201", "127.9.9.9", "[::1]", "[::1]:6201"] {
            #expect(try ask(authoriser, "GET", "/metrics", host: host) == .metrics)
        }
        for host in [
            "evil.example", "evil.example:6201", "10.0.0.1", "localhost.evil.example", "[::2]", "[::1]x", "[::1].evil",
            ":6201",
        ] {
            let refusal = #expect(throws: Refusal.self) { try ask(authoriser, "GET", "/metrics", host: host) }
            #expect(refusal?.code == .malformedHeader, "\(host)")
            #expect(throws: Refusal.self) { try ask(authoriser, "POST", "/admin/drain", "Bearer s3cret", host: host) }
        }
        #expect(try ask(AdminAuthoriser(.everyone), "GET", "/metrics", host: "gate") == .metrics)
    }

    @Test("keys are told by their names, never by their bytes; a short name may name two")
    func answers() async throws {
        let site = try Site(["STORE_URL": "postgres://u:hunter2@h/d"])
        let device = try await site.registered(1)
        _ = try await site.registered(2)
        let record = try #require(await site.keys.records[device.keyID])
        let text = String(decoding: AdminAnswers.keys([record], limit: 1).body, as: UTF8.self)
        let object = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect((object["keys"] as? [[String: Any]])?.first?["sha"] as? String == KeyName(device.keyID).hex)
        #expect(KeyID(base64: object["cursor"] as? String ?? "") == device.keyID)
        let found = try await site.keys.keys(named: #require(KeyNamePrefix(KeyName(device.keyID).description)))
        #expect(found == [record])
        let shown = String(decoding: AdminAnswers.configuration(site.configuration).body, as: UTF8.self)
        #expect(!shown.contains("hunter2") && shown.contains(#""WS_PORT":"6200""#))
    }
}

@Suite("Draining")
struct DrainTests {
    private let settings = DrainPlan.Settings(
        grace: .seconds(3), deadline: .seconds(15), closeCode: .goingAway)

    private func ms(_ milliseconds: Int64) -> NIODeadline { .uptimeNanoseconds(0) + .milliseconds(milliseconds) }

    @Test("nobody new, then nothing, then close frames over half the rest, then the store, then the end")
    func whole() {
        var plan = DrainPlan(settings)
        #expect(plan.begin(at: ms(1_000)) == [.refuseUpgrades] && plan.nextAt == ms(4_000))
        #expect(plan.advance(to: ms(3_999), open: 200).isEmpty && plan.phase == .grace)
        #expect(plan.advance(to: ms(4_000), open: 200) == [.close(count: 1)])
        #expect(plan.advance(to: ms(7_000), open: 199) == [.close(count: 99)])
        #expect(plan.advance(to: ms(10_000), open: 100) == [.close(count: 100)] && plan.phase == .waiting)
        #expect(plan.advance(to: ms(11_000), open: 3).isEmpty && plan.nextAt == ms(16_000))
        #expect(plan.advance(to: ms(12_000), open: 0) == [.flushStore])
        #expect(plan.begin(at: ms(12_500)).isEmpty && plan.phase == .flushing)
        #expect(plan.storeFlushed() == [.stop] && plan.storeFlushed().isEmpty && plan.nextAt == nil)
    }

    @Test(
        "driven by its own times, every connection has one frame and the deadline holds",
        arguments: [0, 1, 7, 200, 10_000])
    func ownTimes(_ connections: Int) {
        var plan = DrainPlan(settings)
        _ = plan.begin(at: ms(0))
        var closed = 0
        var now = ms(0)
        while plan.phase < .flushing, let next = plan.nextAt {
            #expect(next > now && next <= ms(15_000))
            now = next
            for step in plan.advance(to: now, open: connections) {
                if case .close(let count) = step { closed += count }
                if step == .cut { #expect(now == ms(15_000)) }
            }
        }
        #expect(closed == connections && now == ms(connections == 0 ? 3_000 : 15_000))
    }

    @Test("a late driver still closes everything once and cuts at the deadline")
    func late() {
        var plan = DrainPlan(settings)
        _ = plan.begin(at: ms(0))
        #expect(plan.advance(to: ms(99_000), open: 4) == [.close(count: 4), .cut, .flushStore])
    }

    @Test("a plan that has not begun does nothing")
    func idle() {
        var plan = DrainPlan(settings)
        #expect(plan.advance(to: ms(99_000), open: 4).isEmpty && plan.storeFlushed().isEmpty && plan.nextAt == nil)
    }
}
