import AppAttest
import AppAttestTestKit
import Crypto
import Foundation
import NIOSSL
import Synchronization
import TestSupport
import Testing
import TextForms

@testable import Gate

/// Where connections to a WebSocket service live.
enum RelayPlace: CaseIterable {
    /// On SwiftNIO's event loops, as everywhere but on Linux.
    case loop
    /// On threads of the gate's own.
    case thread
    /// The same, with clients that speak TLS.
    case encryptedThread
}

/// A certificate for the gates of all tests that need one and do not look at it.
private struct Encryption: Sendable {
    static let shared = Result { try Encryption() }

    let settings: [String: String]
    let trust: TLSConfiguration
    private let files: TemporaryFolder

    init() throws {
        let servers = try Certificates()
        let own = try servers.issue("gate.test")
        files = try TemporaryFolder()
        settings = [
            "INBOUND_TLS_MODE": "required", "TLS_CERT_PATH": try files.write(own.certificate, to: "cert.pem"),
            "TLS_KEY_PATH": try files.write(own.key, to: "key.pem"),
        ]
        trust = try servers.trust()
    }
}

/// A server on the loopback, with an authority whose devices it trusts.
final class ServerSite: Sendable {
    static let appID = AppID("TESTTEAM01.com.example.gate")
    static let authority = Result { try TestAuthority(at: .init(milliseconds: now.milliseconds)) }
    static let environment = [
        "APPATTEST_BUNDLE_ID": "com.example.gate", "APPATTEST_TEAM_ID": "TESTTEAM01", "APP_ENV": "test",
        "UPSTREAM_URL": "echo:", "INBOUND_TLS_MODE": "off", "WS_PORT": "0", "ADMIN_BIND": "off",
        "CHALLENGE_RATE": "1000000/60s", "REGISTER_RATE": "1000000/60s", "FAILED_AUTH_RATE": "1000000/60s",
        "MAX_CONNECTIONS_PER_IP": "1000", "MAX_CONNECTIONS_PER_KEY": "1000", "EVENT_LOOPS": "1",
        // No test waits for these; a busy machine may reach the usual ones.
        "HEADER_TIMEOUT_MS": "300000", "BODY_TIMEOUT_MS": "300000", "TLS_HANDSHAKE_TIMEOUT_MS": "300000",
        "UPSTREAM_CONNECT_TIMEOUT_MS": "300000", "WS_HEARTBEAT_INTERVAL_MS": "300000",
        "WS_HEARTBEAT_TIMEOUT_MS": "600000", "SHUTDOWN_GRACE_MS": "0", "SHUTDOWN_DEADLINE_MS": "300000",
        "NONCE_TTL_MS": "600000",
    ]

    static var now: Timestamp { SystemClock().now }

    let server: GateServer
    let stores: Stores
    let events = EventList()
    let port: Int
    let adminPort: Int?

    /// How clients speak that are not told how; nil without TLS.
    private let tls: TLSConfiguration?
    /// Lives as long as this one.
    private let upstream: (any Sendable)?

    /// A server whose connections live in one place, in front of another, which echoes, unless `changes` say otherwise.
    convenience init(
        on place: RelayPlace, _ changes: [String: String] = [:], without names: [String] = [],
        clock: any GateClock = SystemClock()
    ) async throws {
        let back = try await ServerSite(["REQUIRE_APP_AUTH": "false"])
        let settings = ["UPSTREAM_URL": "ws://127.0.0.1:\(back.port)"].merging(changes) { $1 }
        try await self.init(settings, without: names, before: back, clock: clock, place: place)
    }

    init(
        _ changes: [String: String] = [:], without names: [String] = [], before upstream: (any Sendable)? = nil,
        clock: any GateClock = SystemClock(), keys: [AttestedKey] = [], receiptService: ReceiptServicePlace? = nil,
        stores: Stores? = nil, standingInterval: Duration = .seconds(1), place: RelayPlace = .thread
    ) async throws {
        self.upstream = upstream
        let encryption = place == .encryptedThread ? try Encryption.shared.get() : nil
        tls = encryption?.trust
        var environment = Self.environment.merging(encryption?.settings ?? [:]) { $1 }.merging(changes) { $1 }
        for name in names { environment[name] = nil }
        let configuration = try Self.configuration(environment)
        let stores = if let stores { stores } else { try await Self.stores() }
        self.stores = stores
        for key in keys { _ = try await stores.keys.insertIfAbsent(key) }
        var parts = GateServer.Parts(keys: stores.keys, nonces: stores.nonces, events: events)
        parts.anchors = try Self.authority.get().anchors
        parts.clock = clock
        parts.receiptService = receiptService
        parts.requestPause = .seconds(300)
        parts.standingInterval = standingInterval
        parts.usesSockets = place != .loop
        server = try GateServer(configuration, parts: parts)
        let places = try await server.start()
        port = places.port
        adminPort = places.adminPort
    }

