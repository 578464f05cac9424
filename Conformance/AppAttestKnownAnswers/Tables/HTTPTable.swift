import AppAttest
import AppAttestTestKit
import Foundation
import Gate
import GateTestKit
import KnownAnswers
import StrictJSON
import Synchronization
import TextForms

/// The table of requests and answers, over sockets, each row against a gate of its own.
enum HTTPTable: AnswerList {
    static func recognises(_ content: KnownAnswers.JSON) -> Bool { content.has("name", "env", "request", "expect") }

    static func check(_ content: KnownAnswers.JSON, file: AnswerFile, report: inout Report) throws {
        let scene = try Waiting.value { try await HTTPScene() }
        for json in content.rows {
            let row = HTTPRow(json)
            do {
                guard row.isUnderstood else { throw RowError.missing("raw or rule") }
                let mismatches = try row.isStart ? scene.start(row) : Waiting.value { try await scene.ask(row) }
                if mismatches.isEmpty {
                    report.pass()
                } else {
                    report.fail("\(file.path) \(row.name)", because: mismatches.joined(separator: "; "))
                }
            } catch {
                report.fail("\(file.path) \(row.name)", because: "\(error)")
            }
        }
        try Waiting.value { await scene.end() }
    }
}

/// A row of the table of requests and answers.
struct HTTPRow: Sendable {
    let name: String
    let settings: [String: String]
    let request: KnownAnswers.JSON
    let expect: KnownAnswers.JSON

    init(_ row: KnownAnswers.JSON) {
        name = row["name"].string ?? ""
        let (environment, request) = (row["env"], row["request"])
        settings = Self.settingNames.reduce(into: [:]) { $0[$1] = environment[$1].string }
        (self.request, expect) = (request, row["expect"])
    }

    private static let settingNames = [
        "ALLOWED_ORIGINS", "ALLOW_MTLS_FALLBACK", "APPATTEST_BUNDLE_ID", "APPATTEST_TEAM_ID", "APP_ENV",
        "MTLS_CLIENT_CA_PATH", "REJECT_MODE", "REQUIRE_APP_AUTH",
    ]

    /// What rows say in words, of the request and of what must hold, by their names: ``HTTPScene/ask(_:)`` does it.
    private static let words: [String: (raw: String?, rule: String?)] = [
        "challenge-twice-differs": (nil, "two calls return different nonces"),
        "challenge-head": (nil, "no body, no nonce is stored"),
        "header-block-too-large": ("GET / HTTP/1.1 with 17 KiB of headers", nil),
        "no-host": (#"GET /attest/challenge HTTP/1.1\r\n\r\n"#, nil),
        "http-1.0-upgrade": ("GET / HTTP/1.0 with upgrade headers", nil),
        "smuggling-cl-te": ("POST with both Content-Length and Transfer-Encoding: chunked", "connection closed"),
        "bare-lf-header": ("header lines ended by LF only", "or closed"),
        "slowloris": (
            "one header byte per second", "closed after HEADER_TIMEOUT_MS (10 s) with 408 or silently"
        ),
    ]

    /// Whether all that the row says in words is known.
    var isUnderstood: Bool {
        let known = Self.words[name]
        return request["raw"].string == known?.raw && expect["rule"].string == known?.rule
    }

    var isStart: Bool { request["startup"].bool == true }

    var fields: [(name: String, value: String)] {
        request["headers"].object.sorted { $0.key < $1.key }.flatMap { name, value in
            value.isList ? value.array.map { (name, $0.string ?? "") } : [(name, value.string ?? "")]
        }
    }

    var method: String { request["method"].string ?? "GET" }
    var path: String { request["path"].string ?? "/" }
    var body: [UInt8]? { request["body"].string.map { Array($0.utf8) } }

    /// What in an answer is not as the row says.
    func mismatches(_ reply: HTTPReply) -> [String] {
        var found: [String] = []
        if let status = expect["status"].int, status != reply.status { found.append("status \(reply.status)") }
        let body = try? JSONReader().read(reply.body)
        for (name, value) in expect["json"].object {
            let member = body?[name]
            if member != value.whole { found.append("\(name) \(member as Any)") }
        }
        for (name, rule) in expect["json_keys"].object where !Self.follows(body?[name], rule.string) {
            found.append("\(name) \(body?[name] as Any)")
        }
        for (name, value) in expect["headers"].object {
            let values = reply[name]
            let text = value.string ?? ""
            if values.count != 1 || !text.hasPrefix("<") && values != [text] { found.append("\(name): \(values)") }
        }
        return found
    }

    /// Whether a value is as a row says in words.
    private static func follows(_ value: StrictJSON.JSON?, _ rule: String?) -> Bool {
        switch rule {
        case "64 lowercase hex digits":
            let text = value?.string ?? ""
            return Hex.decode(text)?.count == 32 && text == text.lowercased()
        case "integer, milliseconds since the epoch, now+60000 +-2000":
            // How busy this machine is decides nothing.
            return value?.integer.map { abs($0 - 60_000 - Int(Date.now.timeIntervalSince1970 * 1_000)) < 60_000 }
                ?? false
        default: return false
        }
    }
}

/// What all rows share: an authority, files of TLS, and a service behind the gates.
final class HTTPScene: Sendable {
    let authority: TestAuthority
    let folder: URL
    let echo: LiveGate

