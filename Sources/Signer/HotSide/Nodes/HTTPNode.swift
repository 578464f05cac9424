import AsyncHTTPClient
import NIOCore
import NIOPosix
import StrictJSON
import Synchronization

/// A node that is asked by plain requests.
final class HTTPNode: NodeConnection {
    private let url: NodeURL
    private let limits: NodeLimits
    private let client: HTTPClient
    private let lastID = Atomic(0)

    init(url: NodeURL, limits: NodeLimits, client: HTTPClient) {
        self.url = url
        self.limits = limits
        self.client = client
    }

    static func client(_ limits: NodeLimits) -> HTTPClient {
        // A node that sends elsewhere is another node.
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.timeout = .init(connect: TimeAmount(limits.connection), read: TimeAmount(limits.answer))
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    func notification(of subscription: JSON) async throws -> JSON? { nil }

    func call(_ method: String, _ parameters: [JSON]) async throws -> JSON {
        let id = lastID.add(1, ordering: .relaxed).newValue
        let bytes = try await answer(to: JSONRPC.question(id: id, method, parameters), method: method)
        let message = try JSONRPC.message(bytes, limit: limits.answerByteCount, method: method)
        return try JSONRPC.result(message, id: id, method: method)
    }

    private func answer(to question: [UInt8], method: String) async throws -> [UInt8] {
        // The time of a request ends with its last byte, so it is measured around all of it.
        try await withThrowingTaskGroup(of: [UInt8].self) { group in
            group.addTask { try await self.exchange(question, method: method) }
            group.addTask { [url, limits] in
                try await Task.sleep(for: limits.answer)
                throw NodeError.timedOut(url: url.text, seconds: limits.answer.wholeSeconds, step: .answer)
            }
            defer { group.cancelAll() }
            guard let answer = try await group.next() else { throw NodeError.closed(url: url.text) }
            return answer
        }
    }

    private func exchange(_ question: [UInt8], method: String) async throws -> [UInt8] {
        var request = HTTPClientRequest(url: url.text)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .bytes(question)
        do {
            let response = try await client.execute(request, timeout: TimeAmount(limits.answer))
            guard response.status == .ok else {
                throw NodeError.malformedAnswer(method: method, reason: "its status is \(response.status.code)")
            }
            return Array(try await response.body.collect(upTo: limits.answerByteCount).readableBytesView)
        } catch let error as NodeError {
            throw error
        } catch is NIOTooManyBytesError {
            throw NodeError.answerTooLarge(url: url.text, limit: limits.answerByteCount)
        } catch let error as HTTPClientError where error == .connectTimeout {
            throw NodeError.timedOut(url: url.text, seconds: limits.connection.wholeSeconds, step: .connection)
        } catch let error as HTTPClientError where [.readTimeout, .deadlineExceeded].contains(error) {
            throw NodeError.timedOut(url: url.text, seconds: limits.answer.wholeSeconds, step: .answer)
        } catch let error as NIOConnectionError {
            throw NodeError.unreachable(url: url.text, reason: error.reason)
        } catch {
            throw NodeError.unreachable(url: url.text, reason: "\(error)")
        }
    }
}

/// Connects to nodes on the network.
public struct Nodes: NodeConnecting {
    private let limits: NodeLimits

    /// - Parameter limits: how much each node may take.
    public init(limits: NodeLimits = NodeLimits()) {
        self.limits = limits
    }

    /// Connects, runs `body`, and ends the connection whatever comes of it.
    public func withNode<R: Sendable>(
        at url: NodeURL, _ body: @Sendable (any NodeConnection) async throws -> R
    ) async throws -> R {
        switch url.transport {
        case .webSocket:
            let node = try await WebSocketNode.open(url, limits: limits)
            let result = await Self.outcome { try await body(node) }
            await node.close()
            return try result.get()
        case .http:
            let client = HTTPNode.client(limits)
            let result = await Self.outcome { try await body(HTTPNode(url: url, limits: limits, client: client)) }
            try? await client.shutdown()
            return try result.get()
        }
    }

    private static func outcome<R: Sendable>(
        of body: () async throws -> R
    ) async -> Result<R, any Error> {
        do { return .success(try await body()) } catch { return .failure(error) }
    }
}
