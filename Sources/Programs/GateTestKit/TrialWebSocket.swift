import AppAttestClient
import WebSocketFrames

/// The client's end of a WebSocket.
package actor TrialWebSocket {
    private let connection: TrialConnection
    private var endpoint: WebSocketEndpoint
    private var events: [WebSocketEndpoint.Event] = []

    /// What the gate told in its answer.
    package let reply: HTTPReply

    private init(_ connection: TrialConnection, _ reply: HTTPReply, behind rest: [UInt8]) {
        self.connection = connection
        self.reply = reply
        endpoint = WebSocketEndpoint(
            role: .client(maskingKeys: { MaskingKey(UInt32.random(in: 0 ... .max)) }),
            limits: FrameLimits(frame: 16 << 20, message: 64 << 20))
        events = Self.events(in: rest, &endpoint)
    }

    /// Makes the handshake.
    ///
    /// - Throws: `GateRefusal` if the gate says no.
    package static func open(
        _ gate: TrialGate, _ fields: [(name: String, value: String)] = []
    ) async throws -> TrialWebSocket {
        var random = SystemRandomNumberGenerator()
        let key = HandshakeKey(using: &random)
        let connection = try await gate.open()
        let handshake = [
            ("Connection", "Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13"),
            ("Sec-WebSocket-Key", key.text),
        ]
        try await connection.send(
            TrialGate.head("GET", at: gate.path, host: "\(gate.host):\(gate.port)", fields: handshake + fields))
        let (reply, rest) = try await connection.reply()
        guard reply.status == 101 else {
            throw GateRefusal(
                GateAnswer(
                    status: reply.status,
                    retryAfter: reply["retry-after"].first.flatMap { Int($0) }.map { .seconds($0) },
                    body: reply.body))
        }
        guard reply["sec-websocket-accept"] == [key.accept] else {
            throw TrialFailure.notWebSocket("Sec-WebSocket-Accept is not what the key asks for")
        }
        return TrialWebSocket(connection, reply, behind: rest)
    }

    package func send(_ text: String) async throws {
        endpoint.send(.text, Array(text.utf8))
        try await connection.send(endpoint.takeOutput())
    }

    package func send(_ bytes: [UInt8]) async throws {
        endpoint.send(.binary, bytes)
        try await connection.send(endpoint.takeOutput())
    }

    /// Sends bytes as they are: parts of frames, or none.
    package func sendRaw(_ bytes: [UInt8]) async throws { try await connection.send(bytes) }

    package func close() async throws {
        endpoint.send(.close(ClosePayload(.normal)))
        try await connection.send(endpoint.takeOutput())
    }

    /// Cuts the connection without a word.
    package func cut() async { await connection.close() }

    /// The next thing that comes; nil at the end of the connection.
    package func next() async throws -> WebSocketEndpoint.Event? {
        while events.isEmpty {
            guard case .bytes(let bytes) = await connection.receive() else { return nil }
            events = Self.events(in: bytes, &endpoint)
            let answer = endpoint.takeOutput()
            // Where the gate has cut the connection already, the answer is not waited for.
            if !answer.isEmpty { try? await connection.send(answer) }
        }
        return events.removeFirst()
    }

    /// The next message; pings are passed over.
    ///
    /// - Returns: nil when the other side closes.
    package func nextMessage() async throws -> [UInt8]? {
        while let event = try await next() {
            switch event {
            case .message(_, let bytes): return bytes
            case .close, .violation: return nil
            case .ping, .pong: break
            }
        }
        return nil
    }

    private static func events(in bytes: [UInt8], _ endpoint: inout WebSocketEndpoint) -> [WebSocketEndpoint.Event] {
        bytes.withUnsafeBytes { piece in
            var events: [WebSocketEndpoint.Event] = []
            var offset = 0
            while let event = endpoint.next(in: piece, from: &offset) { events.append(event) }
            return events
        }
    }
}
