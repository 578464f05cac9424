import AppAttest
import AppAttestClient
import AppAttestTestKit
import Foundation
import GateTestKit
import TestSupport
import Testing

@Suite("What nobody in good faith sends to the gate", .timeLimit(.minutes(30)))
struct GateBadInputTests {
    let site: GateSite

    init() async throws { site = try await GateSite() }

    /// What follows the last request on a connection must never be taken for another.
    private static let smuggled = "GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n"

    private static let post = "POST /attest/register HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"

    private static let ambiguous: [(name: String, request: String)] = [
        ("two lengths", post + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}" + smuggled),
        ("the same length twice", post + "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}" + smuggled),
        ("a list of lengths", post + "Content-Length: 2, 2\r\n\r\n{}" + smuggled),
        ("a length and chunks", post + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + smuggled),
        ("chunks and a length", post + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n" + smuggled),
        ("two codings", post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n" + smuggled),
        ("another coding", post + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" + smuggled),
        ("a coding with a space", post + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n" + smuggled),
        ("a folded coding", post + "Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n" + smuggled),
        ("a coding behind a tab", post + "\tTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + smuggled),
        ("a length with a sign", post + "Content-Length: +2\r\n\r\n{}" + smuggled),
        ("a length in hexadecimal", post + "Content-Length: 0x2\r\n\r\n{}" + smuggled),
        ("a negative length", post + "Content-Length: -1\r\n\r\n{}" + smuggled),
        ("a length beyond numbers", post + "Content-Length: 99999999999999999999\r\n\r\n{}" + smuggled),
        ("a chunk beyond numbers", post + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n{}" + smuggled),
        ("a chunk with a sign", post + "Transfer-Encoding: chunked\r\n\r\n+2\r\n{}\r\n0\r\n\r\n" + smuggled),
        ("a chunk's extension", post + "Transfer-Encoding: chunked\r\n\r\n2;a=b\r\n{}\r\n0\r\n\r\n" + smuggled),
        ("a trailer", post + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX: y\r\n\r\n" + smuggled),
        ("a chunk that ends with LF", post + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\n0\r\n\r\n" + smuggled),
        ("lines that end with LF", "GET /healthz HTTP/1.1\nHost: a\n\n" + smuggled),
        ("one line that ends with LF", "GET /healthz HTTP/1.1\r\nHost: a\nX: b\r\n\r\n" + smuggled),
        ("a lone CR", "GET /healthz HTTP/1.1\r\nHost: a\rX: b\r\n\r\n" + smuggled),
        ("a folded field", "GET /healthz HTTP/1.1\r\nHost: a\r\nX: b\r\n c\r\n\r\n" + smuggled),
        ("a zero byte", "GET /healthz HTTP/1.1\r\nHost: a\r\nX: \u{0}\r\n\r\n" + smuggled),
        ("no host", "GET /healthz HTTP/1.1\r\n\r\n" + smuggled),
        ("two hosts", "GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n" + smuggled),
        ("a field without a name", "GET /healthz HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n" + smuggled),
        ("a body where none belongs", "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 44\r\n\r\n" + smuggled),
    ]

    private func answer(_ client: TrialGate, _ request: [UInt8]) async throws -> String {
        let connection = try await client.open()
        try await connection.send(request)
        var answer: [UInt8] = []
        while case .bytes(let bytes) = await connection.receive() { answer += bytes }
        return String(decoding: answer, as: UTF8.self)
    }

    @Test("a request that two servers may read differently is refused, and nothing behind it is read")
    func smuggling() async throws {
        let gate = try await site.gate(GateSite.open)
        let client = try site.client(gate)
        for (name, request) in Self.ambiguous {
            let answer = try await answer(client, Array(request.utf8))
            #expect(answer.hasPrefix("HTTP/1.1 400 ") || answer.hasPrefix("HTTP/1.1 413 "), "\(name): \(answer)")
            #expect(answer.contains("Connection: close"), "\(name)")
            #expect(answer.components(separatedBy: "HTTP/1.1 ").count == 2, "\(name): \(answer)")
        }
        #expect(try await client.request("GET", at: "/healthz").status == 200)
    }

    @Test("bytes that are no UTF-8 are refused wherever they stand")
    func invalidText() async throws {
        let gate = try await site.gate()
        let client = try site.client(gate)
        let bad: [UInt8] = [0xc3, 0x28]
        func request(_ start: String, _ end: String) async throws -> String {
            try await answer(client, Array(start.utf8) + bad + Array(end.utf8))
        }
        for (start, end) in [
            ("GET /", " HTTP/1.1\r\nHost: a\r\n\r\n"), ("GET / HTTP/1.1\r\nHost: a\r\nX", ": b\r\n\r\n"),
            ("GET / HTTP/1.1\r\nHost: a\r\nX: ", "\r\n\r\n"), ("G", " / HTTP/1.1\r\nHost: a\r\n\r\n"),
        ] {
            #expect(try await request(start, end).hasPrefix("HTTP/1.1 400 "))
        }
        let body = Array(#"{"keyId":""#.utf8) + bad + Array(#""}"#.utf8)
        let reply = try await client.request(
            "POST", at: "/attest/register", fields: [("Content-Type", "application/json")], body: body)
        #expect(reply.status == 400)
        #expect(String(decoding: reply.body, as: UTF8.self).contains("malformed_json"))
    }

    @Test("heads, targets and bodies beyond their bounds are refused before they are read")
    func oversized() async throws {
        let gate = try await site.gate()
        let client = try site.client(gate)
        let long = String(repeating: "a", count: 1 << 20)
        let many = (0..<1_000).map { "X-\($0): a\r\n" }.joined()
        for request in [
            "GET /healthz HTTP/1.1\r\nHost: a\r\nX: \(long)", "GET /\(long)",
            "GET /healthz HTTP/1.1\r\nHost: a\r\n\(many)\r\n", "GET /healthz HTTP/1.1\r\n\(long)",
        ] {
            // The gate may have cut the connection before everything was written.
            let connection = try await client.open()
            try? await connection.send(Array(request.utf8))
            var answer: [UInt8] = []
            while case .bytes(let bytes) = await connection.receive() { answer += bytes }
            #expect(answer.isEmpty || String(decoding: answer, as: UTF8.self).hasPrefix("HTTP/1.1 431 "))
        }
        #expect(try await answer(client, Array((Self.post + "Content-Length: 65537\r\n\r\n").utf8)).contains(" 413 "))
        let chunks = String(repeating: "1000\r\n\(String(repeating: " ", count: 4_096))\r\n", count: 17)
        #expect(
            try await answer(client, Array((Self.post + "Transfer-Encoding: chunked\r\n\r\n" + chunks).utf8))
                .contains(" 413 "))
    }

    @Test("what a client says of itself in the gate's words does not reach the service")
    func spoofing() async throws {
        let (service, arrivals) = try await TrialServer.accepting()
        let gate = try await site.gate(GateSite.open + ["--upstream-url", "ws://127.0.0.1:\(service.port)"])
        let claims = [
            "X-Gate-Auth", "x-gate-key", "X-GATE-APP-ID", "X_Gate_Auth", "X-Gate_Category", "X-Gate-Anything",
            "X-App-Assert-ClientHash", "X-Forwarded-For", "X-Forwarded-Host", "X_Forwarded_Proto", "X-Real-IP",
            "Forwarded", "True-Client-IP", "CF-Connecting-IP", "CF_Connecting_IP", "X-Client-IP", "X-Original-URL",
            "Proxy",
            "X-Request-Id", "TE", "Keep-Alive", "Proxy-Authorization", "Private",
        ]
        let client = try site.client(gate)
        let fields = claims.map { ($0, "canary") } + [("Connection", "private"), ("Kept", "kept")]
        let (_, behind) = try await meet(arrivals) { try await TrialSocket.open(client, fields) }
        #expect(behind["kept"] == ["kept"])
        #expect(behind["x-gate-auth"] == ["none"])
        #expect(!behind.fields.contains { $0.value.contains("canary") })
    }

    // MARK: Bombs

    /// A device that shows something else than an attestation.
    private actor Saboteur: AppAttestService, KeyStorage {
        private let make: @Sendable (TestKey, _ clientDataHash: [UInt8]) throws -> [UInt8]
        private let key = TestKey.makeP256()

        init(_ make: @escaping @Sendable (TestKey, [UInt8]) throws -> [UInt8]) { self.make = make }

        func generateKey() async throws(AppAttestServiceError) -> String { AssertionRecipe.keyID(of: key) }

        func attest(_ keyID: String, clientDataHash: [UInt8]) async throws(AppAttestServiceError) -> [UInt8] {
            do { return try make(key, clientDataHash) } catch { throw .failed("\(error)") }
        }

        func assert(_ keyID: String, clientDataHash: [UInt8]) async throws(AppAttestServiceError) -> [UInt8] { [] }

        func load() -> RegisteredKey? { nil }
        func save(_ key: RegisteredKey?) {}
    }

    private static func repeated(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
        [[UInt8]](repeating: bytes, count: count).flatMap { $0 }
    }

    /// Short claims of long content, and content within content.
    private static let boxes: [(name: String, bytes: [UInt8])] = [
        ("arrays in arrays", repeated([0x81], 32_000)), ("maps in maps", repeated([0xa1, 0x00], 16_000)),
        ("four billion items", [0x9a, 0xff, 0xff, 0xff, 0xff]),
        ("four billion entries", [0xba, 0xff, 0xff, 0xff, 0xff]),
        ("2^63 bytes", [0x5b, 0x7f] + repeated([0xff], 7)), ("2^64 characters", [0x7b] + repeated([0xff], 8)),
        ("without an end", [0x9f] + repeated([0x9f], 10_000)), ("tags upon tags", repeated([0xc6], 32_000)),
        ("floats", [0xfb] + repeated([0x7f], 8)),
    ]

    private static let nests: [(name: String, bytes: [UInt8])] = [
        ("sequences in sequences, without an end", repeated([0x30, 0x80], 4_000)),
        ("explicit tags", repeated([0xa0, 0x80], 4_000)),
        ("a length of four gigabytes", [0x30, 0x84, 0xff, 0xff, 0xff, 0xff]),
        ("a length of 127 bytes", [0x30, 0xff] + repeated([0xff], 127)),
        ("an endless tag", [0xbf] + repeated([0xff], 8_000)),
        ("an endless identifier", [0x06, 0x82, 0x1f, 0x40] + repeated([0xff], 8_000)),
        ("octet strings in octet strings", repeated([0x24, 0x80], 4_000)),
    ]

    @Test("bombs of CBOR and DER are refused as attestations, and cost nothing", .enabled(if: GateProcess.showsMemory))
    func bombs() async throws {
        let gate = try await site.gate()
        let client = try site.client(gate)
        await (try await site.connect(site.device(), client)).cut()
        let before = try gate.residentBytes()
        for (name, bytes) in Self.boxes {
            #expect(try await reason(client) { _, _ in bytes } == "malformed_cbor", "\(name)")
        }
        let authority = try TestAuthority(reading: { try SmallFile.text("\(site.folder)/\($0)") })
        let appID = try #require(GateSite.appID)
        @Sendable func recipe(_ key: TestKey, _ hash: [UInt8]) -> AttestationRecipe {
            var recipe = AttestationRecipe(appID: appID, clientDataHash: hash, at: .now)
            recipe.credentialKey = key
            return recipe
        }
        for (name, bytes) in Self.nests {
            let inCertificate = try await reason(client) { key, hash in
                var recipe = recipe(key, hash)
                recipe.certificates = { leaf in [leaf, bytes] }
                return try recipe.mint(by: authority).bytes
            }
            #expect(inCertificate == "certificate_unparsable", "\(name)")
            let inReceipt = try await reason(client) { key, hash in
                var recipe = recipe(key, hash)
                recipe.receipt = bytes
                return try recipe.mint(by: authority).bytes
            }
            #expect(inReceipt == "receipt_malformed", "\(name)")
        }
        #expect(try gate.residentBytes() - before < 16 << 20)
        await (try await site.connect(site.device(), client)).cut()
    }

    /// Why an attestation is refused.
    private func reason(
        _ client: TrialGate, _ make: @escaping @Sendable (TestKey, [UInt8]) throws -> [UInt8]
    ) async throws -> String? {
        let saboteur = Saboteur(make)
        let app = AppAttestClient(service: saboteur, transport: client, storage: saboteur)
        let error = await #expect(throws: AppAttestClientError.self) { try await app.connect { $0 } }
        guard case .refused(let refusal) = error else { return nil }
        return refusal.reason ?? refusal.code
    }
}
