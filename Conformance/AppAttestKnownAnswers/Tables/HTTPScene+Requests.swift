import AppAttest
import GateTestKit
import KnownAnswers
import StrictJSON
import WebSocketFrames

extension HTTPScene {
    /// Asks what a row asks, after what its name tells has happened.
    ///
    /// - Returns: what is not as the row says.
    func ask(_ row: HTTPRow) async throws -> [String] {
        var settings = row.settings
        settings["UPSTREAM_URL"] = "ws://127.0.0.1:\(echo.port)"
        let isTLS = settings["ALLOW_MTLS_FALLBACK"] != nil
        if isTLS {
            settings.merge(tls) { $1 }
            settings["MTLS_CLIENT_CA_PATH"] = path("client-ca.pem")
        }
        var service: TrialServer?
        switch row.name {
        case "upgrade-upstream-down": settings["UPSTREAM_URL"] = "ws://127.0.0.1:1"
        case "upgrade-upstream-http-404":
            service = try await TrialServer.start { connection in
                _ = await connection.receive()
                try await connection.send(Array("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".utf8))
            }
            settings["UPSTREAM_URL"] = "ws://127.0.0.1:\(service?.port ?? 1)"
        case "slowloris": settings["HEADER_TIMEOUT_MS"] = "500"
        default: break
        }
        let withoutIDs: Set<String> =
            row.name == "app-attest-not-configured" ? ["APPATTEST_TEAM_ID", "APPATTEST_BUNDLE_ID"] : []
        let gate = try await LiveGate(settings, without: withoutIDs, anchors: authority.anchors)
        let found = try await LiveGate.with(gate) { gate in
            var certificates = TrialGate.Certificates()
            if isTLS {
                certificates.authorities = try SmallFile.text(path("tls-ca.pem"))
                certificates.client = (path("client.pem"), path("client-key.pem"))
            }
            let visit = Visit(
                row: row, gate: gate, client: try gate.client(row.path, isTLS: isTLS, certificates),
                phone: try phone(), other: try phone())
            return try await visit.mismatches()
        }
        await service?.stop()
        return found
    }
}

/// One row's visit at its gate.
private struct Visit {
    let row: HTTPRow
    let gate: LiveGate
    let client: TrialGate
    let phone: Phone
    let other: Phone

    func mismatches() async throws -> [String] {
        switch row.name {
        case "reject-mode-close", "reject-mode-close-draining": return try await closing()
        case "slowloris": return try await slowly()
        case "challenge-twice-differs":
            let (first, second) = (try await nonce(), try await nonce())
            return first == second ? ["twice the same"] : []
        default: break
        }
        let reply = try await answer()
        var found = row.mismatches(reply)
        if let counter = row.expect["store"]["signCount"].int {
            var stored: UInt32?
            if let id = phone.id { stored = gate.keys.key(id)?.signCount }
            if stored.map({ Int($0) }) != counter { found.append("the stored counter is \(stored as Any)") }
        }
        if row.name == "challenge-head", gate.nonces.count() > 0 || !reply.body.isEmpty {
            found.append("HEAD is not without effect")
        }
        return found
    }

    private func nonce() async throws -> String {
        let reply = try await client.request("GET", at: "/attest/challenge")
        return try JSONReader().read(reply.body)["nonce"]?.string ?? ""
    }

    private func plain(_ more: [(name: String, value: String)] = [], body: [UInt8]? = nil) async throws -> HTTPReply {
        let body = body ?? row.body
        let isFramed = row.fields.contains { ["Content-Length", "Transfer-Encoding"].contains($0.name) }
        let connection = try await client.open()
        let length = body.flatMap { isFramed ? nil : [("Content-Length", "\($0.count)")] } ?? []
        try await connection.send(
            TrialGate.head(row.method, at: row.path, host: "gate.example", fields: row.fields + more + length)
                + (body ?? []))
        let (reply, _) = try await connection.reply(hasBody: row.method != "HEAD")
        await connection.close()
        return reply
    }

    private func post(_ body: [UInt8]) async throws -> HTTPReply {
        try await client.request(
            "POST", at: "/attest/register", fields: [("Content-Type", "application/json")], body: body)
    }

    private func connect(_ headers: [(name: String, value: String)]) async throws -> HTTPReply {
        let connection = try await client.open()
        try await connection.send(
            TrialGate.head("GET", at: "/", host: "gate.example", fields: TrialGate.upgrade + headers))
        let (reply, _) = try await connection.reply()
        await connection.close()
        return reply
    }

