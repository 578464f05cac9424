import KnownAnswers
import WebSocketFrames

/// The known answers for a server that echoes, played against the endpoint without a socket.
package enum WebSocketAnswers: AnswerList {
    package static func recognises(_ content: JSON) -> Bool {
        content.has("id", "send", "expect_strict", "close_codes")
    }

    package static func check(_ content: JSON, file: AnswerFile, report: inout Report) throws {
        for row in content.rows {
            let test = try WebSocketCase(row)
            let server = EchoServer()
            let verdict = WebSocketPlay.play(test, send: server.send, receive: server.receive)
            if case .failed(let reason) = verdict {
                report.fail("\(file.path) \(test.id)", because: reason)
            } else {
                report.pass()
            }
        }
    }
}

/// An endpoint that sends back each message.
package final class EchoServer {
    private var endpoint: WebSocketEndpoint
    private var output: [UInt8] = []

    package init(limits: FrameLimits = FrameLimits(frame: 16 << 20, message: 16 << 20)) {
        endpoint = WebSocketEndpoint(role: .server, limits: limits)
    }

    package func send(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { piece in
            var offset = 0
            while let event = endpoint.next(in: piece, from: &offset) {
                if case .message(let kind, let content) = event { endpoint.send(kind, content) }
            }
        }
        output += endpoint.takeOutput()
    }

    package func receive(_: Duration) -> WebSocketPlay.Received {
        guard output.isEmpty else {
            defer { output = [] }
            return .bytes(output)
        }
        return endpoint.isOver ? .ended : .quiet
    }
}
