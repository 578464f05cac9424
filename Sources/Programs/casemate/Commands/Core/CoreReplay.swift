import ArgumentParser
import BasicFoundation
import Console
import Files
import SignerCore
import TextForms

extension CoreCommand {
    struct Replay: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "replay",
            abstract: "Do the steps of a recorded flow, and compare what is seen.",
            discussion: """
                FLOW is a JSON array of steps (docs/formats/signer-product.md, section 12.4). --data names the folder \
                that it refers to: payloads/NAME are texts in hex, initial-metadata/*.hex are what networks begin \
                with. --shares names a file with sets of shares. Without them the networks of this release are there.

                Prints for each step what is seen and which rule fired. Exits with 1 at the first difference.
                """)

        @Argument(help: "The flow, a JSON file.", completion: .file())
        var flow: String

        @Option(help: "The folder that the flow refers to. Default: the one that it is in.", completion: .directory)
        var data: String?

        @Option(help: "A JSON file with sets of shares.", completion: .file())
        var shares: String?

        @Flag(help: "Print phrases, passphrases and shares too.")
        var reveal = false

        @Flag(help: "Print whole pages, not only where the person is.")
        var pages = false

        private struct Line: Encodable {
            var step: Int
            var screen: String?
            var modal: String?
            var alert: String?
            var rule: String?
            var differences: [String]?
            var page: ActionResult?
        }

        func run() throws {
            let steps = try Failure.explainingJSON(of: flow) {
                try FlowStep.steps(InputFile.content(of: FilePath(flow), limit: FlowFiles.limit))
            }
            // As in the lists: what has nothing to do has not passed.
            guard !steps.isEmpty else { throw Failure.json(path: flow, place: "", reason: "there are no steps in it.") }
            let folder = data ?? FilePath(flow).removingLastComponent().string
            var files = try FlowFiles(folder: folder.isEmpty ? "." : folder)
            try files.read(shares: shares)
            var runner = try FlowRunner(steps, in: files.surroundings)
            let lines = Lines(revealing: reveal)
            for step in steps {
                let outcome = try runner.run(step)
                let result = outcome.result
                try lines.print(
                    Line(
                        step: step.n, screen: result?.position.screen.rawValue,
                        modal: result?.position.modal?.rawValue, alert: result?.position.alert?.rawValue,
                        rule: result?.rule, differences: outcome.differences.isEmpty ? nil : outcome.differences,
                        page: pages ? result : nil))
                guard outcome.differences.isEmpty else { throw ExitCode.failure }
            }
        }
    }
}

/// The files that a flow refers to.
struct FlowFiles {
    /// Bytes of a file at the most: a payload with metadata in hex.
    static let limit = 16 << 20

    private(set) var surroundings = FlowSurroundings()

    /// Reads what is in a folder; what is not there is left out.
    init(folder: String) throws {
        let place = FilePath(folder)
        for name in try Self.names(in: place.appending("initial-metadata")) where name.hasSuffix(".hex") {
            let text = try Self.text(of: place.appending("initial-metadata").appending(name))
            guard let blob = Hex.decode(text) else { throw Failure.notHex }
            surroundings.metadata.append(blob)
        }
        for name in try Self.names(in: place.appending("payloads")) {
            surroundings.payloads[name] = try Self.text(of: place.appending("payloads").appending(name))
        }
    }

    private struct ShareFile: Decodable {
        struct Record: Decodable {
            var id: String
            var shares: [String]
            var passphrase: String
        }

        var recover: [Record]
    }

    /// Reads sets of shares, by their names.
    mutating func read(shares path: String?) throws {
        guard let path else { return }
        let bytes = try InputFile.content(of: FilePath(path), limit: Self.limit)
        let file = try Failure.explainingJSON(of: path) {
            try JSONDecoder().decode(ShareFile.self, from: Data(bytes))
        }
        for record in file.recover {
            surroundings.shares[record.id] = FlowRunner.ShareRecord(
                shares: record.shares, passphrase: record.passphrase)
        }
    }

    /// The names in a folder; none where it is not there.
    private static func names(in folder: FilePath) throws(FileError) -> [String] {
        do throws(FileError) { return try Folder(folder, followsLinks: true).names() } catch {
            guard error.isMissing else { throw error }
            return []
        }
    }

    private static func text(of path: FilePath) throws -> String {
        String(decoding: try InputFile.content(of: path, limit: limit), as: UTF8.self).filter { !$0.isWhitespace }
    }
}
