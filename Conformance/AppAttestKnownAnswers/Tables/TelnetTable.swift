import GateKnownAnswers
import GateTestKit
import KnownAnswers
import Synchronization
import Telnet
import TextForms

/// The transcripts of telnet, spoken by a gate to a server that follows them.
enum TelnetTable: AnswerList {
    static func recognises(_ content: JSON) -> Bool { TelnetAnswers.recognises(content) }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) throws {
        try TelnetAnswers.check(content, file: file, report: &report)
        for row in content.rows {
            let transcript = try TelnetTranscript(row)
            let name = "\(file.path) \(transcript.name) through the gate"
            do {
                let answers = try Waiting.value { try await play(transcript) }
                let expected = transcript.steps.map { Hex.encode($0.toServer) }
                report.expect(name, answers.map { Hex.encode($0) }, equals: expected)
            } catch {
                report.fail(name, because: "\(error)")
            }
        }
    }

    /// - Returns: what the gate answered to each step.
    private static func play(_ transcript: TelnetTranscript) async throws -> [[UInt8]] {
        let answers = Mutex<[[UInt8]]>([])
        let (finished, finish) = AsyncStream.makeStream(of: Void.self)
        let server = try await TrialServer.start { connection in
            defer { finish.finish() }
            // The line tells that the gate has read what came before it: the size of the window.
            var line: [UInt8] = []
            while line.last != 0x0a, case .bytes(let more) = await connection.receive() { line += more }
            for step in transcript.steps {
                try await connection.send(step.fromServer)
                var answer: [UInt8] = []
                while answer.count < step.toServer.count,
                    case .bytes(let more) = await connection.receive(within: .seconds(60))
                {
                    answer += more
                }
                answers.withLock { $0.append(answer) }
            }
        }
        var settings = LiveGate.open
        settings["UPSTREAM_URL"] = "telnet://127.0.0.1:\(server.port)"
        settings["CLIENT_FRAMING"] = "json"
        settings["TELNET_TTYPES"] = transcript.settings.terminalTypes.joined(separator: ",")
        settings["MAX_SUBNEGOTIATION_BYTES"] = "\(max(64, transcript.settings.maximumSubnegotiationBytes))"
        let gate = try await LiveGate(settings)
        try await LiveGate.with(gate) { gate in
            let socket = try await TrialWebSocket.open(try gate.client())
            let size = transcript.settings.windowSize
            try await socket.send(#"{"type":"naws","width":\#(size.columns),"height":\#(size.rows)}"#)
            try await socket.send(#"{"type":"input","text":"go\n"}"#)
            for await _ in finished {}
            await socket.cut()
        }
        await server.stop()
        return answers.withLock { $0 }
    }
}
