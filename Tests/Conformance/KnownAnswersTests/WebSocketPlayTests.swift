import Foundation
import GateKnownAnswers
import KnownAnswers
import TestSupport
import Testing

/// Cases in the format of the recorded ones, and servers that do them right or wrong.
@Suite("WebSocketPlay")
struct WebSocketPlayTests {
    private static let echo = #"""
        {"id": "echo", "send": [
            {"op": "frame", "opcode": 1, "fin": false, "rsv": 0, "hex": "4865", "mask_hex": "01020304", "chop": 1},
            {"op": "frame", "opcode": 9, "fin": true, "rsv": 0, "repeat_hex": "fe", "count": 125, "mask_hex": "01020304"},
            {"op": "wait", "seconds": 1},
            {"op": "frame", "opcode": 0, "fin": true, "rsv": 0, "repeat_hex": "2a", "count": 65536, "mask_hex": "ffeeddcc",
             "chop": 997},
            {"op": "frame", "opcode": 2, "fin": true, "rsv": 0, "repeat_hex": "00", "count": 126, "mask_hex": "00000000"},
            {"op": "give-up-after", "seconds": 1},
            {"op": "frame", "opcode": 8, "fin": true, "rsv": 0, "hex": "03e8", "mask_hex": "a1a2a3a4"}],
         "expect_strict": [{"pong": "echo-of-sent"}, {"message": "echo-of-sent", "binary": false},
            {"message": "echo-of-sent", "binary": true}],
         "expect_tolerated": [], "close_codes": [1000], "client_closes_first": true, "informational": false}
        """#

    private static let violation = #"""
        {"id": "violation", "send": [
            {"op": "frame", "opcode": 1, "fin": false, "rsv": 0, "hex": "ce", "mask_hex": "01020304"},
            {"op": "wait", "seconds": 1, "tag": "A"},
            {"op": "frame", "opcode": 0, "fin": false, "rsv": 0, "hex": "ff", "mask_hex": "01020304"},
            {"op": "wait", "seconds": 1, "tag": "B"},
            {"op": "frame", "opcode": 0, "fin": true, "rsv": 0, "hex": "ff", "mask_hex": "01020304"},
            {"op": "give-up-after", "seconds": 1}],
         "expect_strict": [{"still-open-at": "A"}],
         "expect_tolerated": [[{"still-open-at": "A"}, {"still-open-at": "B"}]],
         "close_codes": [1007], "client_closes_first": false, "informational": false}
        """#

    private func row(_ text: String) throws -> WebSocketCase {
        try WebSocketCase(JSON(parsing: Array(text.utf8)))
    }

    @Test("a right server passes in the strict form, whether or not the closures wait", arguments: [echo, violation])
    func right(text: String) async throws {
        let row = try row(text)
        let server = EchoServer()
        #expect(WebSocketPlay.play(row, send: server.send, receive: server.receive) == .strict)
        let other = EchoServer()
        let verdict = await WebSocketPlay.play(
            row, send: { bytes async in other.send(bytes) }, receive: { time async in other.receive(time) })
        #expect(verdict == .strict)
    }

    @Test("a server that judges text late passes in the tolerated form")
    func late() throws {
        let server = EchoServer()
        var held: [UInt8] = []
        var sent = 0
        let verdict = WebSocketPlay.play(
            try row(Self.violation),
            send: { bytes in
                held += bytes
                sent += 1
                if sent == 3 { server.send(held) }
            }, receive: server.receive)
        #expect(verdict == .tolerated)
    }

    @Test(
        "a server that answers anything else fails",
        arguments: [
            [0x88, 2, 3, 0xea], [0x81, 0x80, 0, 0, 0, 0], [0x91, 0], [0x80, 0], [0x83, 0], [0x81, 1, 0x41],
            [0x8a, 0], [0x01, 1, 0x41, 0x81, 0],
        ] as [[UInt8]])
    func wrong(answer: [UInt8]) throws {
        for text in [Self.echo, Self.violation] {
            var answers = [WebSocketPlay.Received.bytes(answer), .quiet, .ended].makeIterator()
            let verdict = WebSocketPlay.play(try row(text), send: { _ in }, receive: { _ in answers.next() ?? .ended })
            guard case .failed = verdict else {
                Issue.record("it passes with \(verdict)")
                continue
            }
        }
    }

    @Test("nothing is sent to a server that has closed")
    func closed() throws {
        var sent = 0
        _ = WebSocketPlay.play(try row(Self.echo), send: { _ in sent += 1 }, receive: { _ in .ended })
        let frames = try row(Self.echo).moves.prefix { if case .pause = $0 { false } else { true } }
        #expect(sent == frames.count)
    }

    @Test("a table is recognised by its rows, and counts each")
    func table() throws {
        let folder = try TemporaryFolder()
        let wrong = Self.echo.replacing("03e8", with: "03e9")
        try folder.write("[\(Self.echo), \(Self.violation), \(wrong)]", to: "ws.json")
        var report = Report()
        report.check(
            AnswerFile(folder: folder.url, path: "ws.json"), with: [TelnetAnswers.self, WebSocketAnswers.self])
        #expect((report.passed, report.failed, report.skipped) == (2, 1, 0))
    }
}
