import AppAttestClient
import Foundation
import GateTestKit
import TestSupport
import Testing

/// The layouts of `docs/gate.md`, as they stand there; only addresses are other ones.
@Suite("The gate behind other proxies, as its guide shows it", .timeLimit(.minutes(30)))
struct GateLayoutsTests {
    let site: GateSite

    init() async throws { site = try await GateSite() }

    private static func program(_ name: String) -> String? {
        ["/usr/sbin/", "/usr/bin/", "/usr/local/sbin/"].map { $0 + name }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    private static let nginx = program("nginx")
    private static let haproxy = program("haproxy")
    private static let analyzer = program("systemd-analyze")

    /// The n-th sample of a language in the guide, with other addresses.
    private func sample(_ language: String, _ number: Int, _ changes: [(old: String, new: String)]) throws -> String {
        let guide = try String(contentsOf: packageRoot.appending(path: "docs/gate.md"), encoding: .utf8)
        let samples = guide.components(separatedBy: "```\(language)\n").dropFirst().map {
            $0.components(separatedBy: "```")[0]
        }
        var sample = try #require(samples.count > number ? samples[number] : nil)
        for (old, new) in changes {
            #expect(sample.contains(old))
            sample = sample.replacing(old, with: new)
        }
        return sample
    }

    /// Runs a proxy until its end is let go of.
    private func run(_ words: [String]) throws -> ChildProgram {
        let script = """
            \(words.map(Program.quoted).joined(separator: " ")) </dev/null >\(Program.quoted(site.scratch.path("log"))) 2>&1 &
            proxy=$!
            while read -r word; do :; done
            kill -s KILL $proxy
            """
        return try ChildProgram("/bin/sh", ["-c", script])
    }

    private func runNginx(_ port: Int, _ locations: String) throws -> ChildProgram {
        let binary = try #require(Self.nginx)
        let built = try Program.shell("\(binary) -V 2>&1").output
        let folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].filter {
            !built.contains("--without-http_\($0)_module")
        }
        let file = site.scratch.path("nginx.conf")
        let text = """
            daemon off;
            master_process off;
            pid \(site.scratch.path("nginx.pid"));
            error_log stderr;
            events {}
            http {
                access_log off;
                # A test on a busy machine is silent for longer than the minute that each of them is by default.
                client_header_timeout 10m;
                client_body_timeout 10m;
                keepalive_timeout 10m;
                send_timeout 10m;
                proxy_connect_timeout 10m;
                proxy_read_timeout 10m;
                proxy_send_timeout 10m;
                \(folders.map { "\($0)_temp_path \(site.scratch.path("\($0)"));" }.joined(separator: "\n    "))
                server {
                    listen 127.0.0.1:\(port) ssl;
                    ssl_certificate \(site.folder)/tls.pem;
                    ssl_certificate_key \(site.folder)/tls-key.pem;
            \(locations)
                }
            }
            """
        try Data(text.utf8).write(to: URL(filePath: file))
        return try run([binary, "-p", site.scratch.path, "-e", "stderr", "-c", file])
    }

    private func proxied(_ port: Int, _ path: String = "/") throws -> TrialGate {
        try TrialGate(
            "wss://localhost:\(port)\(path)",
            TrialGate.Certificates(authorities: try SmallFile.text("\(site.folder)/tls-ca.pem")))
    }

    private func isThere(_ client: TrialGate, _ path: String) async throws {
        _ = try await eventually { try? await client.request("GET", at: path) }
    }

    @Test("nginx, which ends TLS", .enabled(if: nginx != nil, "nginx is not installed (apt-get install nginx-light)"))
    func nginxInFront() async throws {
        let gate = try await site.gate(
            GateSite.unlimited + ["--inbound-tls-mode", "off", "--trusted-proxy-cidrs", "127.0.0.1/32"])
        let reserved = try ReservedPort()
        let port = reserved.number
        let nginx = try runNginx(port, sample("nginx", 0, [("127.0.0.1:6200", "127.0.0.1:\(gate.port)")]))
        let client = try proxied(port)
        try await isThere(client, "/healthz")
        let socket = try await site.connect(site.device(), client)
        try await socket.send("through nginx")
        #expect(try await socket.nextMessage() == Array("through nginx".utf8))
        let refusal = await #expect(throws: GateRefusal.self) { try await TrialWebSocket.open(client) }
        #expect(refusal?.code == "app_auth_required")
        nginx.endInput()
        withExtendedLifetime((gate, reserved)) {}
    }

