import Foundation
import Testing

/// casemate and a validator with a user of its own, as root installs them.
///
/// Source: `vigil` sections 1.1 (W7), 5 and 12.
@Suite(
    "casemate with a validator of another user", .serialized, .timeLimit(.minutes(30)),
    .enabled(if: TemporaryUsers.areAvailable))
struct VigilUsersTests {
    private static let pin = "a passphrase"
    private let preview = ["key", "preview", "--seed", "demo", "--pin-fd", "3"]

    private func boundTree() throws -> (InstalledTree, TemporaryUsers) {
        let users = try TemporaryUsers()
        let tree = try InstalledTree(for: users)
        try tree.startValidator()
        try tree.provision()
        let made = try tree.run(
            ["init", "--network-allowed", "--pin-fd", "3"] + DemoVault.cost, secrets: [3: Self.pin]
        ).succeeded()
        #expect(made.output.contains("It is bound") && !made.output.contains("one user"))
        try tree.run(
            ["seed", "recover", "demo", "--pin-fd", "3", "--phrase-fd", "4"],
            secrets: [3: Self.pin, 4: DemoVault.phrase]
        ).succeeded()
        return (tree, users)
    }

    @Test("who signs reads neither the secret nor the validator's key, and cannot change the programs")
    func separated() throws {
        let (tree, users) = try boundTree()
        for name in ["\(tree.etc)/vigil-grant", "\(tree.etc)/vigil-token", "state/\(users.signerID)/validator"] {
            let path = Program.quoted(tree.path(name))
            #expect(FileManager.default.fileExists(atPath: tree.path(name)))
            #expect(try users.shell("test -r \(path)").exitCode != 0, "\(name)")
        }
        for name in ["bin/casemate", "bin/vigil-validator", "vigil-manifest.json", "\(tree.etc)/vigil-app.json"] {
            #expect(try users.shell("test -w \(Program.quoted(tree.path(name)))").exitCode != 0, "\(name)")
        }
        let socket = Program.quoted(tree.path("run/\(users.signerID)/vigil.sock"))
        #expect(try users.shell("rm \(socket) || touch \(socket).new").exitCode != 0)
        let status = try tree.run(["vigil", "status", "--json"])
        #expect(try status.exitCode == 0 && status.json()["sharedUser"].bool == false, "\(status.output)")
        #expect(try tree.run(preview, secrets: [3: Self.pin]).exitCode == 0)
    }

    @Test("a changed copy that the same person runs opens no seed with the right PIN, whatever it is told")
    func changedCopy() throws {
        let (tree, users) = try boundTree()
        let copy = try tree.patchedCopy()
        let known = try tree.run(
            preview, of: copy, secrets: [3: Self.pin],
            environment: ["CASEMATE_VIGIL": tree.path("\(tree.etc)/vigil-app.json")])
        #expect(known.exitCode == 18, "\(known.output)\(known.errors)")
        // It knows none, and takes no notice of the record.
        let record = Program.quoted(tree.vault + "/key/vigil.json")
        try #require(try users.shell("rm \(record)").exitCode == 0)
        let alone = try tree.run(preview, of: copy, secrets: [3: Self.pin])
        #expect(alone.exitCode == 10, "\(alone.output)\(alone.errors)")
    }

    @Test("where keys have to be in a TPM and there is none, nothing is pinned; root is not one who signs")
    func settings() throws {
        let users = try TemporaryUsers()
        let tree = try InstalledTree(for: users, settings: ["VIGIL_HARDWARE=yes"])
        let status = try tree.run(["vigil", "status"])
        #expect(status.exitCode == 18 && status.output.contains("hardware"), "\(status.output)\(status.errors)")
        let refused = try tree.install(settings: ["VIGIL_USERS=root"])
        #expect(refused.exitCode == 1 && refused.errors.contains("root reads"), "\(refused.errors)")
        // What the configurations require, not what is asked for, is said, and decides about devices.
        let unit = tree.path("share/casemate-vigil@.service")
        let again = try tree.install(settings: ["VIGIL_HARDWARE=no"])
        #expect(again.exitCode == 0 && again.output.contains("have to be in the TPM"), "\(again.output)\(again.errors)")
        #expect(try String(contentsOfFile: unit, encoding: .utf8).contains("DevicePolicy=closed"))
    }

    @Test("an upgrade leaves the validators to their user and casemate to its group, and gives them to no other")
    func upgraded() throws {
        let users = try TemporaryUsers()
        let tree = try InstalledTree(for: users)
        let casemate = Program.quoted(tree.path("bin/casemate"))
        let validator = Program.quoted(tree.path("state/\(users.signerID)/validator"))
        let owners = "{ stat -c '%U %G' \(casemate) && stat -c %U \(validator) && stat -c %Y.%i \(casemate); }"
        let before = try Program.shell(owners).output.split(separator: "\n")
        #expect(before.first == "root \(users.group)" && before.dropFirst().first == "\(users.validator)", "\(before)")
        let refused = try tree.install(settings: ["VIGIL_USER=nobody"])
        #expect(
            refused.exitCode == 1 && refused.errors.contains("run as \(users.validator)"),
            "\(refused.output)\(refused.errors)")
        #expect(try Program.shell(owners).output.split(separator: "\n") == before)
        // As it is typed for an upgrade, without names.
        try tree.install(settings: ["VIGIL_USER=", "VIGIL_USERS=", "VIGIL_GROUP="]).succeeded()
        let after = try Program.shell(owners).output.split(separator: "\n")
        #expect(after.prefix(2) == before.prefix(2) && after.last != before.last, "\(after)")
        let unit = try String(contentsOfFile: tree.path("share/casemate-vigil@.service"), encoding: .utf8)
        #expect(unit.contains("User=\(users.validator)\n"))
        let grant = Program.quoted(tree.path("\(tree.etc)/vigil-grant"))
        #expect(try users.shell(as: users.validator, looking: false, "test -r \(grant)").exitCode == 0)
    }

    @Test(
        "root installs nothing where somebody else could put another program, or a link through which root writes",
        arguments: [
            "chown nobody .", "chmod g+w .", "mkdir bin && chown nobody bin", "mkdir share && chmod o+w share",
            "ln -s /etc share", "mkdir -p share/applications && chown nobody share/applications",
            "mkdir bin && touch bin/casemate && chown nobody bin/casemate", "mkdir .new && chown nobody .new",
            "chown nobody ..", "chmod g+w ..", "mkdir -p etc/users/1 && chown nobody etc/users/1",
        ])
    func foreignPrefix(preparation: String) throws {
        let scratch = try Scratch()
        let (prefix, key) = (Program.quoted(scratch.path("below/tree")), Program.quoted(scratch.path("release.pem")))
        try Program.shell("mkdir -p \(prefix) && touch \(key) && cd \(prefix) && \(preparation)").succeeded()
        let before = try Program.shell("find \(prefix) -printf '%p %u %m %l\n'").output
        let script = Program.quoted(InstalledTree.script)
        let refused = try Program.shell("env PREFIX=\(prefix) RELEASE_KEY=\(key) VIGIL_USER=root \(script)")
        #expect(refused.exitCode == 1 && refused.errors.contains("not root's alone"), "\(refused.errors)")
        #expect(try Program.shell("find \(prefix) -printf '%p %u %m %l\n'").output == before)
    }
}
