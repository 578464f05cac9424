import Foundation
import Testing

/// What packages are called, and the number that their manifest is signed with.
@Suite(
    "Versions of packages",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/git"), "there is no git here"))
struct PackageVersionTests {
    private static let scripts = URL(filePath: InstalledTree.script).deletingLastPathComponent().path

    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try shell("git init -q history && cd history && \(Self.commit) one && \(Self.commit) two").succeeded()
    }

    private static let commit = """
        env GIT_COMMITTER_DATE='1764400000 +0000' git -c user.name=a -c user.email=a@example.org commit -q --allow-empty -m
        """

    private func shell(_ command: String) throws -> Program.Outcome {
        try Program.shell("( cd \(Program.quoted(scratch.path)) && \(command) )")
    }

    /// A script's answer about a repository.
    private func outcome(_ script: String, _ words: String = "", in folder: String) throws -> Program.Outcome {
        let path = Program.quoted("\(Self.scripts)/\(script)")
        return try shell("cd \(folder) && SOURCE_DATE_EPOCH=1764400000 \(path) \(words)")
    }

    @Test(
        "a later commit of the same day makes a later version, and a tag the program's own",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/dpkg"), "there is no dpkg here"))
    func ordered() throws {
        var versions: [String] = []
        // From one digit to two; the hashes are of any order.
        for commit in 3...12 {
            try shell("cd history && \(Self.commit) \(commit)").succeeded()
            let version = try outcome("package-version.sh", "1.2.0", in: "history").succeeded().output
            #expect(version.hasPrefix("1.2.0~git20251129.\(commit)."))
            versions.append(version.trimmingCharacters(in: .newlines))
        }
        for (earlier, later) in zip(versions, versions.dropFirst()) {
            try shell("dpkg --compare-versions \(earlier) lt \(later)").succeeded()
        }
        try shell("cd history && git tag v1.2.0").succeeded()
        #expect(try outcome("package-version.sh", "1.2.0", in: "history").output == "1.2.0\n")
    }

    @Test("a clone without the history numbers no release")
    func shallow() throws {
        #expect(try outcome("release-number.sh", "EPOCH", in: "history").output == "2\n")
        try shell("git clone -q --depth 1 file://\(Program.quoted(scratch.path("history"))) shallow").succeeded()
        for (script, words, setting) in [
            ("release-number.sh", "EPOCH", "EPOCH=…"), ("package-version.sh", "1.2.0", "VERSION=…"),
        ] {
            let refused = try outcome(script, words, in: "shallow")
            #expect(refused.exitCode == 1 && refused.output.isEmpty, "\(refused.output)")
            #expect(refused.errors.contains(setting) && refused.errors.contains("git fetch --unshallow"))
        }
    }
}
