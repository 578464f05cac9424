import ArgumentParser
import BasicFoundation
import Console
import Gate
import GateTestKit

/// The settings of the gate: from flags, the file and the environment.
struct SettingOptions: ParsableArguments {
    @Option(
        name: .long, help: "A file of NAME=value lines.", completion: .file())
    var config: String?

    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp(
            "Settings as flags: --ws-port 6200, --upstream-url ws://127.0.0.1:8080. gate check-config --list names all.",
            valueName: "settings"))
    var settings: [String] = []

    /// Reads and checks every setting, and shows what an operator should look at.
    func configuration() throws -> GateConfiguration {
        let configuration = try readConfiguration()
        for warning in configuration.warnings + configuration.notices { Warning.show("\(warning)") }
        return configuration
    }

    /// Reads and checks every setting without printing anything, for a reload.
    func readConfiguration() throws -> GateConfiguration { try GateConfiguration(try sources()) }

    private func sources() throws -> SettingSources {
        let flags = try SettingFlags(settings)
        if let other = flags.others.first {
            throw Failure.usage("There is no setting \(other). gate check-config --list names all.")
        }
        var file: [String: String] = [:]
        if let config {
            let bytes: [UInt8]
            do { bytes = try SmallFile.read(config) } catch {
                throw Failure.unreadable(path: config, reason: error.reason)
            }
            file = try SettingFile(bytes).values
        }
        return SettingSources(flags: flags.values, file: file, environment: Self.environment)
    }

    private static var environment: [String: String] {
        var variables: [String: String] = [:]
        var place = environ
        while let entry = place.pointee {
            let text = String(cString: entry)
            if let equals = text.firstIndex(of: "=") {
                variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
            }
            place += 1
        }
        return variables
    }
}
