import GateKnownAnswers
import GateTestKit
import KnownAnswers

/// The cases of a WebSocket server that echoes, played over sockets against a gate: as the endpoint itself, and in
/// front of another.
enum WebSocketTable: AnswerList {
    /// How many cases are played at a time. They are mostly pauses.
    private static let width = 24

    static func recognises(_ content: JSON) -> Bool { WebSocketAnswers.recognises(content) }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) throws {
        try WebSocketAnswers.check(content, file: file, report: &report)
        let cases = try content.rows.map { try WebSocketCase($0) }
        let verdicts = try Waiting.value {
            try await LiveGate.with(.echo()) { echo in
                let proxy = try await LiveGate(
                    LiveGate.open.merging(["UPSTREAM_URL": "ws://127.0.0.1:\(echo.port)"]) { $1 })
                return try await LiveGate.with(proxy) { proxy in
                    try await play(cases, against: echo, as: "endpoint") + play(cases, against: proxy, as: "proxy")
                }
            }
        }
        for (name, verdict) in verdicts {
            if case .failed(let reason) = verdict {
                report.fail("\(file.path) \(name)", because: reason)
            } else {
                report.pass()
            }
        }
    }

    private static func play(
        _ cases: [WebSocketCase], against gate: LiveGate, as role: String
    ) async throws -> [(String, WebSocketPlay.Verdict)] {
        let client = try gate.client()
        return try await withThrowingTaskGroup(of: (Int, WebSocketPlay.Verdict).self) { group in
            var next = 0
            var verdicts = [WebSocketPlay.Verdict?](repeating: nil, count: cases.count)
            func begin() {
                guard next < cases.count else { return }
                let index = next
                next += 1
                group.addTask { (index, try await play(cases[index], client)) }
            }
            for _ in 0..<width { begin() }
            for try await (index, verdict) in group {
                verdicts[index] = verdict
                begin()
            }
            return zip(cases, verdicts).map { ("\($0.id) as \(role)", $1 ?? .failed("it was not played")) }
        }
    }

    private static func play(_ test: WebSocketCase, _ client: TrialGate) async throws -> WebSocketPlay.Verdict {
        let (connection, rest) = try await client.handshake()
        var early = rest
        let verdict = await WebSocketPlay.play(test, patience: .seconds(60)) { bytes in
            // A connection that does not take it has ended, which the next read tells.
            try? await connection.send(bytes)
        } receive: { patience in
            guard early.isEmpty else {
                defer { early = [] }
                return .bytes(early)
            }
            switch await connection.receive(within: patience) {
            case .bytes(let bytes): return .bytes(bytes)
            case .quiet: return .quiet
            case .ended: return .ended
            }
        }
        await connection.close()
        return verdict
    }
}

extension TrialGate {
    /// A handshake, and the connection behind it.
    func handshake(_ fields: [(name: String, value: String)] = []) async throws -> (TrialConnection, rest: [UInt8]) {
        let connection = try await open()
        try await connection.send(
            Self.head("GET", at: path, host: "\(host):\(port)", fields: Self.upgrade + fields))
        let (reply, rest) = try await connection.reply()
        guard reply.status == 101 else { throw TrialFailure.notWebSocket("the status is \(reply.status)") }
        return (connection, rest)
    }

    static let upgrade = [
        ("Connection", "Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13"),
        ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ]
}