    init() async throws {
        authority = try TestAuthority(at: .now)
        echo = try await .echo()
        folder = FileManager.default.temporaryDirectory.appending(path: "gate-table-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        for (name, content) in try TLSAuthority.files(hosts: ["localhost"], at: .now) {
            try SmallFile.write(Array(content.utf8), to: path(name), isSecret: name.hasSuffix("-key.pem"))
        }
    }

    func end() async {
        await echo.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    func path(_ name: String) -> String { folder.appending(path: name).path }

    func phone() throws -> Phone {
        guard let appID = AppID(teamID: LiveGate.team, bundleID: LiveGate.bundle) else { throw TrialFailure.notADevice }
        return Phone(authority: authority, appID: appID)
    }

    var tls: [String: String] {
        ["INBOUND_TLS_MODE": "required", "TLS_CERT_PATH": path("tls.pem"), "TLS_KEY_PATH": path("tls-key.pem")]
    }

    // MARK: Rows that do not get as far as a request

    /// A row whose configuration must be refused, by the name of the setting.
    func start(_ row: HTTPRow) throws -> [String] {
        var settings = row.settings
        settings["UPSTREAM_URL"] = "ws://127.0.0.1:9"
        var text = "nothing is wrong"
        do {
            switch row.name {
            case "cert-key-mismatch":
                settings.merge(tls) { $1 }
                settings["TLS_KEY_PATH"] = path("client-key.pem")
                _ = try GateServer(try LiveGate.configuration(settings), parts: .nowhere)
            case "store-dir-not-writable":
                settings["ATTESTED_KEYS_PATH"] = path("tls.pem") + "/attested-keys.json"
                let address = try LiveGate.configuration(settings).stores.keys
                guard case .json(let path) = address else { return ["the store is no file"] }
                do { _ = try JSONKeyStore(path: path, now: Timestamp(milliseconds: 0)) } catch { return [] }
            default:
                // The row says all there is of the two ids.
                let ids: Set<String> = ["APPATTEST_TEAM_ID", "APPATTEST_BUNDLE_ID"]
                _ = try LiveGate.configuration(settings, without: ids.subtracting(settings.keys))
            }
        } catch {
            text = "\(error)"
        }
        guard let name = row.expect["stderr_contains"].string else { throw RowError.missing("stderr_contains") }
        // The one code for settings that are wrong (`EX_CONFIG`).
        guard row.expect["exit"].int == 78 else { return ["exit"] }
        return text.contains(name) ? [] : [text]
    }
}

extension GateServer.Parts {
    /// Parts for a server that is never started.
    static var nowhere: GateServer.Parts {
        GateServer.Parts(
            keys: MemoryKeyStore(), nonces: MemoryNonceStore(),
            events: EventLog(level: .error, format: .text, clock: SystemClock()) { _ in })
    }
}
