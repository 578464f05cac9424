import AppAttest
import Crypto
import Foundation
import NIOHTTP1
import Testing
import TextForms
import WebSocketFrames

@testable import Gate

/// A gate with everything around it that a server would bring, but sockets.
final class Site: Sendable {
    static let environment = [
        "APPATTEST_BUNDLE_ID": "com.example.gate", "APPATTEST_TEAM_ID": "TESTTEAM01",
        "UPSTREAM_URL": "ws://127.0.0.1:9", "INBOUND_TLS_MODE": "off",
    ]
    static let tls = ["INBOUND_TLS_MODE": "required", "TLS_CERT_PATH": "cert.pem", "TLS_KEY_PATH": "key.pem"]
    /// The address of the clients, unless a test says another.
    static let address = IPAddress(v4: 0xc000_0201)

    let clock: StillClock
    let keys: ScriptedKeyStore
    let nonces = ScriptedNonceStore()
    let events = EventList()
    let gate: AccessControl
    let configuration: GateConfiguration

    init(
        _ changes: [String: String] = [:], without: [String] = [], verifier: FormVerifier = FormVerifier(),
        clock: StillClock = StillClock(), keys: ScriptedKeyStore = ScriptedKeyStore(), accounts: AccountNames? = nil,
        devices: (any DeviceBitsService)? = nil, nonceStore: (any NonceStore)? = nil
    ) throws {
        self.keys = keys
        var environment = Self.environment.merging(changes) { $1 }
        for name in without { environment[name] = nil }
        self.clock = clock
        configuration = try GateConfiguration(SettingSources(environment: environment))
        let random = SeededRandom()
        let issuer = NonceIssuer(
            configuration.nonces.mode == .stored ? .stored : .sealed(NonceSeal()),
            lifetime: configuration.nonces.lifetime,
            bindsAddress: configuration.nonces.bindsAddress, store: nonceStore ?? nonces, isShared: false,
            clock: clock, random: random)
        var parts = AccessControl.Parts(
            keys: keys, nonces: issuer, attestations: verifier, assertions: verifier, clock: clock, random: random,
            events: events)
        parts.accounts = accounts
        parts.devices = devices
        gate = AccessControl(configuration, parts: parts)
    }

    /// What came back.
    struct Reply {
        var status: Int
        var headers: HTTPHeaders
        var body: [UInt8] = []
        var closeFrame: ClosePayload?
        /// Lives as long as the reply: the connection it stands for is counted.
        var admission: Admission?

        init(_ answer: Answer) {
            status = answer.status
            headers = answer.headers
            body = answer.body
        }

        init(_ decision: UpgradeDecision) {
            switch decision {
            case .refuse(let answer): self.init(answer)
            case .admit(let admission):
                self.init(Answer(status: 101, headers: [("Sec-WebSocket-Accept", admission.handshake.accept)]))
                self.admission = admission
            case .close(let handshake, let payload):
                self.init(Answer(status: 101, headers: [("Sec-WebSocket-Accept", handshake.accept)]))
                closeFrame = payload
            }
        }

        var text: String { String(decoding: body, as: UTF8.self) }

        func member(_ name: String) -> String? {
            let object = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
            return object?[name].map { "\($0)" }
        }

        var code: String? { member("code") }
        var reason: String? { member("reason") }
    }

    /// Goes the way of a server: head, route, limits, body, decision.
    func send(
        _ method: String, _ target: String, _ headers: [(String, String)] = [], body: [UInt8] = [],
        version: HTTPVersion = .http1_1, from address: IPAddress = Site.address,
        certificate: PeerCertificate? = nil
    ) async -> Reply {
        var fields = HTTPHeaders(headers)
        if version == .http1_1, !fields.contains(name: "host") { fields.add(name: "Host", value: "gate.example") }
        if !body.isEmpty, !fields.contains(name: "content-length"), !fields.contains(name: "transfer-encoding") {
            fields.add(name: "Content-Length", value: String(body.count))
        }
        return await send(
            HTTPRequestHead(version: version, method: HTTPMethod(rawValue: method), uri: target, headers: fields), body,
            address, certificate)
    }

    func send(
        _ head: HTTPRequestHead, _ body: [UInt8] = [], _ address: IPAddress = Site.address,
        _ certificate: PeerCertificate? = nil
    ) async -> Reply {
        let visitor = Visitor(
            peer: address, headers: head.headers, certificate: certificate, requestID: gate.requestID(),
            by: configuration.addresses)
        switch gate.route(head) {
        case .answer(let answer): return Reply(answer)
        case .refuse(let refusal): return Reply(gate.answer(refusal, to: visitor))
        case .challenge: return Reply(await gate.challenge(to: visitor, headers: head.headers))
        case .challengeHead: return Reply(gate.challengeHead())
        case .ready(let isHead): return Reply(gate.ready(isHead: isHead))
        case .forwardAuthentication: return Reply(await gate.forwardAuthentication(head, from: visitor))
        case .upgrade: return Reply(await gate.decide(head, from: visitor))
        case .register:
            if let answer = gate.registrationRefusal(head, from: visitor) { return Reply(answer) }
            return Reply(await gate.register(body: body, from: visitor))
        }
    }

    // MARK: What an app does

    func nonce(from address: IPAddress = Site.address) async throws -> String {
        try #require(await send("GET", "/attest/challenge", from: address).member("nonce"))
    }

    static func hash(_ nonce: String) -> [UInt8] { Array(SHA256.hash(data: Hex.decode(nonce) ?? [])) }

    func register(
        _ device: FormDevice, nonce: String? = nil, over other: String? = nil, field: String = "clientData",
        from address: IPAddress = Site.address
    ) async throws -> Reply {
        let nonce = if let nonce { nonce } else { try await self.nonce(from: address) }
        let attestation = Base64.encode(device.attestation(over: Self.hash(other ?? nonce)))
        let body = """
            {"keyId":"\(Base64.encode(device.keyID.bytes))","attestation":"\(attestation)","\(field)":"\(nonce)"}
            """
        return await send(
            "POST", "/attest/register", [("Content-Type", "application/json")], body: Array(body.utf8), from: address)
    }

    static let handshake: [(String, String)] = [
        ("Connection", "Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13"),
        ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ]

    static func assertion(_ device: FormDevice, _ nonce: String, counter: UInt32, by signer: FormDevice? = nil)
        -> [(String, String)]
    {
        [
            ("X-App-Assert-KeyId", Base64.encode(device.keyID.bytes)),
            ("X-App-Assert-Data", Base64.encode((signer ?? device).assertion(over: hash(nonce), counter: counter))),
            ("X-App-Assert-Nonce", nonce),
        ]
    }

    func connect(
        _ device: FormDevice, counter: UInt32, nonce: String? = nil, from address: IPAddress = Site.address
    ) async throws -> Reply {
        let nonce = if let nonce { nonce } else { try await self.nonce(from: address) }
        return await send(
            "GET", "/", Self.handshake + Self.assertion(device, nonce, counter: counter), from: address)
    }

    /// A device whose key is registered.
    func registered(_ number: UInt8, counter: UInt32 = 0) async throws -> FormDevice {
        let device = FormDevice(number)
        let appID = try #require(FormVerifier.appID)
        await keys.put(
            AttestedKey(
                id: device.keyID, appID: appID, environment: .production, publicKey: device.publicKey,
                signCount: counter, registeredAt: clock.now, lastUsedAt: clock.now))
        return device
    }
}
