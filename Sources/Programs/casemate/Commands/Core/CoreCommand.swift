import ArgumentParser
import Foundation
import SignerCore

/// The vault as a machine of states, driven without a terminal or a window.
struct CoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "core",
        abstract: "The rules of the vault, without a screen: replay what was recorded, drive it by lines of JSON.",
        discussion: """
            The vault of these commands is in memory and gone with them: no folder is read or written, and nothing is asked for.
            What they print is one line of JSON for each step. Phrases, passphrases and shares are left out, unless --reveal asks
            for them.

              casemate core replay flow.json         does the steps of a flow; ends at the first difference
              casemate core act                      does what lines of standard input say
              casemate core tables                   the rules that lead from screen to screen
            """,
        subcommands: [Replay.self, Act.self, Tables.self])

    /// Prints values one on a line.
    struct Lines {
        private let encoder = JSONEncoder()

        init(revealing: Bool) {
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            if revealing, let key = ShownSecret.reveal { encoder.userInfo[key] = true }
        }

        func print(_ value: some Encodable) throws {
            Swift.print(String(decoding: try encoder.encode(value), as: UTF8.self))
        }
    }
}
