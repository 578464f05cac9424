import ArgumentParser
import Console
import InstalledSigner
import Signer

struct Acknowledge: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "acknowledge",
        abstract: "See when this machine was connected to a network, and go on.",
        discussion: """
            A vault that saw a network refuses everything with secrets until this is done, with nothing connected any \
            more. It shows what the log says of it since the last time, asks, and writes to the log that it was \
            acknowledged. Think before: whatever came in over the network may still be here.
            """)

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var options: OpeningOptions

    private struct Encounter: Encodable {
        var time: String
        var events: [String]
    }

    func run() throws {
        let opened = try options.open()
        var encounters: [Encounter] = []
        try NetworkGate.acknowledge(in: opened) {
            encounters = try self.encounters(of: opened)
            let shown =
                [Paragraph([.words("This machine was connected to a network, or nobody could tell:")])]
                + encounters.map {
                    Paragraph(indent: 2, [.words("\($0.time) UTC  \($0.events.joined(separator: "; "))")])
                }
            if !yes {
                try opened.whileWaiting { try Question.confirm("Go on as if nothing came in?", below: shown) }
            } else if !options.output.json {
                print(shown.text)
            }
        }
        try options.output.show(encounters, text: "Acknowledged; the log says so.")
    }

    /// What the log says of connections since the last acknowledgement.
    private func encounters(of opened: Vault) throws -> [Encounter] {
        let events = try opened.log()
        let last = events.lastIndex { $0.events.contains { $0.hasPrefix("ResetDangerRecord") } }.map { $0 + 1 } ?? 0
        return events[last...].filter { entry in
            entry.events.contains { $0.hasPrefix("DeviceWasOnline") || $0.contains("network detector failed") }
        }.map { Encounter(time: $0.timestamp, events: $0.events) }
    }
}