    @Test(
        "nginx, which asks the gate and forwards by itself",
        .enabled(if: nginx != nil, "nginx is not installed (apt-get install nginx-light)"))
    func authoriser() async throws {
        let (service, arrivals) = try await TrialServer.accepting()
        let gate = try await site.gate(
            GateSite.unlimited + [
                "--inbound-tls-mode", "off", "--trusted-proxy-cidrs", "127.0.0.1/32", "--forward-auth-path",
                "/attest/verify",
            ])
        let reserved = try ReservedPort()
        let port = reserved.number
        let nginx = try runNginx(
            port,
            sample(
                "nginx", 1,
                [("127.0.0.1:6200", "127.0.0.1:\(gate.port)"), ("127.0.0.1:8080", "127.0.0.1:\(service.port)")]))
        let client = try proxied(port, "/play")
        try await isThere(client, "/attest/challenge")
        let phone = try site.device()
        let app = AppAttestClient(service: phone, transport: client, storage: phone)
        let headers = try await app.connect { $0 }
        let (socket, behind) = try await meet(arrivals) {
            try await TrialSocket.open(client, headers.fields + [("X-Gate-Key", "canary")])
        }
        #expect(behind["x-gate-key"].count == 1)
        #expect(behind["x-gate-key"].first?.count == 32)
        try await socket.send("asked")
        #expect(await behind.nextMessage() == Array("asked".utf8))

        // Nobody gets in again with it, or asks the gate by himself.
        await #expect(throws: GateRefusal.self) { try await TrialSocket.open(client, headers.fields) }
        await #expect(throws: GateRefusal.self) { try await TrialSocket.open(client) }
        let spare = try await app.connect { $0 }
        for path in ["/attest/verify", "/verify"] {
            #expect(try await client.request("GET", at: path, fields: spare.fields).status == 404)
        }
        _ = try await meet(arrivals) { try await TrialSocket.open(client, spare.fields) }
        nginx.endInput()
        withExtendedLifetime((gate, reserved)) {}
    }

