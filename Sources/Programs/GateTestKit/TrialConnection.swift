import BasicFoundation
import NIOCore
import NIOPosix
import NIOSSL

/// A connection whose bytes its user sends and receives as they are, with or without TLS.
package final class TrialConnection: Sendable {
    package typealias Received = ConnectionInbox.Received

    private let channel: any Channel
    private let inbox: ConnectionInbox

    private init(_ channel: any Channel, _ inbox: ConnectionInbox) {
        self.channel = channel
        self.inbox = inbox
    }

    /// Takes over a connection that was accepted. To be called on the channel's event loop.
    convenience init(accepted channel: any Channel) throws {
        let inbox = ConnectionInbox()
        try channel.pipeline.syncOperations.addHandler(inbox.handler())
        self.init(channel, inbox)
    }

    /// - Parameters:
    ///   - tls: nil for plain text.
    ///   - serverName: whose certificate is expected.
    ///   - first: what is sent as soon as there is a connection, however long the caller has to wait for its turn.
    package static func open(
        host: String, port: Int, tls: NIOSSLContext? = nil, serverName: String? = nil, sending first: [UInt8] = []
    ) async throws -> TrialConnection {
        let inbox = ConnectionInbox()
        let (channel, sent): (any Channel, EventLoopFuture<Void>)
        do {
            (channel, sent) = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        if let tls {
                            try channel.pipeline.syncOperations.addHandler(
                                NIOSSLClientHandler(context: tls, serverHostname: serverName))
                        }
                        try channel.pipeline.syncOperations.addHandler(inbox.handler())
                    }
                }
                .connect(host: host, port: port)
                .map { channel in
                    guard !first.isEmpty else { return (channel, channel.eventLoop.makeSucceededVoidFuture()) }
                    return (channel, channel.writeAndFlush(channel.allocator.buffer(bytes: first)))
                }
                .get()
        } catch let error as NIOConnectionError {
            throw TrialFailure.unreachable(error.reason)
        } catch {
            throw TrialFailure.unreachable("\(error)")
        }
        let connection = TrialConnection(channel, inbox)
        do { try await sent.get() } catch {
            // All that is told is that the connection was closed before anything could be sent.
            guard tls != nil else { throw error }
            throw TrialFailure.unreachable("there is no TLS with a certificate of this authority")
        }
        return connection
    }

    package func send(_ bytes: [UInt8]) async throws {
        try await channel.writeAndFlush(channel.allocator.buffer(bytes: bytes))
    }

    /// What has come; else what comes next.
    ///
    /// - Parameter patience: nil: however long it takes.
    package func receive(within patience: Duration? = nil) async -> Received {
        await inbox.next(within: patience, on: channel.eventLoop)
    }

    /// Reads nothing more until it is told to: what comes stays with the system, and then with who sends it.
    package func pauseReading(_ isPaused: Bool) async throws {
        try await channel.setOption(.autoRead, value: !isPaused).get()
    }

    /// Ends it at once.
    package func close() async { try? await channel.close() }

    deinit { channel.close(promise: nil) }
}

extension NIOConnectionError {
    /// Why nothing answers there, in the system's words.
    fileprivate var reason: String {
        guard let failure = connectionErrors.first else { return "the name \(host) is not known" }
        return (failure.error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(failure.error)"
    }
}
