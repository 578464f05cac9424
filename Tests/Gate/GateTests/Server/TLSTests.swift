import AppAttest
import AppAttestTestKit
import Crypto
import Foundation
import NIOSSL
import SwiftASN1
import Synchronization
import TestSupport
import Testing
import X509

@testable import Gate

/// Certificates of one authority, made anew.
struct Certificates {
    let authority: Certificate
    private let key = Certificate.PrivateKey(P256.Signing.PrivateKey())

    init(_ name: String = "Test Authority") throws {
        let name = try DistinguishedName { CommonName(name) }
        authority = try Certificate(
            version: .v3, serialNumber: .init(), publicKey: key.publicKey, notValidBefore: .now - 3_600,
            notValidAfter: .now + 86_400, issuer: name, subject: name, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                Critical(KeyUsage(keyCertSign: true))
            }, issuerPrivateKey: key)
    }

    var authorityPEM: String { get throws { try authority.serializeAsPEM().pemString } }

    func issue(
        _ name: String, usage: ExtendedKeyUsage.Usage? = nil, hosts: [String] = ["gate.test"]
    ) throws -> (certificate: String, key: String) {
        let own = Certificate.PrivateKey(P256.Signing.PrivateKey())
        let certificate = try Certificate(
            version: .v3, serialNumber: .init(), publicKey: own.publicKey, notValidBefore: .now - 3_600,
            notValidAfter: .now + 86_400, issuer: authority.subject,
            subject: try DistinguishedName { CommonName(name) }, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                SubjectAlternativeNames(hosts.map { .dnsName($0) })
                if let usage { try ExtendedKeyUsage([usage]) }
            }, issuerPrivateKey: key)
        return (try certificate.serializeAsPEM().pemString, try own.serializeAsPEM().pemString)
    }
}

extension Certificates {
    /// How a client speaks that trusts what this authority has issued.
    func trust() throws -> TLSConfiguration {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(authorityPEM.utf8)))
        return tls
    }
}

@Suite("The gate behind TLS", .timeLimit(.minutes(30)))
struct TLSTests {
    let files: TemporaryFolder
    let servers: Certificates
    let clients: Certificates

    init() throws {
        files = try TemporaryFolder()
        servers = try Certificates()
        clients = try Certificates("Client Authority")
    }

    private func environment(_ changes: [String: String] = [:]) throws -> [String: String] {
        let server = try servers.issue("gate.test")
        return [
            "INBOUND_TLS_MODE": "required", "TLS_CERT_PATH": try files.write(server.certificate, to: "cert.pem"),
            "TLS_KEY_PATH": try files.write(server.key, to: "key.pem"),
        ].merging(changes) { $1 }
    }

    private func trust(_ own: (certificate: String, key: String)? = nil) throws -> TLSConfiguration {
        var tls = try servers.trust()
        if let own {
            tls.certificateChain = try NIOSSLCertificate.fromPEMBytes(Array(own.certificate.utf8)).map {
                .certificate($0)
            }
            tls.privateKey = .privateKey(try NIOSSLPrivateKey(bytes: Array(own.key.utf8), format: .pem))
        }
        return tls
    }

    @Test("a device connects over TLS to an upstream behind TLS")
    func tls() async throws {
        let back = try await ServerSite(environment(["REQUIRE_APP_AUTH": "false"]))
        let front = try await ServerSite(
            environment([
                "UPSTREAM_URL": "wss://127.0.0.1:\(back.port)", "UPSTREAM_TLS_SERVER_NAME": "gate.test",
                "UPSTREAM_TLS_CA_PATH": try files.write(servers.authorityPEM, to: "upstream.pem"),
                "REQUIRE_APP_AUTH": "false",
            ]), before: back)
        let client = try await front.webSocket(tls: trust())
        let large = [UInt8](repeating: 3, count: 200_000)
        try await client.send(RawClient.frame(0x82, large))
        #expect(try await client.readMessage().payload == large)
        try await client.send(close: 1000)
        #expect(try await client.readMessage().closeCode == 1000)
        #expect(await client.rest().isEmpty)
        #expect(front.server.gate.metrics.certificateExpiry.value > Int(Date().timeIntervalSince1970))
    }

