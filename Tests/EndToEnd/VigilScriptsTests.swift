import Foundation
import Testing

/// What root's scripts do to users and groups, without an installation.
@Suite("Scripts that give users validators", .enabled(if: TemporaryUsers.areAvailable))
struct VigilScriptsTests {
    private static let packaging = URL(filePath: InstalledTree.script).deletingLastPathComponent().appending(
        path: "../packaging/vigil"
    ).standardizedFileURL.path

    /// What they say and would do for a device of an owner and a mode; a group is not changed.
    private func outcome(_ users: TemporaryUsers, _ group: String, _ mode: String) throws -> Program.Outcome {
        let scratch = try Scratch()
        let device = scratch.path("tpm 0")
        let script = """
            set -euo pipefail
            touch "$tpm" && chown "root:\(group)" "$tpm" && chmod \(mode) "$tpm" && chmod 711 "$(dirname "$tpm")"
            me=root
            validator_user=\(users.validator)
            . \(Program.quoted(Self.packaging + "/pairs.sh"))
            usermod() { echo "usermod $*"; }
            tpm_refusal \(users.signer)
            admit_to_tpm \(users.validator)
            """
        return try Program.shell("env tpm=\(Program.quoted(device)) bash -c \(Program.quoted(script))")
    }

    @Test("a TPM that is root's alone lets nobody into root's group", arguments: ["600", "660"])
    func closedTPM(mode: String) throws {
        let outcome = try outcome(TemporaryUsers(), "root", mode)
        #expect(outcome.exitCode != 0 && outcome.output.contains("install tpm-udev"), "\(outcome.errors)")
        #expect(!outcome.output.contains("usermod"), "\(outcome.output)")
    }

    @Test("the group of a TPM lets the validator in, and is named to who signs and is not in it")
    func groupTPM() throws {
        let users = try TemporaryUsers()
        let admitted = "usermod -aG \(users.signer) \(users.validator)\n"
        #expect(try outcome(users, users.signer, "660").output == admitted)
        let refused = try outcome(users, "nogroup", "660")
        #expect(
            refused.output.hasPrefix("\(users.signer) may not use the TPM: run usermod -aG nogroup \(users.signer)\n"))
        let open = try outcome(users, "root", "666")
        #expect(open.exitCode == 0 && open.output.isEmpty, "\(open.output)\(open.errors)")
    }

    @Test("an installation for a TPM that is root's alone is refused before a user is made")
    func installation() throws {
        let (users, scratch) = (try TemporaryUsers(), try Scratch())
        let (key, device) = (scratch.path("release.pem"), scratch.path("tpm"))
        try Data().write(to: URL(filePath: key))
        try Data().write(to: URL(filePath: device))
        let settings = [
            "PREFIX=\(scratch.path("tree"))", "RELEASE_KEY=\(key)", "VIGIL_USER=\(users.validator)",
            "VIGIL_USERS=\(users.signer)", "VIGIL_GROUP=\(users.group)", "VIGIL_HARDWARE=yes", "tpm=\(device)",
        ]
        let words = (["env"] + settings + [InstalledTree.script]).map(Program.quoted)
        let refused = try Program.shell(words.joined(separator: " "))
        #expect(refused.exitCode == 1 && refused.errors.contains("install tpm-udev"), "\(refused.errors)")
        #expect(try Program.shell("id \(users.validator)").exitCode != 0)
    }

    @Test("whether keys have to be in a TPM is told by the configurations that are there, and not by what is asked for")
    func keptConfigurations() throws {
        func outcome(_ first: String, _ second: String) throws -> Program.Outcome {
            let scratch = try Scratch()
            let script = """
                set -euo pipefail
                me="$(id -un)" validator_user="$(id -un)" root=/nowhere manifest=/nowhere/manifest prefixes=""
                . \(Program.quoted(Self.packaging + "/pairs.sh"))
                cd \(Program.quoted(scratch.path))
                mkdir "an etc"
                for hardware in \(first) \(second); do pair "an etc" state run "$me" "$(id -gn)"; done
                say_keys "an etc"
                softness_refusal "an etc"
                """
            return try Program.shell("env tpm=/dev/null bash -c \(Program.quoted(script))")
        }
        let kept = try outcome("no", "yes")
        #expect(kept.exitCode == 0 && !kept.output.contains("have to be in the TPM"), "\(kept.output)\(kept.errors)")
        #expect(kept.output.contains("these configurations do not require hardware"), "\(kept.output)")
        #expect(kept.output.contains("an etc/vigil-app.json, an etc/vigil-validator.json"), "\(kept.output)")
        for settings in [("yes", "yes"), ("yes", "no")] {
            let required = try outcome(settings.0, settings.1)
            #expect(required.output == "Keys of program and validator have to be in the TPM.\n", "\(required.errors)")
        }
    }

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
