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

    /// A configuration that could be read.
    private struct Side {
        let name: String
        let configuration: VigilConfiguration
    }

    /// What sides are about: one manifest, in one folder, by the keys that they trust.
    private struct Release: Hashable {
        let manifest: String
        let root: String
        let keys: [String]
        let threshold: Int
    }

    func run() -> [InstallationCheck] {
        var checks: [InstallationCheck] = []
        var sides: [Side] = []
        for path in configurations {
            let name = name(of: path)
            checks.append(
                check("configuration \(name)") {
                    let configuration = try VigilConfiguration(
                        parsing: InstalledFile.content(path, limit: Self.sizeLimit))
                    sides.append(Side(name: name, configuration: configuration))
                    try InstalledFile.owner(of: path)
                    let role = configuration.role(at: path)
                    if let role { try configuration.check(for: role) }
                    guard role != .validator || !configuration.allowedUsers.isEmpty else {
                        throw InstalledFile.Wrong("allowedUids names nobody whose programs may connect")
                    }
                    return "\(configuration.product), timeout \(configuration.timeout)"
                })
        }
        checks.append(releaseKeys)
        var releases: [(release: Release, sides: [Side])] = []
        for side in sides {
            let release = release(of: side.configuration)
            if let known = releases.firstIndex(where: { $0.release == release }) {
                releases[known].sides.append(side)
            } else {
                releases.append((release, [side]))
            }
        }
        if releases.isEmpty { releases = [(release(of: nil), [])] }
        var seen: Set<[String]> = []
        for (release, sides) in releases {
            let name = releases.count == 1 ? "manifest" : "manifest \(release.manifest)"
            // The folder that was named, too, where no configuration is about it.
            let isElsewhere = !releases.contains { $0.release.root == folder }
            checks += look(
                at: release, of: sides, name: name, in: isElsewhere ? [folder, release.root] : [release.root], &seen)
        }
        for side in sides { checks += places(of: side.configuration) }
        return checks
    }

    private func release(of configuration: VigilConfiguration?) -> Release {
        Release(
            manifest: manifest ?? configuration?.manifest ?? "\(folder)/vigil-manifest.json",
            root: configuration?.bundleRoot.map { URL(filePath: $0).standardizedFileURL.path } ?? folder,
            keys: configuration?.trustedKeys ?? [],
            threshold: configuration?.trustThreshold ?? 1)
    }

    /// - Parameter seen: manifests and folders of which the files were looked at.
    private func look(
        at release: Release, of sides: [Side], name: String, in roots: [String], _ seen: inout Set<[String]>
    ) -> [InstallationCheck] {
        var found: Manifest?
        var checks = [
            check(name) {
                let file = try InstalledFile.content(release.manifest, limit: Envelope.sizeLimit)
                let verified = try Manifest(verifying: file, by: try trusted(by: release))
                found = verified
                for side in sides where side.configuration.product != verified.product {
                    throw InstalledFile.Wrong(
                        "it is of \(verified.product), and \(side.name) of \(side.configuration.product)")
                }
                try InstalledFile.owner(of: release.manifest)
                return "\(verified.product), epoch \(verified.epoch), \(verified.images.count) files"
            }
        ]
        guard let found else { return checks }
        for root in roots where seen.insert([release.manifest, root]).inserted {
            checks += files(of: found, in: root)
        }
        return checks
            + sides.flatMap { side in
                [admitted(by: side.configuration, of: found), rules(of: side.configuration, release, beside: found)]
                    .compactMap(\.self)
            }
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

    private func trusted(by release: Release) throws -> TrustedKeys {
        if trust.isEmpty, let keys = try ReleaseKeys.compiledIn.trusted() { return keys }
        let keys = try (trust.isEmpty ? release.keys : trust).map { path in
            guard
                let key = PublicKey(pem: String(decoding: try InstalledFile.content(path, limit: 4096), as: UTF8.self))
            else { throw InstalledFile.Malformed("\(path) holds no public P-256 key in PEM") }
            // One of the command line is the word of whoever asks.
            if trust.isEmpty { try InstalledFile.owner(of: path) }
            return key
        }
        guard let trusted = TrustedKeys(keys, threshold: trust.isEmpty ? release.threshold : 1) else {
            throw InstalledFile.Malformed("no key to check the manifest with: give one with --trust")
        }
        return trusted
    }

    // MARK: Files

    private func files(of manifest: Manifest, in root: String) -> [InstallationCheck] {
        let differences = Dictionary(grouping: manifest.differences(from: root), by: \.path)
        var paths: [String] = []
        for image in manifest.images where !paths.contains(image.path) { paths.append(image.path) }
        return paths.flatMap { path in
            let place = "\(root)/\(path)"
            let name = root == folder ? path : place
            return [
                InstallationCheck(
                    name: name, outcome: differences[path] == nil ? .passed : .failed,
                    detail: differences[path].map {
                        $0.map(\.what).joined(separator: ", ") + " differs; install it again"
                    }
                        ?? "as the manifest says"),
                check("who may change \(name)") { try InstalledFile.owner(of: place) },
                check("constants of \(name)") { try constants(of: place) },
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
            let members = GroupMembers.names(of: group)
            guard members.isEmpty else {
                throw InstalledFile.Wrong(
                    "the kernel hides nothing from those who are in the group \(group): take out "
                        + members.joined(separator: ", "))
            }
            return "hidden by the kernel, set-group-ID to \(group)"
        }
    }

    /// The signed rules of behaviour; nil where none are named.
    private func rules(
        of configuration: VigilConfiguration, _ release: Release, beside manifest: Manifest
    ) -> InstallationCheck? {
        guard let path = configuration.behaviour else { return nil }
        return check("rules of behaviour \(path)") {
            let file = try InstalledFile.content(path, limit: Envelope.sizeLimit)
            _ = try BehaviourBinding.profile(verifying: file, by: try trusted(by: release), beside: manifest)
            try InstalledFile.owner(of: path)
            return "of the manifest's product and epoch"
        }
    }

    private func places(of configuration: VigilConfiguration) -> [InstallationCheck] {
        let socket = URL(filePath: configuration.socketPath).deletingLastPathComponent().path
        let state = configuration.stateDirectory
        var secrets: [InstallationCheck] = []
        if let grant = configuration.grantFile {
            secrets.append(check("grant \(grant)") { try InstalledFile.secret(grant, ofOwner: state) })
        }
        // The installer may take the token away once it has been used.
        if let token = configuration.provisioning.tokenFile, InstalledFile.exists(token) {
            secrets.append(check("token \(token)") { try InstalledFile.secret(token, ofOwner: state) })
        }
        if let program = configuration.onTamper.first {
            secrets.append(check("program for findings \(program)") { try InstalledFile.owner(of: program) })
        }
        return secrets + [
            check("state \(state)") { try InstalledFile.folder(state, forbidding: 0o077) },
            check("keys in \(state)") { try keys(in: configuration) },
            check("folder of the socket \(socket)") { try InstalledFile.folder(socket, forbidding: 0o027) },
        ]
    }

    private func keys(in configuration: VigilConfiguration) throws -> String {
        let names = try InstalledFile.names(in: configuration.stateDirectory)
        let kinds = names.compactMap { name in
            name.hasSuffix(".vgtk") ? KeyKind.tpm2 : name.hasSuffix(".vgsk") ? KeyKind.software : nil
        }
        guard !kinds.isEmpty else { return "none yet; the first start makes one" }
        guard !kinds.contains(.software) || !configuration.requireHardware else {
            throw InstalledFile.Wrong("a software key, where the configuration requires hardware")
        }
        return kinds.contains(.software) ? "software: bound to this machine only against careless copying" : "TPM 2.0"
    }

    // MARK: Outcomes

    /// Several users have configurations of one name.
    private func name(of path: String) -> String {
        path.hasPrefix("\(folder)/") ? String(path.dropFirst(folder.count + 1)) : path
    }

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
