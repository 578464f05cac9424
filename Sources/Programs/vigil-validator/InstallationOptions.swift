import ArgumentParser
import BasicFoundation
import Console
import HardwareKeys
import Logging
import Vigil
import VigilValidator

/// The installation that is meant.
struct InstallationOptions: ParsableArguments {
    @Option(name: .long, help: "The configuration (else VIGIL_CONFIG, else etc/vigil-validator.json beside bin/).")
    var config: String?

    func validate() throws {
        // An empty name would stand for the folder that one is in.
        guard config != "" else { throw ValidationError("--config names no file.") }
    }

    func load(as role: Role = .validator) throws -> Installation {
        try Installation(
            role, configuration: path(), releaseKeys: .compiledIn, tpm: try Self.tpm(),
            logger: Logger(label: "vigil-validator"))
    }

    private func path() throws -> String {
        if let path = config ?? ProcessInfo.processInfo.variable("VIGIL_CONFIG") {
            return FileManager.default.absolutePath(path)
        }
        let path = try SelfMeasurement().bundleRoot + "/etc/vigil-validator.json"
        guard FileManager.default.fileExists(atPath: path) else {
            throw Failure(.configuration, "There is no configuration \(path). Name one by --config or VIGIL_CONFIG.")
        }
        return path
    }

    /// Where the TPM is: as the environment says, else the kernel's, if there is one.
    static func tpm() throws -> TPMAddress? {
        if let text = ProcessInfo.processInfo.variable("VIGIL_TPM") { return try TPMAddress.vigil(text) }
        return FileManager.default.fileExists(atPath: "/dev/tpmrm0") ? .standard : nil
    }
}

extension Installation {
    /// The validator of this installation, which logs its verdicts and runs the command for findings.
    func validator() throws -> InstalledValidator {
        let log = VerdictLog(configuration.logLevel)
        let tamper = try TamperCommand(configuration.onTamper)
        return try InstalledValidator(
            self, handles: try ThisProcess.handles(), onVerdict: log.write,
            onFinding: { refusal, _ in tamper.run(refusal) })
    }
}
