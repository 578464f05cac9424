import NIOCore
import Testing

@testable import Gate

@Suite("Configuration")
struct ConfigurationTests {
    private func read(
        _ changes: [String: String] = [:], without: [String] = [], file: [String: String] = [:],
        flags: [String: String] = [:]
    ) throws(ConfigurationFailure) -> GateConfiguration {
        var environment = Site.environment.merging(changes) { $1 }
        for name in without { environment[name] = nil }
        return try GateConfiguration(SettingSources(flags: flags, file: file, environment: environment))
    }

    private func places(_ changes: [String: String], without: [String] = []) -> [String] {
        do {
            _ = try read(changes, without: without)
            return []
        } catch {
            return error.problems.map(\.place)
        }
    }

    @Test("what is not said is as the specification's table has it")
    func defaults() throws {
        let it = try read()
        #expect(it.environment == .production && it.decisionRules.requiresAuthentication)
        #expect(it.stores.keys == .json(path: "./config/attested-keys.json") && it.stores.nonces == .memory)
        #expect(
            it.stores.pool == 8 && it.stores.databaseTime == .seconds(2)
                && it.stores.keyLifetime == .seconds(90 * 86_400) && it.stores.maximumKeys == 10_000)
        #expect(
            it.nonces.mode == .stored && it.nonces.lifetime == .seconds(60) && it.nonces.maximumCount == 10_000)
        #expect(it.listener.host == "127.0.0.1" && it.listener.port == 6_200)
        #expect(it.upstream.connectTimeout == .seconds(10) && it.upstream.framing == .binary)
        #expect(
            it.reloadable.challengeRate.description == "30/60s" && it.reloadable.registerRate.description == "5/60s")
        #expect(it.reloadable.failedAuthRate.description == "20/60s")
        #expect(it.connectionLimits == .init(total: 10_000, perClient: 50, perKey: 5))
        #expect(it.frames.maximumFrameBytes == 1 << 20 && it.frames.maximumMessageBytes == 8 << 20)
        #expect(it.heartbeat.interval == .seconds(30) && it.heartbeat.timeout == .seconds(90))
        #expect(it.drain == .init(grace: .seconds(3), deadline: .seconds(15), closeCode: .goingAway))
        #expect(it.admin.place == .host("127.0.0.1", port: 6_201) && it.log.level == .info && it.log.format == .json)
        #expect(it.proxyProtocol == nil && it.eventLoops == nil && it.warnings.isEmpty)
        #expect(it.telnet.terminalTypes == ["GATE", "XTERM-256COLOR", "MTTS 141"])
        #expect(it.attestation?.appIDs.map(\.description) == ["TESTTEAM01.com.example.gate"])
        #expect(it.effective.count == SettingName.allCases.count)
        #expect(it.effective.first { $0.name == "STORE_URL" }?.value == "json:./config/attested-keys.json")
    }

    @Test("a flag wins over the file, the file over the environment")
    func precedence() throws {
        let environment = ["WS_PORT": "1", "MAX_CONNECTIONS": "11", "MAX_CONNECTIONS_PER_IP": "21"]
        let it = try read(
            environment, file: ["WS_PORT": "2", "MAX_CONNECTIONS": "12"],
            flags: try SettingFlags(["serve", "--ws-port", "3"]).values)
        #expect(it.listener.port == 3)
        #expect(it.connectionLimits == .init(total: 12, perClient: 21, perKey: 5))
    }

    static let wrong: [(changes: [String: String], without: [String], places: [String])] = [
        (["REQUIRE_APP_AUTH": "maybe"], [], ["REQUIRE_APP_AUTH"]),
        ([:], ["UPSTREAM_URL"], ["UPSTREAM_URL"]),
        ([:], ["APPATTEST_TEAM_ID"], ["APPATTEST_TEAM_ID"]), ([:], ["APPATTEST_BUNDLE_ID"], ["APPATTEST_BUNDLE_ID"]),
        ([:], ["APPATTEST_BUNDLE_ID", "APPATTEST_TEAM_ID"], ["APPATTEST_BUNDLE_ID"]),
        (["APPATTEST_TEAM_ID": "lowercase1"], [], ["APPATTEST_TEAM_ID"]),
        (["APPATTEST_BUNDLE_ID": "com example"], [], ["APPATTEST_BUNDLE_ID"]),
        (["APPATTEST_APP_IDS": "TESTTEAM02.a, nonsense"], [], ["APPATTEST_APP_IDS"]),
        (["APPATTEST_ENVIRONMENT": "prod"], [], ["APPATTEST_ENVIRONMENT"]),
        (["APPATTEST_ALLOWED_CATEGORIES": "2,7"], [], ["APPATTEST_ALLOWED_CATEGORIES"]),
        (["APPATTEST_ALLOWED_CODE_HASHES": "00"], [], ["APPATTEST_ALLOWED_CODE_HASHES"]),
        (["APPATTEST_ROOT_CA_PATH": "root.pem"], [], ["APPATTEST_ROOT_CA_PATH"]),
        (["APPATTEST_ROOT_CA_PATH": "root.pem", "APP_ENV": "staging"], [], ["APPATTEST_ROOT_CA_PATH"]),
        (["ALLOW_MTLS_FALLBACK": "1", "APP_ENV": "test"], [], ["MTLS_CLIENT_CA_PATH", "INBOUND_TLS_MODE"]),
        (["ALLOW_MTLS_FALLBACK": "1", "STRICT_CONFIG": "1"], [], ["ALLOW_MTLS_FALLBACK"]),
        (["STORE_URL": "mysql://x"], [], ["STORE_URL"]), (["STORE_URL": "memory:"], [], ["STORE_URL"]),
        (["NONCE_STORE_URL": "json:x"], [], ["NONCE_STORE_URL"]),
        (["NONCE_MODE": "sealed", "NONCE_SECRET_PATH": "s"], [], ["NONCE_STORE_URL"]),
        (["NONCE_MODE": "sealed", "STORE_URL": "postgres://h/d"], [], ["NONCE_SECRET_PATH"]),
        (["WS_PORT": "65536"], [], ["WS_PORT"]), (["WS_PORT": "-1"], [], ["WS_PORT"]),
        (["WS_PORT": "6200 "], [], ["WS_PORT"]),
        (["INBOUND_TLS_MODE": "required"], [], ["TLS_CERT_PATH", "TLS_KEY_PATH"]),
        (["BIND_HOST": "0.0.0.0"], [], ["INBOUND_TLS_MODE"]), (["TLS_MIN_VERSION": "1.1"], [], ["TLS_MIN_VERSION"]),
        (["UPSTREAM_URL": "http://h"], [], ["UPSTREAM_URL"]), (["UPSTREAM_URL": "tcp://h"], [], ["UPSTREAM_URL"]),
        (["UPSTREAM_URL": "ws://user:pw@h"], [], ["UPSTREAM_URL"]), (["UPSTREAM_URL": "echo:"], [], ["UPSTREAM_URL"]),
        (["UPSTREAM_URL": "tcp://h:1/path"], [], ["UPSTREAM_URL"]),
        (["UPSTREAM_URL": "ws://[::g]"], [], ["UPSTREAM_URL"]),
        (["UPSTREAM_URL": "wss://h", "UPSTREAM_TLS_SERVER_NAME": "10.9.8.7"], [], ["UPSTREAM_TLS_SERVER_NAME"]),
        (["UPSTREAM_URL": "wss://localhost", "UPSTREAM_TLS_SERVER_NAME": "::1"], [], ["UPSTREAM_TLS_SERVER_NAME"]),
        (["UPSTREAM_URL": "tls://10.0.0.1:1", "UPSTREAM_TLS_SERVER_NAME": "::2"], [], ["UPSTREAM_TLS_SERVER_NAME"]),
        (["ALLOWED_ORIGINS": "*"], [], ["ALLOWED_ORIGINS"]),
        (["ALLOWED_ORIGINS": "https://*.a"], [], ["ALLOWED_ORIGINS"]),
        (["ALLOWED_PATHS": "chat"], [], ["ALLOWED_PATHS"]), (["ALLOWED_PATHS": "/a/../b"], [], ["ALLOWED_PATHS"]),
        (["TRUSTED_PROXY_CIDRS": "true"], [], ["TRUSTED_PROXY_CIDRS"]),
        (["TRUSTED_PROXY_CIDRS": "10.0.0.1/8"], [], ["TRUSTED_PROXY_CIDRS"]),
        (["PROXY_PROTOCOL": "any"], [], ["TRUSTED_PROXY_CIDRS"]),
        (["CLIENT_IP_HEADER": "via"], [], ["CLIENT_IP_HEADER"]),
        (["CHALLENGE_RATE": "30"], [], ["CHALLENGE_RATE"]), (["CHALLENGE_RATE": "0/60s"], [], ["CHALLENGE_RATE"]),
        (
            ["MAX_MESSAGES_PER_SECOND": "9", "MAX_MESSAGES_PER_SECOND_PER_IP": "8"], [],
            ["MAX_MESSAGES_PER_SECOND_PER_IP"]
        ),
        (["MAX_MESSAGE_BYTES": "1000"], [], ["MAX_MESSAGE_BYTES"]),
        (["WS_HEARTBEAT_TIMEOUT_MS": "30000"], [], ["WS_HEARTBEAT_TIMEOUT_MS"]),
        (["SHUTDOWN_GRACE_MS": "15000"], [], ["SHUTDOWN_DEADLINE_MS"]),
        (["DRAIN_CLOSE_CODE": "1005"], [], ["DRAIN_CLOSE_CODE"]),
        (["FORWARD_AUTH_PATH": "/readyz"], [], ["FORWARD_AUTH_PATH"]),
        (["FORWARD_AUTH_PATH": "x"], [], ["FORWARD_AUTH_PATH"]),
        (["ADMIN_BIND": "0.0.0.0:6201"], [], ["ADMIN_BIND"]), (["LOG_LEVEL": "loud"], [], ["LOG_LEVEL"]),
        (["RISK_REFRESH": "true"], [], ["RISK_KEY_PATH", "RISK_KEY_ID"]),
        (
            [
                "RISK_REFRESH": "true", "RISK_KEY_PATH": "k", "RISK_KEY_ID": "k",
                "APPATTEST_APP_IDS": "OTHERTEAM1.com.example.gate",
            ], [], ["APPATTEST_APP_IDS"]
        ), (["RISK_ACTION": "x"], [], ["RISK_ACTION"]),
        (["EVENT_LOOPS": "0"], [], ["EVENT_LOOPS"]), (["RELAY_MODE": "raw"], [], ["RELAY_MODE"]),
        (["RELAY_MODE": "bytes", "UPSTREAM_URL": "tcp://h:1"], [], ["RELAY_MODE"]),
        (["RELAY_MODE": "bytes", "UPSTREAM_URL": "telnet://h:1"], [], ["RELAY_MODE"]),
        (["RELAY_MODE": "bytes", "UPSTREAM_URL": "echo:", "APP_ENV": "test"], [], ["RELAY_MODE"]),
    ]

    @Test("what cannot be is refused with the name of the variable", arguments: wrong.indices)
    func refusals(_ index: Int) {
        let row = Self.wrong[index]
        #expect(places(row.changes, without: row.without) == row.places)
    }

    @Test(
        "what needs frames is refused where none is read, even with the value that it has by itself",
        arguments: [
            ("MAX_FRAME_BYTES", "1048576"), ("MAX_MESSAGE_BYTES", "8388608"), ("MAX_MESSAGES_PER_SECOND", "1"),
            ("MAX_MESSAGES_PER_SECOND_PER_IP", "1"), ("VALIDATE_UTF8", "true"), ("WS_DEFLATE", "true"),
            ("WS_HEARTBEAT_INTERVAL_MS", "30000"), ("WS_HEARTBEAT_TIMEOUT_MS", "90000"), ("DRAIN_CLOSE_CODE", "1001"),
        ])
    func unreadFrames(_ name: String, _ value: String) throws {
        #expect(places([name: value, "RELAY_MODE": "bytes"]) == [name])
        #expect(places([name: value, "RELAY_MODE": "frames"]).isEmpty)
        let failure = #expect(throws: ConfigurationFailure.self) { try read([name: value, "RELAY_MODE": "bytes"]) }
        #expect(failure?.description.contains("RELAY_MODE=bytes") == true)
    }

    @Test("frames are read unless something else is said, and what is weaker is told without being an error")
    func relayMode() throws {
        let usual = try read()
        #expect(usual.relayMode == .frames && usual.notices.isEmpty)
        let it = try read([
            "RELAY_MODE": "bytes", "STRICT_CONFIG": "true", "MAX_MESSAGES_PER_SECOND": "0", "VALIDATE_UTF8": "false",
            "WS_IDLE_TIMEOUT_MS": "1000", "WS_STRIP_EXTENSIONS": "true", "UPSTREAM_URL": "unix:/run/app.sock",
        ])
        #expect(it.relayMode == .bytes && it.warnings.isEmpty)
        #expect(it.notices.map(\.place) == ["RELAY_MODE"])
        #expect(it.effective.first { $0.name == "RELAY_MODE" }?.value == "bytes")
        #expect(usual.reloading(it).needRestart.contains("RELAY_MODE"))
    }

    @Test("everything that is wrong is said at once")
    func allProblems() {
        #expect(Set(places(["WS_PORT": "x", "LOG_FORMAT": "x"])) == ["WS_PORT", "LOG_FORMAT"])
    }

    @Test("what is not production has to say so", arguments: ["development", "TEST", "Staging", "simulator"])
    func environments(_ name: String) throws {
        let mtls = Site.tls.merging(["ALLOW_MTLS_FALLBACK": "yes", "MTLS_CLIENT_CA_PATH": "ca.pem"]) { $1 }
        #expect(try read(mtls.merging(["APP_ENV": name]) { $1 }).reloadable.clientCertificates.isActive)
        #expect(try read(mtls.merging(["NODE_ENV": name]) { $1 }).reloadable.clientCertificates.isActive)
        let both = try read(mtls.merging(["APP_ENV": "production", "NODE_ENV": name]) { $1 })
        #expect(!both.reloadable.clientCertificates.isActive && both.listener.tls?.clientCAPath == nil)
        #expect(both.warnings.map(\.place) == ["ALLOW_MTLS_FALLBACK"])
        #expect(try !read(mtls).reloadable.clientCertificates.isActive)
        let unknown = try read(mtls.merging(["APP_ENV": "dev"]) { $1 })
        #expect(!unknown.reloadable.clientCertificates.isActive && unknown.warnings.map(\.place).contains("APP_ENV"))
    }

    @Test("a name that is nearly the gate's own is told, and has no effect")
    func unknownNames() throws {
        let it = try read(
            ["APPATTEST_BYPASS": "1", "WS_PROT": "1", "PATH": "/bin"], file: ["NONSENSE": "1"])
        #expect(it.warnings.map(\.place) == ["APPATTEST_BYPASS", "NONSENSE", "WS_PROT"])
        #expect(places(["WS_PROT": "1", "STRICT_CONFIG": "1"]) == ["WS_PROT"])
    }

    @Test("credentials are masked wherever a configuration is shown")
    func secrets() throws {
        let url = "postgres://gate:p@ss/w:rd@db.example/gate?sslmode=require&password=hunter2"
        let it = try read(["STORE_URL": url, "UPSTREAM_URL": "wss://h/chat?token=hunter3"])
        let shown = it.effective.map { "\($0.name)=\($0.value)" }.joined(separator: "\n")
        #expect(shown.contains("STORE_URL=postgres://gate:***@db.example/gate?sslmode=require&password=***"))
        #expect(shown.contains("UPSTREAM_URL=wss://h/chat?token=***"))
        for secret in ["hunter", "p@ss", "w:rd"] { #expect(!shown.contains(secret)) }
        #expect(it.stores.keys == .postgres(url) && it.stores.nonces == .postgres(url))
        let failure = #expect(throws: ConfigurationFailure.self) { try read(["STORE_URL": "postgre://u:hunter2@h"]) }
        #expect(failure?.description.contains("hunter") == false)
    }

    @Test("a file is lines of NAME=value")
    func file() throws {
        let text = "# a gate\r\n\n WS_PORT = 7000 \nBIND_HOST=\"::1\"\nUPSTREAM_URL='ws://h/?a=b#'\nLOG_LEVEL=\n"
        #expect(
            try SettingFile(Array(text.utf8)).values
                == ["WS_PORT": "7000", "BIND_HOST": "::1", "UPSTREAM_URL": "ws://h/?a=b#", "LOG_LEVEL": ""])
        for (bad, place) in [
            ("A=1\nA=2", "line 2"), ("x", "line 1"), ("=1", "line 1"), ("a=1", "line 1"), ("A=\"1", "line 1"),
        ] {
            let failure = #expect(throws: ConfigurationFailure.self) { try SettingFile(Array(bad.utf8)) }
            #expect(failure?.description.contains(place) == true)
        }
        #expect(throws: ConfigurationFailure.self) { try SettingFile([0xff]) }
        #expect(throws: ConfigurationFailure.self) {
            try SettingFile(Array(repeating: 0x0a, count: SettingFile.maximumBytes + 1))
        }
    }

    @Test("flags are settings in kebab case; other arguments stay")
    func flags() throws {
        let flags = try SettingFlags(["--ws-port=1", "serve", "--require-app-auth", "false", "--help"])
        #expect(flags.values == ["WS_PORT": "1", "REQUIRE_APP_AUTH": "false"])
        #expect(flags.others == ["serve", "--help"])
        #expect(throws: ConfigurationFailure.self) { try SettingFlags(["--ws-port"]) }
        #expect(throws: ConfigurationFailure.self) { try SettingFlags(["--ws-port=1", "--ws-port=2"]) }
    }

    @Test("a reload takes over rates, origins and lists, and names what has to wait")
    func reloading() throws {
        let old = try read()
        let new = try read(["CHALLENGE_RATE": "1/1s", "ALLOWED_ORIGINS": "https://a.example", "WS_PORT": "1"])
        let (settings, waiting) = old.reloading(new)
        #expect(settings.challengeRate.description == "1/1s" && settings.origins.allowed.count == 1)
        #expect(waiting == ["WS_PORT"])
    }

    @Test(
        "a reload names a changed address of a service also where nobody may see the change",
        arguments: [
            ("STORE_URL", "postgres://gate:old@db/gate", "postgres://gate:new@db/gate"),
            ("NONCE_STORE_URL", "postgres://gate@db/gate?passfile=a", "postgres://gate@db/gate?passfile=b"),
            ("UPSTREAM_URL", "ws://h/?token=old", "ws://h/?token=new"),
        ])
    func maskedChange(_ name: String, _ old: String, _ new: String) throws {
        let waiting = try read([name: old]).reloading(read([name: new])).needRestart
        #expect(waiting == [name])
        #expect(try read([name: old]).reloading(read([name: old])).needRestart.isEmpty)
    }

    @Test(
        "an upstream shows a name, or that it is at the address that it is connected to",
        arguments: [
            ("wss://h", nil, "h"), ("wss://h", "service.test", "service.test"),
            ("wss://10.0.0.1", "service.test", "service.test"), ("wss://10.0.0.1", nil, nil),
            ("wss://10.0.0.1", "10.0.0.1", nil), ("wss://[2001:db8::1]", "2001:DB8:0::1", nil),
        ] as [(String, String?, String?)])
    func shownName(_ url: String, _ setting: String?, _ shown: String?) throws {
        let it = try read(["UPSTREAM_URL": url, "UPSTREAM_TLS_SERVER_NAME": setting ?? ""])
        #expect(it.upstream.shownName == shown)
    }

    @Test("addresses of upstreams are taken apart")
    func upstreams() throws {
        let plain = try #require(Upstream("ws://h"))
        #expect(plain.place == .host("h", port: 80) && plain.target == "/" && !plain.isTLS && plain.kind == .webSocket)
        let secure = try #require(Upstream("wss://[2001:db8::1]:8443/chat?x=1"))
        #expect(secure.place == .host("2001:db8::1", port: 8_443) && secure.target == "/chat?x=1" && secure.isTLS)
        #expect(try #require(Upstream("telnets://mud.example:992")).kind == .telnet)
        #expect(Upstream("unix:/run/app.sock")?.place == .unixSocket("/run/app.sock"))
        let path = "/" + String(repeating: "s", count: Upstream.maximumPathBytes - 1)
        #expect(Upstream("unix:" + path)?.place == .unixSocket(path))
        #expect(throws: Never.self) { try SocketAddress(unixDomainSocketPath: path) }
        #expect(throws: SocketAddressError.self) { try SocketAddress(unixDomainSocketPath: path + "s") }
        #expect(Upstream("unix:" + path + "s") == nil)
        for bad in ["", "ws://", "ws://h:0", "ws://h:99999", "ws://a b", "ws:///x", "unix:x", "tcp://:1"] {
            #expect(Upstream(bad) == nil, "\(bad)")
        }
    }
}
