import ArgumentParser
import Console
import Gate

struct CheckConfig: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-config",
        abstract: "Show what every setting comes out as, or what is wrong.",
        discussion: """
            Nothing is started. Credentials are masked. Files that settings name are read and checked, but no store is \
            opened. Exit code 78: the gate would not start so.
            """)

    @OptionGroup var settings: SettingOptions
    @OptionGroup var output: OutputOptions

    @Flag(name: .long, help: "Name every setting with its flag, and check nothing.")
    var list = false

    func run() async throws {
        if list {
            let rows = SettingName.allCases.map { [$0.rawValue, $0.flag, $0.isReloadable ? "yes" : "no"] }
            try output.show(
                SettingName.allCases.map(\.rawValue), text: Table.text(["SETTING", "FLAG", "RELOADED BY SIGHUP"], rows))
            return
        }
        let configuration = try settings.configuration()
        try checkFiles(configuration)
        let effective = configuration.effective
        try output.show(
            Dictionary(effective.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first }),
            text: effective.map { "\($0.name)=\($0.value)" }.joined(separator: "\n"))
    }

    /// Reads all files that the settings name, by making a server that is never started.
    private func checkFiles(_ configuration: GateConfiguration) throws {
        let log = EventLog(level: .error, format: .text, clock: SystemClock()) { _ in }
        _ = try GateServer(
            configuration,
            parts: GateServer.Parts(
                keys: MemoryKeyStore(maximumKeys: 1), nonces: MemoryNonceStore(maximumNonces: 16), events: log))
    }
}
