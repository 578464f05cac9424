import Foundation
import TestSupport
import Testing

/// casemate and its validator, installed by `make install-signed` with a release key of this test. Gone with the last
/// reference.
final class InstalledTree {
    static let script = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../scripts/install-signed.sh"
    ).standardizedFileURL.path

    let scratch: Scratch
    let prefix: String
    let vault: String
    /// Whose the two sides are; nil where both run as the user of the tests.
    let users: TemporaryUsers?
    private let key: String
    private var validator: Process?

    /// - Parameters:
    ///   - users: installed by root for them.
    ///   - settings: more for the installation.
    init(for users: TemporaryUsers? = nil, settings: [String] = []) throws {
        self.users = users
        scratch = try Scratch()
        prefix = scratch.path("casemate & | tree")
        vault = scratch.path(users == nil ? "vault" : "home/vault")
        if let users {
            try FileManager.default.setAttributes([.posixPermissions: 0o711], ofItemAtPath: scratch.path)
            try users.makeFolder(scratch.path("home"))
        }
        key = scratch.path("release.pem")
        try Program.shell(
            "openssl ecparam -name prime256v1 -genkey -noout -out \(Program.quoted(key)) && chmod 600 \(Program.quoted(key))"
        ).succeeded()
        try install(settings: settings).succeeded()
        try trustReleaseKey()
    }

    deinit { stopValidator() }

    func path(_ name: String) -> String { prefix + "/" + name }

    /// - Parameters:
    ///   - epoch: nil for one more than what is installed.
    ///   - more: settings that come last.
    func install(epoch: Int? = nil, settings more: [String] = []) throws -> Program.Outcome {
        var settings = [
            "PREFIX=\(prefix)", "RELEASE_KEY=\(key)", "BUILD=\(Program.folder.path)",
            "VIGIL_USER=\(users?.validator ?? TemporaryUsers.name(of: geteuid()))",
        ]
        if let users { settings += ["VIGIL_USERS=\(users.signer)", "VIGIL_GROUP=\(users.group)"] }
        if let epoch { settings.append("EPOCH=\(epoch)") }
        return try Program.shell(
            "env " + (settings + more + [Self.script]).map(Program.quoted).joined(separator: " "))
    }

    /// The programs of a test build have no release key compiled in; the configuration names it. A busy machine may
    /// take longer than the usual times, for which no test waits.
    private func trustReleaseKey() throws {
        for name in ["vigil-app.json", "vigil-validator.json"] {
            let file = URL(filePath: path("\(etc)/\(name)"))
            let text = try String(contentsOf: file, encoding: .utf8).replacing(
                "\"product\"",
                with: "\"trustedKeys\": [\"\(path("share/release.pub.pem"))\"], \"timeoutMs\": 60000, "
                    + "\"frameTimeoutMs\": 60000, \"ttlMs\": 300000, \"product\"")
            try Data(text.utf8).write(to: file)
        }
    }

    /// The folder of the configurations, from the folder of the installation.
    var etc: String { users.map { "etc/users/\($0.signerID)" } ?? "etc" }

    // MARK: Programs

    /// Words before a program that make it the right user's.
    private func user(of program: String) -> [String] {
        users.map { $0.become(program == "vigil-validator" ? $0.validator : $0.signer) } ?? []
    }

    private var settings: [String: String] {
        ["VIGIL_TPM": "none", "CASEMATE_VAULT": vault, "VIGIL_CONFIG": path("\(etc)/vigil-validator.json")]
    }

    /// Runs an installed program to its end; keys in a TPM are not used.
    func run(
        _ arguments: [String], of program: String = "casemate", secrets: [Int: String] = [:],
        taking: Set<Int> = [], environment: [String: String] = [:]
    ) throws -> Program.Outcome {
        let descriptors = try LentDescriptors(secrets, taking: taking)
        let command = words(program, arguments, environment).map(Program.quoted).joined(separator: " ")
        var outcome = try Program.shell("exec \(command)\(descriptors.redirections)")
        outcome.taken = try descriptors.taken()
        return outcome
    }

    private func words(_ program: String, _ arguments: [String], _ environment: [String: String]) -> [String] {
        let settings = settings.merging(environment) { $1 }.map { "\($0.key)=\($0.value)" }
        let file = program.hasPrefix("/") ? program : path("bin/\(program)")
        return user(of: program) + ["env"] + settings + [file] + arguments
    }

    /// Runs casemate in a terminal.
    func session(_ arguments: [String]) throws -> TerminalSession {
        try TerminalSession(words: words("casemate", arguments, [:]))
    }

    /// Starts the validator's program, as its user.
    private func start(_ arguments: [String]) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = user(of: "vigil-validator") + [path("bin/vigil-validator")] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(settings) { $1 }
        process.standardOutput = FileHandle.nullDevice
        let log = scratch.path("validator.log")
        if !FileManager.default.fileExists(atPath: log) { try Data().write(to: URL(filePath: log)) }
        let errors = FileHandle(forWritingAtPath: log)
        _ = try errors?.seekToEnd()
        process.standardError = errors
        try process.run()
        return process
    }

    /// What the validator has written.
    func validatorLog() throws -> String { try String(contentsOfFile: scratch.path("validator.log"), encoding: .utf8) }

    /// A command of the shell that runs the validator, as whoever calls it.
    var validatorCommand: String {
        let words = ["env"] + settings.map { "\($0.key)=\($0.value)" } + [path("bin/vigil-validator"), "run"]
        return words.map(Program.quoted).joined(separator: " ")
    }

    func startValidator() throws {
        validator = try start(["run"])
        var pause = GrowingPause()
        for _ in 0..<1_000 {
            let status = try run(["status", "--json"], of: "vigil-validator")
            if try status.exitCode == 0 && status.json()["isRunning"].bool == true { return }
            pause.pass()
        }
        Issue.record("the validator does not answer")
    }

    func stopValidator() {
        guard let process = validator else { return }
        validator = nil
        process.terminate()
        for _ in 0..<6_000 where process.isRunning { Thread.sleep(forTimeInterval: 0.05) }
        guard process.isRunning else { return }
        Issue.record("the validator does not end when it is told to")
        kill(process.processIdentifier, SIGKILL)
    }

    /// Pins program and validator, each by the other.
    func provision() throws {
        let window = try start(["provision", "--window", "600"])
        var pinned = try run(["vigil", "provision"])
        var pause = GrowingPause()
        for _ in 0..<1_000 where pinned.exitCode != 0 {
            pause.pass()
            pinned = try run(["vigil", "provision"])
        }
        #expect(pinned.exitCode == 0, "\(pinned.errors)")
        window.waitUntilExit()
        #expect(window.terminationStatus == 0)
    }

    // MARK: Attacks

    /// Changes one letter of what casemate says of itself, which is read-only data of its code, and lets `body` run.
    func withPatchedCasemate(_ body: () throws -> Void) throws {
        let file = URL(filePath: path("bin/casemate"))
        let whole = try Data(contentsOf: file)
        try replace(file, with: try Self.patched(whole))
        defer { try? replace(file, with: whole) }
        try body()
    }

    /// A copy of casemate as it was signed, in a folder of the person who signs.
    func genuineCopy() throws -> String {
        let copy = URL(filePath: vault).deletingLastPathComponent().appending(path: "genuine/casemate")
        try FileManager.default.createDirectory(
            at: copy.deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755])
        try replace(copy, with: Data(contentsOf: URL(filePath: path("bin/casemate"))))
        return copy.path
    }

    /// A changed copy of casemate, in a folder of the person who signs.
    func patchedCopy() throws -> String {
        let copy = URL(filePath: vault).deletingLastPathComponent().appending(path: "casemate")
        try replace(copy, with: try Self.patched(Data(contentsOf: URL(filePath: path("bin/casemate")))))
        return copy.path
    }

    private static func patched(_ program: Data) throws -> Data {
        var patched = program
        let place = try #require(program.range(of: Data("Show a payload, ask, sign".utf8)))
        patched[place.lowerBound] ^= 0x20
        return patched
    }

    /// Lets `body` run with files missing.
    ///
    /// - Parameter names: from the folder of the installation.
    func without(_ names: [String], _ body: () throws -> Void) throws {
        let files = FileManager.default
        for name in names { try files.moveItem(atPath: path(name), toPath: path(name) + ".away") }
        defer {
            for name in names {
                // What was made in its place is not what was there.
                try? files.removeItem(atPath: path(name))
                try? files.moveItem(atPath: path(name) + ".away", toPath: path(name))
            }
        }
        try body()
    }

    private func replace(_ file: URL, with content: Data) throws {
        let new = URL(filePath: file.path + ".patched")
        try ExecutableCopy.make(content, at: new.path)
        try #require(rename(new.path, file.path) == 0)
    }
}
