import KnownAnswers
import Telnet

/// What a server sends, and what a client must answer and tell: a row of `telnet/transcripts.json`.
package struct TelnetTranscript: Sendable {
    package struct Step: Sendable {
        package let fromServer: [UInt8]
        package let toServer: [UInt8]
        package let events: [TelnetEvent]
    }

    package let name: String
    package let settings: TelnetSettings
    package let steps: [Step]

    package init(_ row: JSON) throws {
        guard let name = row["name"].string else { throw RowError.missing("name") }
        self.name = name
        var settings = TelnetSettings()
        let options = row["options"]
        if !options["ttypes"].isNull { settings.terminalTypes = options["ttypes"].strings }
        if let columns = options["size"][0].int, let rows = options["size"][1].int {
            settings.windowSize = WindowSize(
                columns: UInt16(truncatingIfNeeded: columns), rows: UInt16(truncatingIfNeeded: rows))
        }
        if let limit = options["maxsb"].int { settings.maximumSubnegotiationBytes = limit }
        self.settings = settings
        steps = try row["steps"].array.map { step in
            guard let fromServer = step["from_server_hex"].hex, let toServer = step["to_server_hex"].hex else {
                throw RowError.missing("from_server_hex")
            }
            return Step(fromServer: fromServer, toServer: toServer, events: try step["events"].array.map(Self.event))
        }
    }

    private static func event(_ row: JSON) throws -> TelnetEvent {
        if let bytes = row["data_hex"].hex { return .data(bytes) }
        if let bytes = row["msdp_hex"].hex { return .msdp(bytes) }
        if let package = row["gmcp"].string { return .message(package: package, data: row["data"].string ?? "") }
        if let isSuppressed = row["echo_suppressed"].bool { return .echo(isSuppressed: isSuppressed) }
        guard row["prompt"].bool == true else { throw RowError.missing("an event that is known") }
        return .prompt
    }
}
