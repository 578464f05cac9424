import Foundation
import Testing

/// What root's scripts do to users and groups, without an installation.
@Suite("Scripts that give users validators", .enabled(if: TemporaryUsers.areAvailable))
struct VigilScriptsTests {
    private static let packaging = URL(filePath: InstalledTree.script).deletingLastPathComponent().appending(
        path: "../packaging/vigil"
    ).standardizedFileURL.path

    @Test("casemate-vigil-user takes no names where it lists, and needs them where it adds")
    func usage() throws {
        let scratch = try Scratch()
        let script = try String(contentsOfFile: Self.packaging + "/casemate-vigil-user", encoding: .utf8)
            .replacing("/usr/share/casemate/pairs.sh", with: Program.quoted(Self.packaging + "/pairs.sh"))
            .replacing("users_folder=/etc/casemate/users", with: "users_folder=\(Program.quoted(scratch.path("none")))")
        try Data(script.utf8).write(to: URL(filePath: scratch.path("script")))
        func run(_ arguments: String) throws -> Program.Outcome {
            try Program.shell("bash \(Program.quoted(scratch.path("script"))) \(arguments)")
        }
        for arguments in ["list alice", "add", "remove alice", ""] {
            let outcome = try run(arguments)
            #expect(outcome.exitCode == 64 && outcome.errors.contains("usage:"), "\(arguments)")
        }
        let listed = try run("list")
        #expect(listed.exitCode == 0 && listed.output.isEmpty, "\(listed.errors)")
        #expect(try run("--help").output.contains("usage:"))
    }
}
