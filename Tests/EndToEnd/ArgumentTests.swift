import Foundation
import TestSupport
import Testing

@Suite("Arguments")
struct ArgumentTests {
    /// Swift's library finds them by the place of the environment, from which a program that holds secrets takes away.
    @Test(
        "a program has them whatever the environment holds",
        arguments: ["casemate", "casemate-window", "mainkey", "vigil-hash-tool", "vigil-validator", "gate", "airgap"],
        ["", "TERM=dumb", "A=b", "A=b TERM=dumb C=d", "TSS2_LOG=all+TRACE", "LD_BIND_NOW=1"])
    func environment(_ name: String, _ variables: String) throws {
        let program = Program.quoted(Program(name: name).path)
        let outcome = try Program.shell("exec env -i \(variables) \(program) --version")
        #expect(outcome.exitCode == 0 && outcome.output == "0.1.0\n", "\(outcome.errors)")
    }

    @Test(
        "those that are no text are wrong usage: two names of files would be one",
        arguments: [
            ("casemate", Int32(64)), ("mainkey", 64), ("generate-message", 64), ("gate", 64), ("forcefield", 2),
            ("airgap", 4), ("vigil-hash-tool", 2),
        ])
    func refused(_ name: String, _ exitCode: Int32) throws {
        let program = Program.quoted(Program(name: name).path)
        let outcome = try Program.shell("exec \(program) status \"$(printf 'a\\351.mkf')\"")
        #expect(outcome.exitCode == exitCode && outcome.errors.contains("Argument 2 is not UTF-8"), "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
    }

    @Test(
        "in the help of each command its own options come first, and those that commands repeat come last",
        arguments: [
            ("casemate", ["tpm", "software-tpm", "accept-tpm", "known-vaults"]),
            ("mainkey", ["dir", "tcti", "software-tpm", "accept-tpm", "known-vaults"]),
        ])
    func help(_ name: String, _ repeated: [String]) throws {
        let root = try Program(name: name).run(["--experimental-dump-help"]).json()["command"]
        let commands = Self.commands(below: root).map(Self.options).filter { $0.contains("known-vaults") }
        #expect(commands.count > 20)
        for options in commands { #expect(options.suffix(repeated.count) == repeated[...], "\(options)") }
    }

    private static func commands(below command: JSON) -> [JSON] {
        [command] + command["subcommands"].array.flatMap { commands(below: $0) }
    }

    /// But for those that every command has.
    private static func options(of command: JSON) -> [String] {
        command["arguments"].array.compactMap { $0["preferredName"]["name"].string }
            .filter { !["help", "version"].contains($0) }
    }

    @Test("a file whose name is no text keeps what it holds")
    func kept() throws {
        let scratch = try Scratch()
        let letter = scratch.path("letter")
        try Data("a letter".utf8).write(to: URL(filePath: letter))
        let vault = try MainKeyVault()
        let encrypt = [MainKeyVault.mainkey.path, "encrypt", letter].map(Program.quoted).joined(separator: " ")
        let outcome = try Program.shell(
            "cd \(Program.quoted(scratch.path)) && exec \(encrypt) \"$(printf '\\350.mkf')\" "
                + "--dir \(Program.quoted(vault.folder))")
        #expect(outcome.exitCode == 64)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["letter"])
    }
}