    @Test("an upstream whose certificate nobody vouches for is not reached")
    func untrustedUpstream() async throws {
        let back = try await ServerSite(environment(["REQUIRE_APP_AUTH": "false"]))
        let front = try await ServerSite(
            [
                "UPSTREAM_URL": "wss://127.0.0.1:\(back.port)", "UPSTREAM_TLS_SERVER_NAME": "gate.test",
                "UPSTREAM_TLS_CA_PATH": try files.write(clients.authorityPEM, to: "other.pem"),
                "REQUIRE_APP_AUTH": "false",
            ], before: back)
        let code = try await front.request("GET", "/", RawClient.handshake).code
        #expect(code == "upstream_unreachable")
        #expect(front.events.events.compactMap(\.detail?.description).last?.hasPrefix("TLS") == true)
        #expect(front.server.gate.metrics.upstreamErrors.value(.tls) == 1)
    }

    /// Outside production, with a certificate that leads to the right authority, and is for clients.
    @Test("a client certificate stands in for an assertion where that is allowed, and nowhere else")
    func clientCertificates() async throws {
        let settings = [
            "ALLOW_MTLS_FALLBACK": "true",
            "MTLS_CLIENT_CA_PATH": try files.write(clients.authorityPEM, to: "clients.pem"),
        ]
        let site = try await ServerSite(environment(settings))
        let good = try trust(clients.issue("a developer"))
        let forClients = try trust(clients.issue("a developer", usage: .clientAuth))
        let forServers = try trust(clients.issue("a server", usage: .serverAuth))
        func status(_ tls: TLSConfiguration, _ site: ServerSite, _ fields: [(String, String)] = []) async throws -> Int
        {
            try await site.connect(tls: tls).request("GET", "/", RawClient.handshake + fields).status
        }
        #expect(try await status(good, site) == 101)
        #expect(try await status(forClients, site) == 101)
        #expect(try await status(trust(), site) == 401)
        let bad = try await site.assertion(tls: trust())
        #expect(try await status(good, site, bad) == 401)
        // A certificate that does not verify ends the handshake.
        for tls in [forServers, try trust(servers.issue("a stranger"))] {
            await #expect(throws: (any Error).self) { try await status(tls, site) }
        }
        let upstream = ["UPSTREAM_URL": "ws://127.0.0.1:1"]
        let production = try await ServerSite(
            environment(settings.merging(upstream) { $1 }), without: ["APP_ENV"])
        #expect(try await status(good, production) == 401)
        let named = try await ServerSite(
            environment(settings.merging(["MTLS_ALLOWED_SUBJECTS": "somebody else"]) { $1 }))
        #expect(try await status(good, named) == 401)
    }

    @Test("a handshake that does not end in time is cut")
    func slowHandshake() async throws {
        let site = try await ServerSite(environment(["TLS_HANDSHAKE_TIMEOUT_MS": "200"]))
        let client = try await site.connect()
        // On a busy machine the time may be over before the bytes are there.
        try? await client.send([0x16, 0x03, 0x01])
        #expect(await client.rest().isEmpty)
    }

