import AsyncHTTPClient
import CertificatePins
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization
import Testing

@testable import CertificatePinsNIO

@Suite("HTTP clients with pins")
struct PinnedHTTPClientTests {
    @Test("a server with a pinned key is talked to", arguments: [false, true])
    func pinned(http2: Bool) async throws {
        try await LocalServer.with(identity: "leaf_ec", speaksHTTP2: http2) { server in
            let response = try await Self.get("https://localhost:\(server.port)/", Self.configuration())
            #expect(response.body == "hello")
            #expect(response.version == (http2 ? .http2 : .http1_1))
            #expect(server.requestCount == 1)
        }
    }

    @Test("the attacker's server is talked to without pins, for its chain is trusted here", arguments: [false, true])
    func attackerWithoutPins(http2: Bool) async throws {
        try await LocalServer.with(identity: "attacker", speaksHTTP2: http2) { server in
            var configuration = HTTPClient.Configuration()
            configuration.tlsConfiguration = try TestCertificates.clientTLS()
            let response = try await Self.get("https://localhost:\(server.port)/", configuration)
            #expect(response.body == "hello")
            #expect(response.version == (http2 ? .http2 : .http1_1))
        }
    }

    @Test(
        "with pins the caller sees the refusal with the attacker's key, and no request arrives",
        arguments: [false, true])
    func attacker(http2: Bool) async throws {
        try await LocalServer.with(identity: "attacker", speaksHTTP2: http2) { server in
            let refusal = PinRefusal.noneMatches(shown: [try TestCertificates.pin("attacker")])
            let events = Mutex<[PinEvent]>([])
            let policy = PinPolicy(
                try TestCertificates.pins(), report: { event in events.withLock { $0.append(event) } })
            await #expect(throws: refusal) {
                try await Self.get("https://localhost:\(server.port)/", Self.configuration(policy))
            }
            try await server.waitUntilFirstConnectionCloses()
            #expect(server.requestCount == 0)
            #expect(events.withLock(\.self) == [.refused(refusal)])
        }
    }

    @Test("with retries on, the caller sees the refusal when the time to connect has passed", arguments: [false, true])
    func attackerWithRetries(http2: Bool) async throws {
        try await LocalServer.with(identity: "attacker", speaksHTTP2: http2) { server in
            var configuration = try Self.configuration()
            configuration.connectionPool.retryConnectionEstablishment = true
            configuration.timeout.connect = .seconds(30)
            await #expect(throws: PinRefusal.noneMatches(shown: [try TestCertificates.pin("attacker")])) {
                try await Self.get("https://localhost:\(server.port)/", configuration)
            }
            #expect(server.requestCount == 0)
        }
    }

    @Test("many requests at once are all refused, and again after that")
    func manyRequests() async throws {
        try await LocalServer.with(identity: "attacker") { server in
            let url = "https://localhost:\(server.port)/"
            try await Self.withClient(Self.configuration()) { client in
                for _ in 0..<3 {
                    let refusals = await withTaskGroup(of: Bool.self) { group in
                        for _ in 0..<20 {
                            group.addTask {
                                do {
                                    _ = try await client.execute(HTTPClientRequest(url: url), timeout: .seconds(600))
                                    return false
                                } catch { return error is PinRefusal }
                            }
                        }
                        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
                    }
                    #expect(refusals == 20)
                }
            }
            #expect(server.requestCount == 0)
        }
    }

    @Test("a redirect of a pinned server to another ends there")
    func redirect() async throws {
        try await LocalServer.with(identity: "attacker") { attacker in
            let elsewhere = "https://localhost:\(attacker.port)/"
            try await LocalServer.with(identity: "leaf_ec", redirect: elsewhere) { server in
                await #expect(throws: PinRefusal.self) {
                    try await Self.get("https://localhost:\(server.port)/", Self.configuration())
                }
                #expect(server.requestCount == 1)
                #expect(attacker.requestCount == 0)
            }
        }
    }

    @Test("plain HTTP is refused, for it shows no certificate")
    func plainHTTP() async throws {
        try await LocalServer.with(identity: nil) { server in
            await #expect(throws: PinRefusal.noCertificate) {
                try await Self.get("http://localhost:\(server.port)/", Self.configuration())
            }
            #expect(server.requestCount == 0)
        }
    }

    @Test("expired pins refuse the pinned server, and allow any verified one where the rule says so")
    func expired() async throws {
        let date = Date(timeIntervalSince1970: 1_800_000_000)
        try await LocalServer.with(identity: "leaf_ec") { server in
            let policy = PinPolicy(try TestCertificates.pins(expiry: PinSet.Expiry(date: date)), now: { date })
            await #expect(throws: PinRefusal.expired(date)) {
                try await Self.get("https://localhost:\(server.port)/", Self.configuration(policy))
            }
        }
        try await LocalServer.with(identity: "attacker") { server in
            let expiry = PinSet.Expiry(date: date, rule: .allowAny)
            let policy = PinPolicy(try TestCertificates.pins(expiry: expiry), now: { date })
            let response = try await Self.get("https://localhost:\(server.port)/", Self.configuration(policy))
            #expect(response.body == "hello")
        }
    }

    @Test("a chain that is not trusted fails as such, before the pins are asked")
    func untrusted() async throws {
        try await LocalServer.with(identity: "leaf_ec") { server in
            let events = Mutex(0)
            let policy = PinPolicy(try TestCertificates.pins(), report: { _ in events.withLock { $0 += 1 } })
            var configuration = HTTPClient.Configuration()
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .certificates([try TestCertificates.certificate("leaf_rsa")])
            configuration.tlsConfiguration = tls
            try configuration.pinCertificates(policy)
            let pinned = configuration
            await #expect(throws: NIOSSLError.self) {
                try await Self.get("https://localhost:\(server.port)/", pinned)
            }
            #expect(events.withLock(\.self) == 0)
        }
    }

    @Test("an intermediate's pin does not help: only the server's own certificate is visible")
    func intermediate() async throws {
        try await LocalServer.with(identity: "leaf_ec") { server in
            let policy = PinPolicy(try TestCertificates.pins(["inter", "root"]))
            await #expect(throws: PinRefusal.noneMatches(shown: [try TestCertificates.pin("leaf_ec")])) {
                try await Self.get("https://localhost:\(server.port)/", Self.configuration(policy))
            }
        }
    }

    @Test("an initialiser of the app runs for allowed connections only", arguments: [false, true])
    func otherInitialiser(http2: Bool) async throws {
        for (identity, expected) in [("leaf_ec", 1), ("attacker", 0)] {
            try await LocalServer.with(identity: identity, speaksHTTP2: http2) { server in
                let runs = Counter()
                var configuration = HTTPClient.Configuration()
                configuration.tlsConfiguration = try TestCertificates.clientTLS()
                let count: @Sendable (any Channel) -> EventLoopFuture<Void> = { channel in
                    runs.increment()
                    return channel.eventLoop.makeSucceededVoidFuture()
                }
                configuration.http1_1ConnectionDebugInitializer = count
                configuration.http2ConnectionDebugInitializer = count
                try configuration.pinCertificates(PinPolicy(TestCertificates.pins()))
                _ = try? await Self.get("https://localhost:\(server.port)/", configuration)
                #expect(runs.value == expected)
            }
        }
    }

    @Test(
        "an HTTP client that verifies less than everything takes no pins",
        arguments: [CertificateVerification.none, .noHostnameVerification])
    func weakTLS(verification: CertificateVerification) throws {
        var configuration = HTTPClient.Configuration(certificateVerification: verification)
        let policy = PinPolicy(try TestCertificates.pins())
        #expect {
            try configuration.pinCertificates(policy)
        } throws: { error in
            if case PinError.configError = error { true } else { false }
        }
        #expect(configuration.http1_1ConnectionDebugInitializer == nil)
    }

    // MARK: Clients

    private static func configuration(_ policy: PinPolicy? = nil) throws -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration()
        configuration.tlsConfiguration = try TestCertificates.clientTLS()
        try configuration.pinCertificates(policy ?? PinPolicy(TestCertificates.pins()))
        return configuration
    }

    private static func withClient<R>(
        _ configuration: HTTPClient.Configuration, _ body: (HTTPClient) async throws -> R
    ) async throws -> R {
        let client = HTTPClient(eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: configuration)
        let result: Result<R, any Error>
        do { result = .success(try await body(client)) } catch { result = .failure(error) }
        try await client.shutdown()
        return try result.get()
    }

    private static func get(
        _ url: String, _ configuration: HTTPClient.Configuration
    ) async throws -> (version: HTTPVersion, body: String) {
        var configuration = configuration
        // Where nothing is to come too late, a busy machine has its time.
        if configuration.timeout.connect == nil { configuration.timeout.connect = .seconds(600) }
        return try await withClient(configuration) { client in
            let response = try await client.execute(HTTPClientRequest(url: url), timeout: .seconds(600))
            return (response.version, String(buffer: try await response.body.collect(upTo: 1024)))
        }
    }
}

private final class Counter: Sendable {
    private let count = Atomic<Int>(0)
    var value: Int { count.load(ordering: .relaxed) }
    func increment() { count.add(1, ordering: .relaxed) }
}
