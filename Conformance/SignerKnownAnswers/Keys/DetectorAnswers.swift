import KnownAnswers
import NetworkDetector

/// `[{id, onboarded, stored, events, states, log}]`: readings of the probes, and what the detector makes of them.
enum DetectorAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content.has("onboarded", "events", "states") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) throws {
        report.check(content, besides: ["id"]) { row in
            var detector = NetworkDetector(
                isOnboarded: try row.flag("onboarded"), dangerousEncounter: try row.flag("stored"))
            var log: [String] = []
            var states: [String] = []
            for input in row["events"].strings {
                if input == "ack" {
                    // Where it is not possible, nothing happens.
                    log += ((try? detector.acknowledge()) ?? []).map(\.rawValue)
                } else if let reading = NetworkDetector.Reading(rawValue: input) {
                    log += detector.take(reading).map(\.rawValue)
                } else {
                    throw RowError.missing("known reading instead of \(input)")
                }
                states.append(detector.state?.rawValue ?? "start")
            }
            row.expect("states", states, equals: row["states"].strings)
            row.expect("log", log, equals: row["log"].strings)
        }
    }
}
