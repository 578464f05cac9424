import KnownAnswers
import Telnet

/// The known answers for the client's end of telnet, each whole and byte by byte.
package enum TelnetAnswers: AnswerList {
    package static func recognises(_ content: JSON) -> Bool { content.has("name", "options", "steps") }

    package static func check(_ content: JSON, file: AnswerFile, report: inout Report) throws {
        report.check(content) { row in
            let transcript = try TelnetTranscript(row.json)
            for step in play(transcript) {
                row.expect("answer", step.answer, equals: step.expected.toServer)
                // Nothing is told of what is discarded, but in the log.
                row.expect("events", step.events, equals: step.expected.events)
            }
            let (whole, slow) = (play(transcript), play(transcript, byteByByte: true))
            row.expect("answers byte by byte", slow.flatMap(\.answer), equals: whole.flatMap(\.answer))
            row.expect("events byte by byte", joined(slow.flatMap(\.events)), equals: joined(whole.flatMap(\.events)))
        }
    }

    private static func play(
        _ transcript: TelnetTranscript, byteByByte: Bool = false
    ) -> [(expected: TelnetTranscript.Step, answer: [UInt8], events: [TelnetEvent])] {
        var telnet = TelnetConnection(transcript.settings)
        return transcript.steps.map { step in
            var events: [TelnetEvent] = []
            for piece in byteByByte ? step.fromServer.map({ [$0] }) : [step.fromServer] {
                telnet.receive(piece) { event in
                    if case .discarded = event { return }
                    events.append(event)
                }
            }
            return (step, telnet.takeOutput(), events)
        }
    }

    /// The events, with data that follows data in one event.
    private static func joined(_ events: [TelnetEvent]) -> [TelnetEvent] {
        var joined: [TelnetEvent] = []
        for event in events {
            if case .data(let more) = event, case .data(let bytes)? = joined.last {
                joined[joined.count - 1] = .data(bytes + more)
            } else {
                joined.append(event)
            }
        }
        return joined
    }
}