    static func stores() async throws -> Stores {
        try await Stores.open(
            keys: .memory, nonces: .memory, Stores.Options(now: { SystemClock().now }))
    }

    /// Port 0 is for tests: the settings of operators name theirs.
    static func configuration(_ environment: [String: String]) throws -> GateConfiguration {
        try GateConfiguration(SettingSources(environment: environment))
    }

    deinit { Task { [server] in await server.drain() } }

    /// - Parameter preamble: bytes that go as soon as the connection stands, before TLS.
    func connect(
        tls: TLSConfiguration? = nil, reads: Bool = true, preamble: [UInt8] = []
    ) async throws -> RawClient {
        try await RawClient.connect(port: port, tls: tls ?? self.tls, reads: reads, preamble: preamble)
    }

    /// Asks on a connection of its own.
    func request(
        _ method: String, _ target: String, _ fields: [(String, String)] = [], body: [UInt8] = [],
        version: String = "HTTP/1.1"
    ) async throws -> Reply {
        try await connect().request(method, target, fields, body: body, version: version)
    }

    // MARK: What an app does

    func nonce() async throws -> String {
        try #require(await request("GET", "/attest/challenge").member("nonce"))
    }

    static func hash(_ nonce: String) -> [UInt8] { Array(SHA256.hash(data: Hex.decode(nonce) ?? [])) }

    /// A device whose key is in the store.
    func registered(counter: UInt32 = 0) async throws -> Device {
        let device = Device()
        _ = try await stores.keys.insertIfAbsent(device.registered(counter: counter))
        return device
    }

    func counter(of device: Device) async throws -> UInt32? {
        try await stores.keys.key(#require(KeyID(bytes: device.keyName)))?.signCount
    }

    /// - Parameter other: what is attested in place of the nonce.
    func register(
        _ device: Device, nonce: String? = nil, over other: String? = nil, field: String = "clientData"
    ) async throws -> Reply {
        let nonce = if let nonce { nonce } else { try await self.nonce() }
        var recipe = AttestationRecipe(
            appID: try #require(Self.appID), clientDataHash: Self.hash(other ?? nonce),
            at: .init(milliseconds: Self.now.milliseconds))
        recipe.credentialKey = device.key
        let minted = try recipe.mint(by: Self.authority.get())
        let attestation = Data(minted.bytes).base64EncodedString()
        let body = #"{"keyId":"\#(minted.keyID)","attestation":"\#(attestation)","\#(field)":"\#(nonce)"}"#
        return try await request(
            "POST", "/attest/register", [("Content-Type", "application/json")], body: Array(body.utf8))
    }

    func assertion(
        _ device: Device, counter: UInt32, nonce: String? = nil, by signer: Device? = nil
    ) async throws -> [(String, String)] {
        let nonce = if let nonce { nonce } else { try await self.nonce() }
        let recipe = AssertionRecipe(
            appID: try #require(Self.appID), key: (signer ?? device).key, clientDataHash: Self.hash(nonce),
            signCount: counter)
        return [
            ("X-App-Assert-KeyId", Data(device.keyName).base64EncodedString()),
            ("X-App-Assert-Data", Data(try recipe.mint()).base64EncodedString()), ("X-App-Assert-Nonce", nonce),
        ]
    }

    /// An assertion of a key that nobody knows.
    func assertion(tls: TLSConfiguration) async throws -> [(String, String)] {
        let nonce = try #require(await connect(tls: tls).request("GET", "/attest/challenge").member("nonce"))
        return try await assertion(Device(), counter: 1, nonce: nonce)
    }

    /// A connection behind its 101, for which nobody was asked (`REQUIRE_APP_AUTH=false`) or `fields` answer.
    func webSocket(
        _ target: String = "/", _ fields: [(String, String)] = [], tls: TLSConfiguration? = nil, reads: Bool = true
    ) async throws -> RawClient {
        let client = try await connect(tls: tls)
        let reply = try await client.request("GET", target, RawClient.handshake + fields)
        try #require(reply.status == 101, "\(reply.status) \(reply.text)")
        if !reads { try await client.channel.setOption(.autoRead, value: false).get() }
        return client
    }
}

struct Device: Sendable {
    let key = TestKey.makeP256()

    var keyName: [UInt8] { Array(SHA256.hash(data: key.point)) }

    /// Its key as a store has it.
    func registered(
        counter: UInt32 = 0, _ environment: AppAttestEnvironment = .production, receipt: StoredReceipt? = nil
    ) throws -> AttestedKey {
        AttestedKey(
            id: try #require(KeyID(bytes: keyName)), appID: try #require(ServerSite.appID), environment: environment,
            publicKey: key.point, signCount: counter, registeredAt: ServerSite.now, lastUsedAt: ServerSite.now,
            receipt: receipt)
    }
}
