import NIOCore
import NIOPosix

/// A service of a few lines: each connection is given to a closure, and ends when that returns.
package final class TrialServer: Sendable {
    private let channel: any Channel

    package var port: Int { channel.localAddress?.port ?? 0 }

    private init(_ channel: any Channel) { self.channel = channel }

    /// Listens on a free port of the loopback.
    package static func start(
        _ serve: @escaping @Sendable (TrialConnection) async throws -> Void
    ) async throws -> TrialServer {
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let connection = try TrialConnection(accepted: channel)
                    Task {
                        try? await serve(connection)
                        await connection.close()
                    }
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return TrialServer(channel)
    }

    package func stop() async { try? await channel.close() }

    deinit { channel.close(promise: nil) }
}
