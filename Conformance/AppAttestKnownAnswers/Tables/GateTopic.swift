import KnownAnswers

/// The format of `data/appattest-gate`: what devices make, through the library, and what goes through a gate, against
/// gates that are started for it. `conformance appattest` runs this.
package enum GateTopic: Topic {
    package static let name = AppAttestTopic.name
    package static let summary = "attestations and assertions, and requests, WebSockets and telnet through a gate"
    package static let lists: [any AnswerList.Type] =
        AppAttestTopic.lists + [WebSocketTable.self, TelnetTable.self, HTTPTable.self]
    package static let tables = AppAttestTopic.tables
}
