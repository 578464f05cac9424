import ArgumentParser
import Console
import Files
import Foundation
import Navigator
import NetworkDetector
import SecretMemory
import Signer
import SignerCore

extension CoreCommand {
    struct Act: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "act",
            abstract: "Do what lines of standard input say, and print the page behind each.",
            discussion: """
                A line is a JSON object: {"action": "SelectSeed", "data": "savings"}, where "data" and "secret" may be left out, and
                "detector" is what the network detector says from then on: safe, connected, wasOnline, error. Begin with the action
                Start. Exits with 1 at a line that is none.

                  printf '%s\\n' '{"action":"Start"}' '{"action":"NavbarLog"}' | casemate core act
                """)

        @Flag(help: "Begin before a vault is set up.")
        var new = false

        @Flag(help: "Ask for dangers to be confirmed before a signature.")
        var confirmDangers = false

        @Flag(help: "Print phrases, passphrases and shares too.")
        var reveal = false

        private struct Line: Decodable {
            var action: String
            var data: String?
            var secret: String?
            var detector: String?
        }

        private struct Refusal: Encodable {
            var line: Int
            var error: String
        }

        func run() throws {
            let host = try MemoryHost(.shipped(), isOnboarded: !new, confirmsDangers: confirmDangers)
            let core = Core(host: host)
            let lines = Lines(revealing: reveal)
            let input = try InputFile(standardInput: ()).content(limit: FlowFiles.limit)
            for (number, text) in input.split(separator: UInt8(ascii: "\n")).enumerated() {
                guard let line = try? JSONDecoder().decode(Line.self, from: Data(text)),
                    let action = UserAction(rawValue: line.action)
                else {
                    try lines.print(
                        Refusal(line: number + 1, error: "This is no action. See: casemate core act --help"))
                    throw ExitCode.failure
                }
                if let detector = line.detector.flatMap({ NetworkDetector.State(rawValue: $0) }) {
                    host.setDetector(detector)
                }
                let secret = try line.secret.map { text in
                    var bytes = Array(text.utf8)
                    return try SecretBytes(movingFrom: &bytes)
                }
                try lines.print(try core.action(action, data: line.data ?? "", secret: secret))
            }
        }
    }
}
