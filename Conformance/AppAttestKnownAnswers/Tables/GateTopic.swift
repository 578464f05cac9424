import Foundation
import KnownAnswers

/// The format of `data/appattest-gate`: what devices make, through the library, and what goes through a gate, against
/// gates that are started for it.
package enum GateTopic: Topic {
    package static let name = AppAttestTopic.name
    package static let summary = "attestations and assertions, and requests, WebSockets and telnet through a gate"

    package static func run(folder: URL, report: inout Report) throws {
        try AppAttestTopic.run(
            folder: folder, alsoBy: [WebSocketTable.self, TelnetTable.self, HTTPTable.self], report: &report)
    }
}
