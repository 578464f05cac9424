import AppAttestClient
import Foundation

/// A WebSocket service behind the gate, which lets in this app alone.
struct Server: Sendable {
    private static let gate = "gate.example.org"

    private let client: AppAttestClient

    init() {
        var address = URLComponents()
        address.scheme = "https"
        address.host = Self.gate
        // Without an address that can be there is nothing that the transport could ask.
        let url = address.url ?? URL(filePath: "/")
        client = AppAttestClient(
            service: DeviceAppAttestService(), transport: URLSessionTransport(gate: url),
            storage: PreferencesKeyStorage())
    }

    /// Connects, says hello, and returns what comes back.
    func greet() async throws -> String {
        let socket = try await client.connect { headers in try await Self.open(headers) }
        defer { socket.task.cancel(with: .goingAway, reason: nil) }
        try await socket.task.send(.string("hello"))
        switch try await socket.task.receive() {
        case .string(let text): return text
        case .data(let bytes): return "\(bytes.count) bytes"
        @unknown default: return "something new"
        }
    }

    /// A handshake with the fields of an assertion.
    private static func open(_ headers: AssertionHeaders) async throws -> Socket {
        var address = URLComponents()
        address.scheme = "wss"
        address.host = gate
        guard let url = address.url else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        for (name, value) in headers.fields { request.setValue(value, forHTTPHeaderField: name) }
        let socket = Socket(task: URLSession.shared.webSocketTask(with: request))
        socket.task.resume()
        do {
            try await socket.task.ping()
        } catch {
            // The gate says why in its answer to the handshake; the client then knows what to do.
            guard let answer = socket.task.response as? HTTPURLResponse, answer.statusCode != 101 else { throw error }
            throw GateRefusal(status: answer.statusCode)
        }
        return socket
    }

    /// A connection, which the system may be used from any thread.
    private struct Socket: @unchecked Sendable {
        let task: URLSessionWebSocketTask
    }
}

extension URLSessionWebSocketTask {
    /// Waits until the other side answers.
    fileprivate func ping() async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            sendPing { error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume() }
            }
        }
    }
}
