import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket
import StrictJSON
import Synchronization

/// A node at the other end of a WebSocket.
final class WebSocketNode: NodeConnection {
    private let url: NodeURL
    private let limits: NodeLimits
    private let channel: any Channel
    private let inbox: NIOLoopBound<WebSocketInbox>
    private let lastID = Atomic(0)

    private init(url: NodeURL, limits: NodeLimits, channel: any Channel, inbox: NIOLoopBound<WebSocketInbox>) {
        self.url = url
        self.limits = limits
        self.channel = channel
        self.inbox = inbox
    }

    func close() async { try? await channel.close() }

    func call(_ method: String, _ parameters: [JSON]) async throws -> JSON {
        let id = lastID.add(1, ordering: .relaxed).newValue
        let question = JSONRPC.question(id: id, method, parameters)
        let message = try await next(sending: question, within: limits.answer, method: method)
        return try JSONRPC.result(message, id: id, method: method)
    }

    func notification(of subscription: JSON) async throws -> JSON? {
        let message = try await next(sending: nil, within: limits.notification, method: "a subscription")
        guard case .notification(subscription, let result) = message else {
            throw NodeError.malformedAnswer(method: "a subscription", reason: "it is about something else")
        }
        return result
    }

    private func next(
        sending question: [UInt8]?, within patience: Duration, method: String
    ) async throws -> JSONRPC.Message {
        let (channel, inbox) = (channel, inbox)
        let bytes = try await channel.eventLoop.flatSubmit {
            if let question {
                let data = channel.allocator.buffer(bytes: question)
                channel.writeAndFlush(
                    WebSocketFrame(fin: true, opcode: .text, maskKey: .random(), data: data), promise: nil)
            }
            return inbox.value.next(within: patience, on: channel)
        }.get()
        return try JSONRPC.message(bytes, limit: limits.answerByteCount, method: method)
    }

    // MARK: Connecting

    private enum Upgraded: Sendable {
        case node(NIOLoopBound<WebSocketInbox>, any Channel)
        case refused
    }

    /// Connects, and makes the handshake.
    ///
    /// - Throws: ``NodeError``.
    static func open(_ url: NodeURL, limits: NodeLimits) async throws -> WebSocketNode {
        let start = ContinuousClock.now
        do {
            let tls = url.isEncrypted ? try NIOSSLContext(configuration: .makeClientConfiguration()) : nil
            let upgrade = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connectTimeout(TimeAmount(limits.connection))
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .connect(host: url.host, port: url.port) { channel in
                    channel.eventLoop.makeCompletedFuture { try configure(channel, for: url, tls: tls, limits: limits) }
                }
            guard case .node(let inbox, let channel) = try await upgrade.get() else {
                throw NodeError.unreachable(url: url.text, reason: "it speaks no WebSocket there")
            }
            return WebSocketNode(url: url, limits: limits, channel: channel, inbox: inbox)
        } catch let error as NodeError {
            throw error
        } catch let error as NIOConnectionError where start.duration(to: .now) < limits.connection {
            throw NodeError.unreachable(url: url.text, reason: error.reason)
        } catch {
            guard start.duration(to: .now) < limits.connection else {
                throw NodeError.timedOut(url: url.text, seconds: limits.connection.wholeSeconds, step: .connection)
            }
            throw NodeError.unreachable(url: url.text, reason: "\(error)")
        }
    }

    private static func configure(
        _ channel: any Channel, for url: NodeURL, tls: NIOSSLContext?, limits: NodeLimits
    ) throws -> EventLoopFuture<Upgraded> {
        if let tls {
            // A certificate names hosts; an address of digits is not sent as one.
            let isNumeric = (try? SocketAddress(ipAddress: url.host, port: url.port)) != nil
            try channel.pipeline.syncOperations.addHandler(
                NIOSSLClientHandler(context: tls, serverHostname: isNumeric ? nil : url.host))
        }
        let late = channel.eventLoop.scheduleTask(in: TimeAmount(limits.connection)) { channel.close(promise: nil) }
        let upgrader = NIOTypedWebSocketClientUpgrader<Upgraded>(
            maxFrameSize: limits.answerByteCount, enableAutomaticErrorHandling: false
        ) { channel, _ in
            channel.eventLoop.makeCompletedFuture {
                let inbox = WebSocketInbox(url: url, byteLimit: limits.answerByteCount)
                try channel.pipeline.syncOperations.addHandlers([
                    NIOWebSocketFrameAggregator(
                        minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: WebSocketInbox.fragmentLimit,
                        maxAccumulatedFrameSize: limits.answerByteCount), inbox,
                ])
                late.cancel()
                return .node(NIOLoopBound(inbox, eventLoop: channel.eventLoop), channel)
            }
        }
        let head = HTTPRequestHead(
            version: .http1_1, method: .GET, uri: url.path, headers: ["Host": url.authority, "Content-Length": "0"])
        let configuration = NIOTypedHTTPClientUpgradeConfiguration(
            upgradeRequestHead: head, upgraders: [upgrader],
            notUpgradingCompletionHandler: { channel in
                channel.close(promise: nil)
                return channel.eventLoop.makeSucceededFuture(.refused)
            })
        return try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(
            configuration: .init(upgradeConfiguration: configuration))
    }
}
