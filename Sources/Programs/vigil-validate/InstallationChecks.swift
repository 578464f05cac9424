import BasicFoundation
import CodeMeasurement
import ExecutableImage
import HardwareKeys
import ManifestMaking
import Vigil

/// Looks at an installation, from the manifest to the folder of the socket.
///
/// Source: `vigil` section 10.
struct InstallationChecks {
    let folder: String
    let configurations: [String]
    let manifest: String?
    let trust: [String]

    private static let sizeLimit = 64 * 1024

    func run() -> [InstallationCheck] {
        var checks: [InstallationCheck] = []
        var parsed: [VigilConfiguration] = []
        for path in configurations {
            checks.append(
                check("configuration \(name(of: path))") {
                    let configuration = try VigilConfiguration(
                        parsing: InstalledFile.content(path, limit: Self.sizeLimit))
                    parsed.append(configuration)
                    try InstalledFile.owner(of: path)
                    return "\(configuration.product), timeout \(configuration.timeout)"
                })
        }
        checks.append(releaseKeys)
        let path = manifest ?? parsed.first?.manifest ?? "\(folder)/vigil-manifest.json"
        var found: Manifest?
        checks.append(
            check("manifest") {
                let file = try InstalledFile.content(path, limit: Envelope.sizeLimit)
                let verified = try Manifest(verifying: file, by: try trusted(parsed))
                found = verified
                try InstalledFile.owner(of: path)
                return "\(verified.product), epoch \(verified.epoch), \(verified.images.count) files"
            })
        if let found { checks += files(of: found) + parsed.compactMap { admitted(by: $0, of: found) } }
        for configuration in parsed { checks += places(of: configuration) }
        return checks
    }

    // MARK: Keys that sign releases

    private var releaseKeys: InstallationCheck {
        guard trust.isEmpty else {
            return .init(name: "release keys", outcome: .noted, detail: "named on the command line")
        }
        do throws(ConfigurationError) {
            guard let trusted = try ReleaseKeys.compiledIn.trusted() else {
                return .init(
                    name: "release keys", outcome: .noted,
                    detail: "none are compiled in: whoever may write the configuration decides whom the programs trust")
            }
            return .init(
                name: "release keys", outcome: .passed,
                detail: "compiled in: \(trusted.threshold) of \(trusted.keys.count) have to sign")
        } catch {
            return .init(name: "release keys", outcome: .malformed, detail: error.description)
        }
    }

    private func trusted(_ parsed: [VigilConfiguration]) throws -> TrustedKeys {
        if trust.isEmpty, let keys = try ReleaseKeys.compiledIn.trusted() { return keys }
        let paths = trust.isEmpty ? parsed.first?.trustedKeys ?? [] : trust
        let keys = try paths.map { path in
            guard
                let key = PublicKey(pem: String(decoding: try InstalledFile.content(path, limit: 4096), as: UTF8.self))
            else { throw InstalledFile.Malformed("\(path) holds no public P-256 key in PEM") }
            // One of the command line is the word of whoever asks.
            if trust.isEmpty { try InstalledFile.owner(of: path) }
            return key
        }
        let threshold = trust.isEmpty ? parsed.first?.trustThreshold ?? 1 : 1
        guard let trusted = TrustedKeys(keys, threshold: threshold) else {
            throw InstalledFile.Malformed("no key to check the manifest with: give one with --trust")
        }
        return trusted
    }

    // MARK: Files

    private func files(of manifest: Manifest) -> [InstallationCheck] {
        let differences = Dictionary(grouping: manifest.differences(from: folder), by: \.path)
        var paths: [String] = []
        for image in manifest.images where !paths.contains(image.path) { paths.append(image.path) }
        return paths.flatMap { path in
            [
                InstallationCheck(
                    name: path, outcome: differences[path] == nil ? .passed : .failed,
                    detail: differences[path].map {
                        $0.map(\.what).joined(separator: ", ") + " differs; install it again"
                    }
                        ?? "as the manifest says"),
                check("who may change \(path)") { try InstalledFile.owner(of: "\(folder)/\(path)") },
                check("constants of \(path)") { try constants(of: "\(folder)/\(path)") },
            ]
        }
    }

    /// Checks that constants are not writable: what is writable while a program runs is not measured.
    private func constants(of path: String) throws -> String {
        let parts = try OpenedFile(path: path).measure { opened throws(ImageFailure) in
            let file = try ExecutableFile(parsing: opened)
            var parts: [WritablePart] = []
            for image in file.images { parts += try file.writableParts(of: image) }
            return parts
        }
        guard parts.isEmpty else {
            throw InstalledFile.Wrong(parts.map(\.description).joined(separator: " "))
        }
        return "read-only while it runs"
    }

    // MARK: What a configuration names

    /// The file of the one program that a validator admits; nil where it admits any that runs the code.
    private func admitted(by configuration: VigilConfiguration, of manifest: Manifest) -> InstallationCheck? {
        guard let group = configuration.installedGroup,
            let image = manifest.program(of: .app, architecture: RunningArchitecture.name)
        else { return nil }
        let path = "\(configuration.bundleRoot ?? folder)/\(image.path)"
        return check("how \(image.path) is started") {
            do throws(MeasurementRefusal) { _ = try InstalledProgram(path: path, group: group).file() } catch {
                throw InstalledFile.Wrong("\(error.finding)")
            }
            return "hidden by the kernel, set-group-ID to \(group)"
        }
    }

    private func places(of configuration: VigilConfiguration) -> [InstallationCheck] {
        let socket = URL(filePath: configuration.socketPath).deletingLastPathComponent().path
        return [
            check("state \(configuration.stateDirectory)") {
                try InstalledFile.folder(configuration.stateDirectory, forbidding: 0o077)
            },
            check("keys in \(configuration.stateDirectory)") { try keys(in: configuration) },
            check("folder of the socket \(socket)") { try InstalledFile.folder(socket, forbidding: 0o027) },
        ]
    }

    private func keys(in configuration: VigilConfiguration) throws -> String {
        let names = try InstalledFile.names(in: configuration.stateDirectory)
        let kinds = names.compactMap { name in
            name.hasSuffix(".vgtk") ? KeyKind.tpm2 : name.hasSuffix(".vgsk") ? KeyKind.software : nil
        }
        guard let kind = kinds.first else { return "none yet; the first start makes one" }
        guard kind != .software || !configuration.requireHardware else {
            throw InstalledFile.Wrong("a software key, where the configuration requires hardware")
        }
        return kind == .software ? "software: bound to this machine only against careless copying" : "TPM 2.0"
    }

    // MARK: Outcomes

    private func name(of path: String) -> String { URL(filePath: path).lastPathComponent }

    private func check(_ name: String, _ body: () throws -> String) -> InstallationCheck {
        do { return InstallationCheck(name: name, outcome: .passed, detail: try body()) } catch {
            let outcome: InstallationCheck.Outcome =
                switch error {
                case is InstalledFile.Wrong: .failed
                case is InstalledFile.Unreadable: .unreadable
                default: .malformed
                }
            return InstallationCheck(name: name, outcome: outcome, detail: "\(error)")
        }
    }
}
