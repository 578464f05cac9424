import CertificatePins
import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL
import Synchronization
import Testing

/// A server on 127.0.0.1 under the name localhost that answers every request, and counts what it saw.
final class LocalServer: Sendable {
    let port: Int
    private let channel: any Channel
    private let log: Log

    /// What reached the server.
    final class Log: Sendable {
        let requestCount = Atomic<Int>(0)
        let firstConnectionClosed: EventLoopPromise<Void>

        init() {
            firstConnectionClosed = MultiThreadedEventLoopGroup.singleton.any().makePromise()
        }
    }

    private init(channel: any Channel, log: Log) throws {
        self.channel = channel
        self.log = log
        port = try #require(channel.localAddress?.port)
    }

    /// Runs a server for the time of `body`.
    ///
    /// - Parameters:
    ///   - identity: the name of the certificate, or nil for plain HTTP.
    ///   - speaksHTTP2: offers it before HTTP/1.1.
    ///   - redirect: where all requests are sent, if anywhere.
    static func with<R>(
        identity: String?, speaksHTTP2: Bool = false, redirect: String? = nil, _ body: (LocalServer) async throws -> R
    ) async throws -> R {
        let log = Log()
        let context = try identity.map { try NIOSSLContext(configuration: serverTLS(identity: $0, http2: speaksHTTP2)) }
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.closeFuture.cascade(to: log.firstConnectionClosed)
                return channel.eventLoop.makeCompletedFuture {
                    if let context {
                        try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    }
                }.flatMap {
                    let answer: @Sendable (any Channel) -> EventLoopFuture<Void> = { channel in
                        channel.eventLoop.makeCompletedFuture {
                            try channel.pipeline.syncOperations.addHandler(Answerer(log: log, redirect: redirect))
                        }
                    }
                    return context == nil
                        ? channel.pipeline.configureHTTPServerPipeline().flatMap { answer(channel) }
                        : channel.configureCommonHTTPServerPipeline(answer)
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let server = try LocalServer(channel: channel, log: log)
        let result: Result<R, any Error>
        do { result = .success(try await body(server)) } catch { result = .failure(error) }
        try await channel.close()
        // Settled also where nobody connected, so that no promise is left behind.
        log.firstConnectionClosed.succeed()
        return try result.get()
    }

    var requestCount: Int { log.requestCount.load(ordering: .relaxed) }

    func waitUntilFirstConnectionCloses() async throws {
        try await log.firstConnectionClosed.futureResult.get()
    }

    private static func serverTLS(identity: String, http2: Bool) throws -> TLSConfiguration {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try [identity, "inter"].map { .certificate(try TestCertificates.certificate($0)) },
            privateKey: .privateKey(try TestCertificates.key(identity)))
        configuration.applicationProtocols = http2 ? ["h2", "http/1.1"] : ["http/1.1"]
        return configuration
    }
}

/// Answers every request with "hello", or sends it elsewhere.
private final class Answerer: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let log: LocalServer.Log
    private let redirect: String?

    init(log: LocalServer.Log, redirect: String?) {
        self.log = log
        self.redirect = redirect
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: log.requestCount.add(1, ordering: .relaxed)
        case .body: break
        case .end:
            var head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["content-length": "5"])
            if let redirect {
                head.status = .temporaryRedirect
                head.headers.add(name: "location", value: redirect)
            }
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: "hello")))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }

    /// Clients that refuse end connections in the rudest way.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}

/// Certificates and keys of the tests over pins (CertificatePinsTests/Fixtures/README.md says where they come from).
enum TestCertificates {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "CertificatePinsTests/Fixtures/spki")

    static func der(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: "\(name).der")))
    }

    static func certificate(_ name: String) throws -> NIOSSLCertificate {
        try NIOSSLCertificate(bytes: der(name), format: .der)
    }

    static func key(_ name: String) throws -> NIOSSLPrivateKey {
        try NIOSSLPrivateKey(file: folder.appending(path: "\(name).key.pem").path, format: .pem)
    }

    static func pin(_ name: String) throws -> SPKIPin { try SPKIPin(certificate: der(name)) }

    static func pins(_ names: [String] = ["leaf_ec", "backup"], expiry: PinSet.Expiry? = nil) throws -> PinSet {
        try PinSet(names.map(pin), expiry: expiry)
    }

    /// Trusts the root that signed all of them, the attacker's too: what an attacker with a rogue authority has.
    static func clientTLS() throws -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .certificates([try certificate("root")])
        return configuration
    }
}
