import AppAttest
import Crypto
import Foundation
import TestSupport
import Testing
import TextForms

@testable import Gate

@Suite("Newer receipts from Apple's service", .timeLimit(.minutes(30)))
struct ReceiptTests {
    private static let day: Int64 = 86_400_000

    private func stored(_ device: Device, in site: ServerSite) async throws -> StoredReceipt {
        let key = try await site.stores.keys.key(#require(KeyID(bytes: device.keyName)))
        return try #require(key?.receipt)
    }

    @Test(
        "a receipt goes to the host of its environment, under the team's token, and the newer one is kept",
        arguments: zip(AppAttestEnvironment.allCases, ReceiptSite.hosts))
    func exchange(_ environment: AppAttestEnvironment, _ host: String) async throws {
        let apple = try await ReceiptSite()
        let device = Device()
        let site = try await apple.gate([device.registered(environment, receipt: ReceiptSite.due)])
        let question = try await apple.question()
        #expect(question.start == "POST /v1/attestationData HTTP/1.1")
        #expect(question.fields["Host"] == host)
        #expect(question.body == Base64.encode(ReceiptSite.due.bytes))
        try check(question.fields["Authorization"], apple.teamKey.publicKey)

        let new = try ReceiptSite.receipt(of: device, risk: 2, environment)
        try await question.answer("200 OK", new)
        let event = await site.events.first(.riskRefreshed)
        #expect(event.key == KeyName(try #require(KeyID(bytes: device.keyName))))
        let receipt = try await stored(device, in: site)
        #expect(receipt.bytes == Base64.decode(new) && receipt.riskMetric == 2)
        #expect(try #require(receipt.notBefore) > ServerSite.now + Self.day - 600_000)
        #expect(try #require(receipt.expiresAt) > ServerSite.now + 89 * Self.day)
        let metrics = site.server.gate.metrics
        #expect(metrics.riskRefreshes.value(.refreshed) == 1)
        #expect(metrics.exposition().contains("gate_risk_metric_bucket{le=\"2\"} 1\n"))
    }

    /// A JWT of ES256 by the team's key, made now.
    private func check(_ token: String?, _ key: P256.Signing.PublicKey) throws {
        let parts = try #require(token).split(separator: ".").map { String($0) }
        try #require(parts.count == 3)
        #expect(Base64.decode(parts[0]) == Array(#"{"alg":"ES256","kid":"KEY1234567"}"#.utf8))
        let claims = try JSONSerialization.jsonObject(with: Data(#require(Base64.decode(parts[1])))) as? [String: Any]
        #expect(claims?["iss"] as? String == "TESTTEAM01")
        #expect(abs(try #require(claims?["iat"] as? Int) - Int(ServerSite.now.milliseconds / 1_000)) < 600)
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: #require(Base64.decode(parts[2])))
        #expect(key.isValidSignature(signature, for: Array("\(parts[0]).\(parts[1])".utf8)))
    }

    @Test("what the metric means shows at the next connection", arguments: [("flag", 101), ("deny", 401)])
    func action(_ action: String, _ status: Int) async throws {
        let apple = try await ReceiptSite()
        let device = Device()
        let site = try await apple.gate(
            [device.registered(receipt: ReceiptSite.due)], ["RISK_MAX": "3", "RISK_ACTION": action])
        func connect(_ counter: UInt32) async throws -> Int {
            try await site.request("GET", "/", RawClient.handshake + site.assertion(device, counter: counter)).status
        }
        #expect(try await connect(1) == 101)
        try await apple.question().answer("200 OK", ReceiptSite.receipt(of: device, risk: 4))
        _ = await site.events.first(.riskRefreshed)
        #expect(
            await site.events.first(action == "flag" ? .riskFlagged : .riskDenied).detail?.description.hasPrefix("4 ")
                == true)
        #expect(try await connect(2) == status)
        #expect(site.server.gate.metrics.riskVerdicts.value(action == "flag" ? .flagged : .denied) == 1)
    }

    @Test("a receipt that is not Apple's, or of another key or kind, is not kept")
    func badReceipts() async throws {
        let device = Device()
        for (wrong, reason) in [
            (try ReceiptSite.receipt(of: Device(), risk: 1), "receipt_public_key_mismatch"),
            (try ReceiptSite.receipt(of: device, risk: 1, .development), "receipt_environment_mismatch"),
            (try ReceiptSite.receipt(of: device, risk: 1, kind: .attest), "receipt_malformed"),
            (Base64.encode(Array("no receipt".utf8)), "receipt_malformed"),
        ] {
            let apple = try await ReceiptSite()
            let site = try await apple.gate([device.registered(receipt: ReceiptSite.due)])
            try await apple.question().answer("200 OK", wrong)
            #expect(await site.events.first(.riskRefreshFailed).detail?.description.hasSuffix(reason) == true)
            #expect(try await stored(device, in: site).bytes == ReceiptSite.due.bytes)
            #expect(site.server.gate.metrics.riskRefreshes.value(.rejected) == 1)
        }
    }

    @Test("a service that is not there keeps nobody out")
    func unreachable() async throws {
        let apple = try await ReceiptSite()
        let nowhere = ReceiptServicePlace(
            host: "127.0.0.1", port: 1, authoritiesPEM: apple.place.authoritiesPEM, timeout: .seconds(30))
        let device = Device()
        let site = try await ServerSite(
            apple.settings, keys: [device.registered(receipt: ReceiptSite.due)], receiptService: nowhere)
        #expect(await site.events.first(.riskRefreshFailed).detail?.description.hasPrefix("no answer") == true)
        let reply = try await site.request("GET", "/", RawClient.handshake + site.assertion(device, counter: 1))
        #expect(reply.status == 101)
        #expect(try await stored(device, in: site).bytes == ReceiptSite.due.bytes)
        #expect(site.server.gate.metrics.riskRefreshes.value(.unreachable) == 1)
    }

    @Test("a gate that ends does not wait for an answer, and does not call it a failure")
    func drain() async throws {
        let apple = try await ReceiptSite()
        let site = try await apple.gate([Device().registered(receipt: ReceiptSite.due)])
        let question = try await apple.question()
        await site.server.drain()
        #expect(await question.client.rest().isEmpty)
        #expect(!site.events.events.contains { $0.name == .riskRefreshFailed })
    }

    // MARK: The service alone

    private func service(_ apple: ReceiptSite) throws -> AppleReceiptService {
        let settings = try ServerSite.configuration(ServerSite.environment.merging(apple.settings) { $1 }).risk
        return AppleReceiptService(
            access: try #require(try ReceiptServiceAccess(settings, apple.place)), group: testLoops)
    }

    private func ask(
        _ apple: ReceiptSite, _ answer: @escaping @Sendable (ReceiptSite.Question) async throws -> Void
    ) async throws -> ReceiptRefresh.Answer {
        let service = try service(apple)
        async let result = service.answer(to: [1, 2, 3], .production, now: ServerSite.now)
        try await answer(apple.question())
        return try await result
    }

    @Test("every answer of the table is understood")
    func answers() async throws {
        let apple = try await ReceiptSite()
        for (status, expected) in [
            ("200 OK", ReceiptRefresh.Answer.receipt([0xff, 0xfe])), ("304 Not Modified", .tooEarly),
            ("400 Bad Request", .refused), ("401 Unauthorized", .unauthorized), ("404 Not Found", .unknown),
            ("429 Too Many Requests", .slowDown), ("500 x", .unavailable), ("503 x", .unavailable),
            ("302 Found", .unexpected(status: 302)),
        ] {
            // A 304 tells the length of a body that it does not have.
            let body = status.hasPrefix("304") ? "" : "//4="
            #expect(try await ask(apple) { try await $0.answer(status, body) } == expected)
        }
    }

    @Test("an answer may come in chunks, end with its connection, or follow others that are not the last")
    func framings() async throws {
        let apple = try await ReceiptSite()
        let expected = ReceiptRefresh.Answer.receipt([0xff, 0xfe])
        #expect(
            try await ask(apple) {
                try await $0.client.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n/\r\n")
                try await $0.client.send("3\r\n/4=\r\n0\r\n\r\n")
            } == expected)
        #expect(
            try await ask(apple) {
                try await $0.client.send("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n//4=")
                $0.client.close()
            } == expected)
    }

    @Test("an answer that is too long, malformed or none at all is no answer")
    func noAnswers() async throws {
        let apple = try await ReceiptSite()
        for answer in [
            "HTTP/1.1 200 OK\r\nContent-Length: 40000\r\n\r\n",
            "HTTP/1.1 200 OK\r\nX: \(String(repeating: "x", count: 20_000))",
            "HTTP/2 200 OK\r\n\r\n", "HTTP/1.1 101 x\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n//4=",
            "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n//4=", "",
        ] {
            await #expect(throws: ReceiptServiceFailure.self, "\(answer.prefix(60))") {
                try await ask(apple) {
                    // It may have given up before the end.
                    if !answer.isEmpty { try? await $0.client.send(answer) }
                    $0.client.close()
                }
            }
        }
    }

