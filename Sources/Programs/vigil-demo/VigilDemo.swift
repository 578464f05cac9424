import ArgumentParser
import BasicFoundation
import Console
import Dispatch
import HardwareKeys
import Logging
import SecretMemory
import Threads
import Vigil

@main
struct VigilDemo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vigil-demo",
        abstract: "An app that does nothing but ask its validator, to be attacked.",
        discussion: """
            Prints one line of JSON for each report on standard output. Without --once it goes on asking, and prints \
            what changes, until it is ended.

            First steps:
              vigil-validator provision --config etc/validator.json --token-file token
              vigil-demo --config etc/app.json --token-file token --once

            EXIT CODES
              0   the validator was valid, or this program was ended
              1   it was not
              64  usage
              78  the configuration, the manifest or the state is not as it has to be
            """,
        version: "0.1.0")

    @Option(help: ArgumentHelp("The configuration.", valueName: "file"), completion: .file())
    var config: String

    @Option(
        help: ArgumentHelp("The installer's token, for the first start.", valueName: "file"), completion: .file())
    var tokenFile: String?

    @Flag(help: "Ask once.")
    var once = false

    @Option(help: ArgumentHelp("With --once: then ask so many times again in the same session.", valueName: "count"))
    var again = 0

    @Option(help: ArgumentHelp("With --again: how long to rest before each question.", valueName: "milliseconds"))
    var rest = 100

    static func main() async {
        StandardStreams.claim()
        await main(nil)
    }

    func validate() throws {
        guard config != "", tokenFile != "" else { throw ValidationError("The name of a file is empty.") }
        guard again >= 0, once || again == 0 else { throw ValidationError("--again takes a count, and needs --once.") }
    }

    func run() async throws {
        let app: InstalledApp
        do {
            app = try InstalledApp(
                configuration: FileManager.default.absolutePath(config), tpm: try Self.tpm(),
                logger: Logger(label: "vigil-demo"))
            if try !app.isProvisioned, !(try provision(app)) { throw ExitCode(1) }
        } catch let error as ExitCode {
            throw error
        } catch {
            ProgramLine.note("\(error)", by: "vigil-demo")
            throw ExitCode(78)
        }
        if again > 0 { return try askAgain(app) }
        let vigil = app.makeVigil()
        try await vigil.initialize()
        guard once else { return try await monitor(vigil, app.monitorPolicy) }
        let report = await vigil.report(timeout: app.timeout)
        ReportLine(report).show()
        if !report.result.isTrusted { throw ExitCode(1) }
    }

    /// - Returns: whether this app is pinned now.
    private func provision(_ app: InstalledApp) throws -> Bool {
        let token = try tokenFile.map { path throws in
            try TrustedFile.readSecret(FileManager.default.absolutePath(path), limit: ProvisioningToken.count)
        }
        do {
            try app.provision(token: token)
            return true
        } catch {
            ReportLine(error).show()
            return false
        }
    }

    private func askAgain(_ app: InstalledApp) throws {
        let validation = app.validate()
        ReportLine(validation.report).show()
        guard let session = validation.session else { throw ExitCode(1) }
        defer { session.close() }
        for _ in 0..<again {
            SystemThread.sleep(for: .milliseconds(rest))
            let report = session.revalidate(within: app.timeout)
            ReportLine(report).show()
            if !report.result.isTrusted { throw ExitCode(1) }
        }
    }

    private func monitor(_ vigil: Vigil, _ policy: MonitorPolicy) async throws {
        try await vigil.startMonitoring(policy) { ReportLine($0).show() }
        signal(SIGTERM, SIG_IGN)
        let ended = AsyncStream.makeStream(of: Void.self)
        let source = DispatchSource.makeSignalSource(signal: SIGTERM)
        source.setEventHandler { ended.continuation.finish() }
        source.activate()
        for await _ in ended.stream {}
        await vigil.stopMonitoring()
    }

    private static func tpm() throws -> TPMAddress? {
        try ProcessInfo.processInfo.variable("VIGIL_TPM").flatMap(TPMAddress.vigil)
    }
}