    @Test(
        "haproxy, which passes TLS through and tells whose connection it is",
        .enabled(if: haproxy != nil, "haproxy is not installed (apt-get install haproxy)"))
    func haproxyInFront() async throws {
        let (service, arrivals) = try await TrialServer.accepting()
        let settings =
            GateSite.unlimited + [
                "--proxy-protocol", "v2", "--trusted-proxy-cidrs", "127.0.0.0/8", "--upstream-url",
                "ws://127.0.0.1:\(service.port)", "--shutdown-grace-ms", "10", "--shutdown-deadline-ms", "1000",
            ]
        let gate = try await site.gate(settings)
        let other = try await site.gate(settings + ["--attested-keys-path", site.scratch.path("other-keys.json")])
        let reserved = (try ReservedPort(), try ReservedPort())
        let ports = [reserved.0.number, reserved.1.number]
        let layout = try sample(
            "haproxy", 0,
            [
                (":443", "127.0.0.1:\(ports[0])"), ("10.0.0.11:6200", "127.0.0.1:\(gate.port)"),
                ("10.0.0.12:6200", "127.0.0.1:\(other.port)"),
            ])
        let file = site.scratch.path("haproxy.cfg")
        let times = "defaults\n    timeout connect 5m\n    timeout client 5m\n    timeout server 5m\n"
        let watch = """
            listen watch
                bind 127.0.0.1:\(ports[1])
                mode http
                stats enable
                stats uri /watch

            """
        try Data((times + layout + watch).utf8).write(to: URL(filePath: file))
        let haproxy = try run([try #require(Self.haproxy), "-db", "-f", file])

        // Both gates pass haproxy's own questions.
        let watching = try TrialGate("http://127.0.0.1:\(ports[1])")
        let states = try await eventually { () -> [String]? in
            guard let connection = try? await watching.open() else { return nil }
            try await connection.send(Array("GET /watch;csv HTTP/1.0\r\n\r\n".utf8))
            var table: [UInt8] = []
            while case .bytes(let bytes) = await connection.receive() { table += bytes }
            // Of a busy machine haproxy may have thought for a while that a gate is down.
            let states = Self.checks(String(decoding: table, as: UTF8.self))
            return states == ["L7OK", "L7OK"] ? states : nil
        }
        #expect(states.count == 2)

        let client = try proxied(ports[0])
        // Keys in files are known to one gate each: this one has to do without the other.
        other.signal("TERM")
        #expect(await other.wait() == 0)
        let phone = try site.device()
        let headers = try await eventually {
            try? await AppAttestClient(service: phone, transport: client, storage: phone).connect { $0 }
        }
        let (socket, behind) = try await meet(arrivals) { try await TrialSocket.open(client, headers.fields) }
        #expect(behind["x-forwarded-for"] == ["127.0.0.1"])
        try await socket.send("through haproxy")
        #expect(await behind.nextMessage() == Array("through haproxy".utf8))
        haproxy.endInput()
        gate.signal("TERM")
        #expect(await gate.wait() == 0)
        withExtendedLifetime((gate, reserved)) {}
    }

    /// The last verdict on each server, in haproxy's table of statistics.
    private static func checks(_ table: String) -> [String] {
        let lines = table.split(whereSeparator: \.isNewline).map(String.init)
        guard let head = lines.first(where: { $0.hasPrefix("# pxname") }),
            let column = head.components(separatedBy: ",").firstIndex(of: "check_status")
        else { return [] }
        return lines.filter { $0.hasPrefix("gates,gate") }.map { $0.components(separatedBy: ",")[column] }
    }

    @Test("the packaged settings name the key file, so that tools and the unit work on one")
    func keyFile() throws {
        let settings = try String(contentsOf: packageRoot.appending(path: "packaging/gate/gate.conf"), encoding: .utf8)
        let unit = try String(
            contentsOf: packageRoot.appending(path: "packaging/systemd/gate.service"), encoding: .utf8)
        #expect(settings.contains("\nATTESTED_KEYS_PATH=/var/lib/gate/"))
        #expect(unit.contains("\nStateDirectory=gate\n") && !unit.contains("Environment=ATTESTED_KEYS_PATH"))
    }

    @Test("the unit offers no reload of what systemd copies at a start")
    func reload() throws {
        let unit = try String(
            contentsOf: packageRoot.appending(path: "packaging/systemd/gate.service"), encoding: .utf8)
        let lines = unit.split(separator: "\n").filter { !$0.hasPrefix("#") }
        let readsCopies = lines.contains { $0.hasPrefix("ExecStart=") && $0.contains("CREDENTIALS_DIRECTORY") }
        let reloads = lines.contains { $0.hasPrefix("ExecReload=") }
        #expect(readsCopies && !reloads)
    }

    @Test(
        "systemd finds nothing wrong with the unit",
        .enabled(if: analyzer != nil, "systemd-analyze is not installed (apt-get install systemd)"))
    func unit() async throws {
        let unit = try String(
            contentsOf: packageRoot.appending(path: "packaging/systemd/gate.service"), encoding: .utf8)
        let file = site.scratch.path("gate.service")
        // The program need not be installed for this.
        let text = unit.replacing("/usr/local/bin/gate", with: Program(name: "gate").path)
        try Data(text.utf8).write(to: URL(filePath: file))
        let analyzer = try #require(Self.analyzer)
        let outcome = try await OwnThread.run {
            try Program.shell("\(analyzer) verify --man=no \(Program.quoted(file))")
        }
        let complaints = outcome.errors.split(separator: "\n").filter { $0.contains("gate.service") }
        #expect(complaints.isEmpty, "\(outcome.errors)")
    }
}