    @Test("a service that is silent is given up")
    func silence() async throws {
        let apple = try await ReceiptSite(timeout: .milliseconds(50))
        let service = try service(apple)
        await #expect(throws: ReceiptServiceFailure.self) {
            try await service.answer(to: [1], .production, now: ServerSite.now)
        }
        withExtendedLifetime(apple) {}
    }

    @Test("a certificate of other hosts, or of another authority, is not Apple's")
    func imposters() async throws {
        for apple in [
            try await ReceiptSite(hosts: ["gate.test"]), try await ReceiptSite(authorities: Certificates("Somebody")),
        ] {
            let service = try service(apple)
            let error = await #expect(throws: ReceiptServiceFailure.self) {
                try await service.answer(to: [1], .production, now: ServerSite.now)
            }
            #expect(error?.reason.hasPrefix("TLS") == true, "\(error?.reason ?? "")")
            // It listens for as long as somebody holds it.
            withExtendedLifetime(apple) {}
        }
    }

    @Test("a key or a name that makes no token is told by its setting")
    func settings() async throws {
        let files = try TemporaryFolder()
        let good = P256.Signing.PrivateKey().pemRepresentation
        for (key, id, name) in [
            (good, "short", SettingName.riskKeyID),
            (P384.Signing.PrivateKey().pemRepresentation, "KEY1234567", .riskKeyPath),
            ("no key", "KEY1234567", .riskKeyPath),
        ] {
            let path = try files.write(key, to: "key.p8")
            await #expect {
                _ = try await ServerSite(["RISK_REFRESH": "true", "RISK_KEY_PATH": path, "RISK_KEY_ID": id])
            } throws: { error in
                if case .setting(name, _)? = error as? GateServerError { true } else { false }
            }
        }
        await #expect(throws: GateServerError.self) {
            _ = try await ServerSite(["RISK_REFRESH": "true", "RISK_KEY_PATH": "/none", "RISK_KEY_ID": "KEY1234567"])
        }
    }
}
