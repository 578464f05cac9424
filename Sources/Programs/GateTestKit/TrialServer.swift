import NIOCore
import NIOPosix
import NIOSSL

/// A service of a few lines: each connection is given to a closure, and ends when that returns; or all are handed out.
package final class TrialServer: Sendable {
    private let channel: any Channel

    package var port: Int { channel.localAddress?.port ?? 0 }

    private init(_ channel: any Channel) { self.channel = channel }

    /// Listens on a free port of the loopback.
    package static func start(
        _ serve: @escaping @Sendable (TrialConnection) async throws -> Void
    ) async throws -> TrialServer {
        try await listen(nil, at: nil) { connection in
            Task {
                try? await serve(connection)
                await connection.close()
            }
        }
    }

    /// Listens, and hands out what connects. A connection ends with its last reference.
    ///
    /// - Parameters:
    ///   - certificate: paths of PEM files, for TLS; nil: plain text.
    ///   - path: of a Unix socket; nil: a free port of the loopback.
    package static func accepting(
        certificate: (chain: String, key: String)? = nil, at path: String? = nil
    ) async throws -> (server: TrialServer, connections: AsyncStream<TrialConnection>) {
        let (connections, continuation) = AsyncStream.makeStream(of: TrialConnection.self)
        let server = try await listen(certificate.map(context), at: path) { continuation.yield($0) }
        return (server, connections)
    }

    private static func context(_ certificate: (chain: String, key: String)) throws -> NIOSSLContext {
        try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMFile(certificate.chain).map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(file: certificate.key, format: .pem))))
    }

    private static func listen(
        _ tls: NIOSSLContext?, at path: String?, take: @escaping @Sendable (TrialConnection) -> Void
    ) async throws -> TrialServer {
        let bootstrap = ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
                    take(try TrialConnection(accepted: channel))
                }
            }
        if let path { return TrialServer(try await bootstrap.bind(unixDomainSocketPath: path).get()) }
        return TrialServer(try await bootstrap.bind(host: "127.0.0.1", port: 0).get())
    }

    package func stop() async { try? await channel.close() }

    deinit { channel.close(promise: nil) }
}
