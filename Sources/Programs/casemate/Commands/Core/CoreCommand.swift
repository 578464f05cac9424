import ArgumentParser
import BasicFoundation
import Console
import Files
import SignerCore

/// The vault as a machine of states, driven without a terminal or a window.
struct CoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "core",
        abstract: "The rules of the vault, without a screen: replay what was recorded, drive it by lines of JSON.",
        discussion: """
            Their vault is in memory and gone with them: no folder is read or written, and nothing is asked for. 'core \
            act --vault' alone lives over the vault in a folder. What they print is one line of JSON for each step. \
            Phrases, passphrases and shares are left out, unless they are asked for.

              casemate core replay flow.json     does a flow's steps, to a difference
              casemate core act                  does what lines of standard input say
              casemate core tables               the rules that lead from screen to screen
              casemate core verifier-table FILE  single updates over abstract states
              casemate core scenarios FILE       sequences of updates as they travel
              casemate core draft FILE           phrases while they are typed
              casemate core detector FILE        readings of the network's probes
            """,
        subcommands: [
            Replay.self, Act.self, Tables.self, VerifierTable.self, Scenarios.self, Draft.self, Detector.self,
        ])

    /// Prints values one on a line, each at once.
    struct Lines {
        private let encoder = JSONEncoder()

        init(revealing: Bool) {
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            if revealing, let key = ShownSecret.reveal { encoder.userInfo[key] = true }
        }

        func print(_ value: some Encodable) throws { try put(try line(of: value)) }

        /// - Parameter secrets: takes what is secret in the value; nil for nobody.
        func line(of value: some Encodable, secretsTo secrets: ShownSecrets? = nil) throws -> String {
            if let key = ShownSecret.collector { encoder.userInfo[key] = secrets }
            return String(decoding: try encoder.encode(value), as: UTF8.self)
        }

        /// Nothing more is done where nobody can see what was.
        func put(_ line: String) throws(FileError) { try StandardOutput.write(line: line) }
    }
}
