import GateKnownAnswers
import TestSupport
import Testing

/// The 240 recorded cases for servers that echo, against the gate itself and against a gate before it.
@Suite("WebSocket conformance over sockets", .timeLimit(.minutes(30)), .serialized)
struct ConformanceTests {
    private static let path = "appattest-gate/ws/ws-conformance.json"
    private static let limits = [
        "REQUIRE_APP_AUTH": "false", "MAX_FRAME_BYTES": "33554432", "MAX_MESSAGE_BYTES": "33554432",
    ]

    @Test("the endpoint passes all cases", .enabled(if: SharedData.has(path)))
    func endpoint() async throws {
        let site = try await ServerSite(Self.limits)
        try await play(site)
    }

    @Test("a gate before it changes nothing that counts", .enabled(if: SharedData.has(path)))
    func proxy() async throws {
        let back = try await ServerSite(Self.limits)
        let front = try await ServerSite(Self.limits.merging(["UPSTREAM_URL": "ws://127.0.0.1:\(back.port)"]) { $1 })
        try await play(front)
    }

    private func play(_ site: ServerSite) async throws {
        let rows = try SharedData.json(Self.path).array
        try #require(rows.count == 240)
        try await withThrowingTaskGroup(of: (String, WebSocketPlay.Verdict).self) { group in
            var rest = rows[...]
            func add() {
                guard let row = rest.popFirst() else { return }
                group.addTask {
                    let test = try WebSocketCase(row)
                    let client = try await site.webSocket()
                    let verdict = await WebSocketPlay.play(test, patience: .seconds(300)) { bytes in
                        // A connection that does not take it has ended, as the player finds out by reading.
                        try? await client.send(bytes)
                    } receive: { time in
                        switch await client.receive(within: time) {
                        case .bytes(let bytes): .bytes(bytes)
                        case .quiet: .quiet
                        case .ended: .ended
                        }
                    }
                    return (test.id, verdict)
                }
            }
            for _ in 0..<8 { add() }
            while let (id, verdict) = try await group.next() {
                if case .failed(let reason) = verdict { Issue.record("\(id): \(reason)") }
                add()
            }
        }
    }
}