    private func register(counter: UInt32 = 0) async throws {
        guard let record = phone.record(signCount: counter) else { return }
        _ = gate.keys.insertIfAbsent(record)
    }

    private func raw(_ text: String) async throws -> HTTPReply {
        let connection = try await client.open()
        try await connection.send(Array(text.utf8))
        let (reply, _) = try await connection.reply()
        await connection.close()
        return reply
    }

    private func answer() async throws -> HTTPReply {
        switch row.name {
        case "challenge-rate-limited":
            for _ in 0..<30 { _ = try await plain() }
            return try await plain()
        case "register-rate-limited":
            for _ in 0..<5 { _ = try await plain() }
            return try await plain()
        case "register-chunked-too-large":
            let piece = Array(repeating: UInt8(ascii: " "), count: 65_537)
            return try await plain(body: Array("10001\r\n".utf8) + piece + Array("\r\n0\r\n\r\n".utf8))
        case "register-alias-nonce-field": return try await post(phone.registration(nonce(), field: "nonce"))
        case "register-ok": return try await post(phone.registration(nonce()))
        case "register-rejected": return try await post(phone.registration(nonce(), attesting: nonce()))
        case "register-again-same-key":
            try await register(counter: 7)
            return try await post(phone.registration(nonce()))
        case "register-nonce-reuse":
            let body = try phone.registration(try await nonce())
            _ = try await post(body)
            return try await post(body)
        case "upgrade-draining", "health-ready-draining":
            gate.server.refuseUpgrades()
            return try await plain()
        case "header-block-too-large":
            let field = "X-A: " + String(repeating: "a", count: 1_000) + "\r\n"
            return try await raw(
                "GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: field, count: 17) + "\r\n")
        case "no-host": return try await raw("GET /attest/challenge HTTP/1.1\r\n\r\n")
        case "http-1.0-upgrade":
            return try await raw(
                "GET / HTTP/1.0\r\nHost: a\r\n"
                    + TrialGate.upgrade.map { "\($0.0): \($0.1)\r\n" }.joined() + "\r\n")
        case "smuggling-cl-te":
            return try await raw(
                """
                POST /attest/register HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 5\r
                Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n
                """)
        case "bare-lf-header": return try await raw("GET /healthz HTTP/1.1\nHost: a\n\n")
        default:
            if let reply = try await assertion() { return reply }
            return try await plain()
        }
    }

    /// - Returns: nil where a row shows no assertion that would have to be made.
    private func assertion() async throws -> HTTPReply? {
        switch row.name {
        case "upgrade-unknown-key": return try await connect(phone.assertion(nonce(), counter: 1))
        case "upgrade-bad-signature":
            try await register()
            return try await connect(phone.assertion(nonce(), counter: 1, signedBy: other.key))
        case "upgrade-ok", "upgrade-upstream-down", "upgrade-upstream-http-404":
            try await register()
            return try await connect(phone.assertion(nonce(), counter: 1))
        case "upgrade-replay":
            try await register()
            let headers = try phone.assertion(try await nonce(), counter: 1)
            _ = try await connect(headers)
            return try await connect(headers)
        case "upgrade-counter-not-increasing":
            try await register(counter: 1)
            return try await connect(phone.assertion(nonce(), counter: 1))
        case "upgrade-mtls-does-not-override-bad-assertion":
            return try await connect([
                ("X-App-Assert-KeyId", phone.keyID), ("X-App-Assert-Data", "x"),
                ("X-App-Assert-Nonce", String(repeating: "0", count: 64)),
            ])
        default: return nil
        }
    }

    private func closing() async throws -> [String] {
        if row.name == "reject-mode-close-draining" { gate.server.refuseUpgrades() }
        let socket = try await TrialWebSocket.open(client)
        while let event = try await socket.next() {
            guard case .close(let payload) = event else { continue }
            let isRight =
                payload.code.map { Int($0.rawValue) } == row.expect["close_code"].int
                && payload.reason == row.expect["close_reason"].string
            return isRight ? [] : ["closed with \(payload)"]
        }
        return ["no close frame came"]
    }

    /// A byte, and then nothing: closed with 408, or without a word.
    private func slowly() async throws -> [String] {
        let connection = try await client.open()
        try await connection.send([UInt8(ascii: "G")])
        var bytes: [UInt8] = []
        while case .bytes(let more) = await connection.receive() { bytes += more }
        return bytes.isEmpty || String(decoding: bytes, as: UTF8.self).contains(" 408 ") ? [] : ["another answer"]
    }
}

extension Phone {
    fileprivate var id: KeyID? { KeyID(base64: keyID) }
}
