import Foundation
import TestSupport
import Testing

/// A vault that the program `mainkey` has made, with a PIN and a recovery code; gone with the last reference.
final class MainKeyVault {
    static let mainkey = Program(name: "mainkey")
    static let pin = "Zeder-4481"
    static let newPIN = "Kiefer-9027"
    /// The least that is written, so that tests stay short.
    static let cost = ["--cost", "2:19456"]

    let scratch: Scratch
    let folder: String
    let recovery: String
    /// Where the program finds room for temporary files: a folder of this vault's, that tests can search.
    let temporary: String
    private let tcti: String?

    /// - Parameters:
    ///   - options: of `init`.
    ///   - disk: where its folder is; nil for one of its own.
    init(_ options: [String] = [], tcti: String? = nil, onDisk disk: SmallDisk? = nil) throws {
        scratch = try Scratch()
        folder = disk.map { $0.path + "/vault" } ?? scratch.path("vault")
        temporary = scratch.path("tmp")
        try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: false)
        self.tcti = tcti
        let paper = scratch.path("paper")
        let pinFile = scratch.path("pin")
        try Data(Self.pin.utf8).write(to: URL(filePath: pinFile))
        let arguments =
            [
                "init", "--dir", folder, "--known-vaults", scratch.path("known"), "--recovery", "--recovery-fd", "4",
                "--pin-fd", "3",
            ] + Self.cost + options
            + (tcti.map { ["--tcti", $0, "--software-tpm"] } ?? [])
        let command = ([Self.mainkey.path] + arguments).map(Program.quoted).joined(separator: " ")
        try Program.shell("\(command) 3<\(Program.quoted(pinFile)) 4>\(Program.quoted(paper))").succeeded()
        recovery = try String(contentsOfFile: paper, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        try FileManager.default.removeItem(atPath: paper)
        try FileManager.default.removeItem(atPath: pinFile)
    }

    /// Runs a command with lines for the descriptor of PINs.
    func run(_ arguments: [String], _ lines: String..., input: [UInt8] = [], secrets: [Int: String] = [:]) throws
        -> Program.Outcome
    {
        let place = ["--dir", folder, "--known-vaults", scratch.path("known")] + (tcti.map { ["--tcti", $0] } ?? [])
        let typed = lines.isEmpty ? [:] : [3: lines.joined(separator: "\n") + "\n"]
        return try Self.mainkey.run(
            arguments + place + (lines.isEmpty ? [] : ["--pin-fd", "3"]), input: input,
            secrets: secrets.merging(typed) { $1 }, environment: ["TMPDIR": temporary, "XDG_RUNTIME_DIR": temporary])
    }

    /// With the PIN.
    func unlocked(_ arguments: [String], input: [UInt8] = [], secrets: [Int: String] = [:]) throws -> Program.Outcome {
        try run(arguments, Self.pin, input: input, secrets: secrets)
    }

    func seal(_ text: String, _ options: [String] = ["--table", "user", "--column", "email"]) throws -> [UInt8] {
        let outcome = try unlocked(["seal"] + options, input: Array(text.utf8)).succeeded()
        return try #require(JSON.string(outcome.output.trimmingCharacters(in: .newlines)).hex)
    }

    func status() throws -> JSON { try run(["status", "--json"]).json() }
}
