import CertificatePins
import NIOCore
import NIOPosix
import NIOSSL
import Testing

@testable import CertificatePinsNIO

@Suite("TLS clients with pins")
struct PinnedTLSClientTests {
    private static let request = "GET / HTTP/1.1\r\nhost: localhost\r\n\r\n"

    @Test("a pinned server gets what was written before the handshake, and answers")
    func pinned() async throws {
        try await LocalServer.with(identity: "leaf_ec") { server in
            let exchange = try await Self.exchange(with: server, pins: ["leaf_ec", "backup"])
            try await exchange.written.get()
            let answer = try await exchange.answer.get()
            #expect(answer.hasSuffix("hello"))
            #expect(server.requestCount == 1)
        }
    }

    @Test("an attacker's server gets nothing: the early write fails with the refusal, and the connection closes")
    func attacker() async throws {
        try await LocalServer.with(identity: "attacker") { server in
            let refusal = PinRefusal.noneMatches(shown: [try TestCertificates.pin("attacker")])
            let exchange = try await Self.exchange(with: server, pins: ["leaf_ec", "backup"])
            await #expect(throws: refusal) { try await exchange.written.get() }
            await #expect(throws: refusal) { try await exchange.answer.get() }
            try await server.waitUntilFirstConnectionCloses()
            #expect(server.requestCount == 0)
        }
    }

    @Test("a certificate for another name fails as such, though its key is pinned")
    func otherName() async throws {
        try await LocalServer.with(identity: "leaf_ec") { server in
            let exchange = try await Self.exchange(
                with: server, pins: ["leaf_ec", "backup"], host: "other.example.test")
            await #expect(throws: NIOSSLExtraError.self) { try await exchange.answer.get() }
            #expect(server.requestCount == 0)
        }
    }

    @Test("an intermediate's pin counts in a chain that a verification gives back, and not in one the server sends")
    func intermediate() async throws {
        try await LocalServer.with(identity: "leaf_ec") { server in
            let sent = try await Self.exchange(with: server, pins: ["inter", "root"])
            await #expect(throws: PinRefusal.noneMatches(shown: [try TestCertificates.pin("leaf_ec")])) {
                try await sent.answer.get()
            }
            let root = try TestCertificates.certificate("root")
            // Stands for a verification that found the path leaf, intermediate, root.
            let verified = try await Self.exchange(with: server, pins: ["inter", "backup"]) { presented, promise in
                promise.succeed(
                    .certificateVerified(VerificationMetadata(ValidatedCertificateChain(presented + [root]))))
            }
            #expect(try await verified.answer.get().hasSuffix("hello"))
        }
    }

    @Test("a verification that gives back no chain leaves the server's own certificate")
    func noChain() async throws {
        try await LocalServer.with(identity: "attacker") { server in
            let exchange = try await Self.exchange(with: server, pins: ["leaf_ec", "backup"]) { _, promise in
                promise.succeed(.certificateVerified(VerificationMetadata(nil)))
            }
            await #expect(throws: PinRefusal.noneMatches(shown: [try TestCertificates.pin("attacker")])) {
                try await exchange.answer.get()
            }
        }
    }

    @Test(
        "a client's TLS that verifies less than everything is refused",
        arguments: [CertificateVerification.none, .noHostnameVerification])
    func weakTLS(verification: CertificateVerification) throws {
        var configuration = try TestCertificates.clientTLS()
        configuration.certificateVerification = verification
        let policy = PinPolicy(try TestCertificates.pins())
        #expect {
            try PinnedTLSClient(configuration: configuration, policy: policy)
        } throws: { error in
            if case PinError.configError = error { true } else { false }
        }
    }

    @Test(
        "the key as this package reads it is the key as BoringSSL writes it",
        arguments: ["leaf_ec", "leaf_rsa", "leaf_ed", "root"])
    func sameKey(name: String) throws {
        let theirs = try TestCertificates.certificate(name).extractPublicKey().toSPKIBytes()
        #expect(Array(try SubjectPublicKeyInfo(certificate: TestCertificates.der(name)).derBytes) == theirs)
    }

    // MARK: A connection

    private struct Exchange {
        let written: EventLoopFuture<Void>
        /// All that the server sent.
        let answer: EventLoopFuture<String>
    }

    /// Connects and writes a request at once, before there can have been a handshake.
    private static func exchange(
        with server: LocalServer, pins: [String], host: String = "localhost",
        verifyingWith verify: (
            @Sendable ([NIOSSLCertificate], EventLoopPromise<NIOSSLVerificationResultWithMetadata>) -> Void
        )? = nil
    ) async throws -> Exchange {
        let client = try PinnedTLSClient(
            configuration: TestCertificates.clientTLS(), policy: PinPolicy(TestCertificates.pins(pins)))
        let eventLoop = MultiThreadedEventLoopGroup.singleton.any()
        let written = eventLoop.makePromise(of: Void.self)
        let answer = eventLoop.makePromise(of: String.self)
        _ = try await ClientBootstrap(group: eventLoop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let verify {
                        try client.addHandlers(to: pipeline, host: host, verifyingWith: verify)
                    } else {
                        try client.addHandlers(to: pipeline, host: host)
                    }
                    try pipeline.addHandler(Asker(request: Self.request, written: written, answer: answer))
                }
            }
            .connect(host: "127.0.0.1", port: server.port).get()
        return Exchange(written: written.futureResult, answer: answer.futureResult)
    }
}

/// Writes a request when the connection stands, collects the answer, and closes.
private final class Asker: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let request: String
    private let written: EventLoopPromise<Void>
    private let answer: EventLoopPromise<String>
    private var received = ""

    init(request: String, written: EventLoopPromise<Void>, answer: EventLoopPromise<String>) {
        self.request = request
        self.written = written
        self.answer = answer
    }

    func channelActive(context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: request)), promise: written)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received += String(buffer: unwrapInboundIn(data))
        if received.hasSuffix("hello") { context.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        answer.fail(error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        answer.succeed(received)
    }
}
