import ArgumentParser
import Console
import HotSide
import TextForms

struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Ask the nodes of the address book which networks have a new version.",
        discussion: """
            Asks for versions alone, several nodes at once, and changes nothing. Ends with 4 where a network has a \
            newer version than is stored, with 3 where a node failed, so that a timer can tell:

              generate-message watch --json ||
                generate-message load-metadata -k -a --packed --pass-errors
            """)

    @OptionGroup var hot: HotOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let side = try hot.open()
        var progress: ProgressLine?
        let networks = try await side.watch { done, total in
            if progress == nil { progress = ProgressLine(label: "node", of: total) }
            progress?.show(done)
        }
        progress?.end()
        let lines = networks.map(Line.init)
        let text = Table.text(
            ["network", "chain", "stored", ""],
            lines.map { [$0.name, $0.version.map { "\($0)" } ?? "?", $0.stored.map { "\($0)" } ?? "-", $0.verdict] })
        try output.show(lines, text: text)
        if lines.contains(where: \.hasNewVersion) { throw ExitCode(ExitStatus.somethingNew.rawValue) }
        if lines.contains(where: { $0.error != nil }) { throw ExitCode(ExitStatus.nodeFailed.rawValue) }
    }

    private struct Line: Encodable {
        let name: String
        let url: String
        let version: UInt32?
        let stored: UInt32?
        let hasNewVersion: Bool
        let error: String?
        let message: String?

        init(_ network: WatchedNetwork) {
            (name, url, version) = (network.name, network.url, network.version)
            switch network.outcome {
            case .current: (stored, hasNewVersion, error, message) = (network.version, false, nil, nil)
            case .newVersion(let old): (stored, hasNewVersion, error, message) = (old, true, nil, nil)
            case .failed(let failure):
                (stored, hasNewVersion) = (nil, false)
                (error, message) = (FailureReport.code(failure) ?? "Failed", "\(failure)")
            }
        }

        var verdict: String { hasNewVersion ? "new version" : message ?? "as stored" }
    }
}
