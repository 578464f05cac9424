import GateKnownAnswers
import KnownAnswers
import TestSupport
import Testing
import WebSocketFrames

/// The 240 recorded cases of another suite; `EndpointTests` and `FrameTrackerTests` ask the same rules by cases of
/// their own.
@Suite("WebSocket: known answers", .enabled(if: SharedData.has("appattest-gate/ws/ws-conformance.json")))
struct ConformanceTests {
    private func cases() throws -> [WebSocketCase] {
        try SharedData.json("appattest-gate/ws/ws-conformance.json").array.map { try WebSocketCase($0) }
    }

    @Test("the endpoint passes all cases in their strict form")
    func endpoint() throws {
        let cases = try cases()
        #expect(cases.count == 240)
        for row in cases {
            let server = EchoServer()
            let verdict = WebSocketPlay.play(row, send: server.send, receive: server.receive)
            #expect(verdict == .strict, "case \(row.id)")
        }
    }

    @Test("they are known answers of the gate's topic")
    func answers() {
        var report = Report()
        let file = AnswerFile(folder: SharedData.url("appattest-gate"), path: "ws/ws-conformance.json")
        report.check(file, with: [TelnetAnswers.self, WebSocketAnswers.self])
        #expect((report.passed, report.failed, report.skipped) == (240, 0, 0))
    }

    @Test("and passes them between two trackers, whether or not these judge text", arguments: [false, true])
    func proxied(judgesText: Bool) throws {
        for row in try cases() {
            let server = ProxiedServer(judgesText: judgesText)
            let verdict = WebSocketPlay.play(row, send: server.send, receive: server.receive)
            #expect(verdict == .strict, "case \(row.id)")
        }
    }

    @Test("the player waits where it must, over a connection too")
    func asynchronous() async throws {
        for row in try cases().prefix(60) {
            let server = EchoServer()
            let verdict = await WebSocketPlay.play(
                row, send: { bytes async in server.send(bytes) }, receive: { time async in server.receive(time) })
            #expect(verdict == .strict, "case \(row.id)")
        }
    }

    @Test("a case fails against a server that answers anything else")
    func wrongServers() throws {
        let cases = try cases()
        let silent = cases.filter { row in
            WebSocketPlay.play(row, send: { _ in }, receive: { _ in .ended }) != .strict && !row.strict.isEmpty
        }
        #expect(silent.count == cases.filter { !$0.strict.isEmpty }.count)
        let rude = try #require(cases.first { $0.closeCodes == [1000] })
        let verdict = WebSocketPlay.play(rude, send: { _ in }, receive: { _ in .bytes([0x88, 2, 3, 0xea]) })
        guard case .failed = verdict else {
            Issue.record("a wrong close code passes")
            return
        }
    }

    @Test("a stream says the same wherever it is cut")
    func cuts() throws {
        let limits = FrameLimits(frame: 16 << 20, message: 16 << 20)
        for row in try cases() {
            let stream = row.stream
            var (whole, talk) = (Track(), Conversation())
            var tracker = FrameTracker(sender: .client, limits: limits)
            var endpoint = WebSocketEndpoint(role: .server, limits: limits)
            tracker.read(stream, into: &whole)
            endpoint.read(stream, into: &talk)
            // Long payloads are cut at their ends only.
            let places =
                stream.count <= 2_000 ? Array(0...stream.count) : Array(0..<20) + (stream.count - 20..<stream.count)
            for place in places {
                var (track, conversation) = (Track(), Conversation())
                var tracker = FrameTracker(sender: .client, limits: limits)
                var endpoint = WebSocketEndpoint(role: .server, limits: limits)
                for part in [stream[..<place], stream[place...]] {
                    tracker.read(Array(part), into: &track)
                    endpoint.read(Array(part), into: &conversation)
                }
                #expect(track == whole, "case \(row.id) cut at \(place)")
                #expect(conversation == talk, "case \(row.id) cut at \(place)")
            }
        }
    }
}