    @Test("a key that is of another certificate is refused at the start, by the name of its setting")
    func mismatch() async throws {
        let other = try files.write(servers.issue("gate.test").key, to: "other-key.pem")
        let settings = ServerSite.environment.merging(try environment(["TLS_KEY_PATH": other])) { $1 }
        let configuration = try ServerSite.configuration(settings)
        let stores = try await ServerSite.stores()
        #expect {
            try GateServer(
                configuration,
                parts: GateServer.Parts(keys: stores.keys, nonces: stores.nonces, events: EventList()))
        } throws: {
            "\($0)".hasPrefix("TLS_KEY_PATH")
        }
    }

    @Test(
        "a file that others may read or write is refused at the start, by the name of its setting",
        arguments: [
            ("TLS_KEY_PATH", 0o644), ("TLS_KEY_PATH", 0o620), ("TLS_CERT_PATH", 0o666), ("TLS_CERT_PATH", 0o664),
            ("MTLS_CLIENT_CA_PATH", 0o646), ("ADMIN_TOKEN_PATH", 0o644), ("NONCE_SECRET_PATH", 0o604),
        ])
    func modes(_ setting: String, _ mode: Int) async throws {
        let paths = [
            "MTLS_CLIENT_CA_PATH": try files.write(clients.authorityPEM, to: "clients.pem"),
            "ADMIN_TOKEN_PATH": try files.write("0123456789abcdef", to: "token"),
            "NONCE_SECRET_PATH": try files.write(String(repeating: "s", count: 32), to: "secret"),
        ]
        let changes = try environment(
            paths.merging(["ALLOW_MTLS_FALLBACK": "true", "NONCE_MODE": "sealed", "ADMIN_BIND": "127.0.0.1:1"]) { $1 }
                .merging(["STORE_URL": "postgres://h/d"]) { $1 })
        let settings = ServerSite.environment.merging(changes) { $1 }
        let configuration = try ServerSite.configuration(settings)
        let stores = try await ServerSite.stores()
        let parts = GateServer.Parts(keys: stores.keys, nonces: stores.nonces, events: EventList())
        _ = try GateServer(configuration, parts: parts)
        let path = try #require(settings[setting])
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        #expect { try GateServer(configuration, parts: parts) } throws: {
            "\($0)".hasPrefix(setting) && "\($0)".contains("chmod")
        }
    }

    @Test("of TLS 1.2 only suites with authenticated encryption are spoken")
    func suites() async throws {
        let site = try await ServerSite(environment())
        for (suite, isSpoken) in [
            (NIOTLSCipher.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA, false), (.TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA, false),
            (.TLS_RSA_WITH_AES_128_CBC_SHA, false), (.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, true),
        ] {
            var tls = try trust()
            tls.maximumTLSVersion = .tlsv12
            tls.cipherSuiteValues = [suite]
            let status = try? await site.connect(tls: tls).request("GET", "/healthz").status
            #expect(status == (isSpoken ? 200 : nil), "\(suite)")
        }
        var modern = try trust()
        modern.minimumTLSVersion = .tlsv13
        #expect(try await site.connect(tls: modern).request("GET", "/healthz").status == 200)
    }

    @Test("a certificate is exchanged while connections live on; a pair that does not fit is not taken")
    func reload() async throws {
        let settings = try environment(["REQUIRE_APP_AUTH": "false"])
        let site = try await ServerSite(settings)
        let before = try await site.webSocket(tls: trust())
        let others = try Certificates("Other Authority")
        let new = try others.issue("gate.test")
        _ = try files.write(new.certificate, to: "cert.pem")
        _ = await site.server.reload(site.server.configuration)
        #expect(site.events.events.contains { $0.name == .reloadFailed })
        #expect(try await site.connect(tls: trust()).request("GET", "/healthz").status == 200)
        _ = try files.write(new.key, to: "key.pem")
        _ = await site.server.reload(site.server.configuration)
        #expect(site.events.events.contains { $0.name == .certificateReloaded })
        await #expect(throws: (any Error).self) {
            try await site.connect(tls: trust()).request("GET", "/healthz")
        }
        try await before.send(text: "still here")
        #expect(try await before.readMessage().payload == Array("still here".utf8))
    }

    @Test("a pair that became whole while its half was judged is still to be read")
    func lateKey() throws {
        let settings = try #require(
            try ServerSite.configuration(ServerSite.environment.merging(environment()) { $1 }).listener.tls)
        let new = try Certificates("Other Authority").issue("gate.test")
        let isLate = Atomic(false)
        let tls = try ServerTLS(settings) { [files] in
            guard isLate.load(ordering: .relaxed) else { return }
            _ = try? files.write(new.key, to: "key.pem")
        }
        #expect(!tls.hasChanged)
        _ = try files.write(new.certificate, to: "cert.pem")
        isLate.store(true, ordering: .relaxed)
        #expect(throws: GateServerError.self) { try tls.reload() }
        isLate.store(false, ordering: .relaxed)
        #expect(tls.hasChanged)
        try tls.reload()
        #expect(!tls.hasChanged)
    }

    @Test("a reload lets in neither an older version of TLS nor the clients of another authority")
    func reloadOfOthers() async throws {
        let others = try Certificates("Other Authority")
        let settings = [
            "ALLOW_MTLS_FALLBACK": "true", "TLS_MIN_VERSION": "1.3",
            "MTLS_CLIENT_CA_PATH": try files.write(clients.authorityPEM, to: "clients.pem"),
        ]
        let site = try await ServerSite(environment(settings))
        let changes = [
            "TLS_MIN_VERSION": "1.2", "MTLS_CLIENT_CA_PATH": try files.write(others.authorityPEM, to: "others.pem"),
        ]
        let new = try environment(settings.merging(changes) { $1 })
        let waiting = await site.server.reload(
            try ServerSite.configuration(ServerSite.environment.merging(new) { $1 }))
        #expect(waiting.sorted() == changes.keys.sorted())
        // The certificate, which was made anew, is taken over.
        #expect(site.events.events.contains { $0.name == .certificateReloaded })
        var old = try trust()
        old.maximumTLSVersion = .tlsv12
        for refused in [old, try trust(others.issue("a stranger"))] {
            await #expect(throws: (any Error).self) {
                try await site.connect(tls: refused).request("GET", "/healthz")
            }
        }
        let known = try trust(clients.issue("a developer"))
        #expect(try await site.connect(tls: known).request("GET", "/", RawClient.handshake).status == 101)
    }
}
