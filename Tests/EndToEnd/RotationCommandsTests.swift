import Foundation
import TestSupport
import Testing

@Suite("casemate gives its data new keys")
struct RotationCommandsTests {
    /// What a vault holds, as a person sees it.
    private func content(_ vault: DemoVault, pin: String = DemoVault.pin) throws -> [String] {
        try [["key", "list", "--json"], ["log", "verify"], ["key", "preview", "--seed", "demo"]].map { arguments in
            let outcome = try DemoVault.casemate.run(
                arguments + ["--vault", vault.folder, "--pin-fd", "3"], secrets: [3: pin + "\n" + pin]
            ).succeeded()
            return outcome.output
        }
    }

    /// Runs a rotation that is killed at a step.
    private func kill(_ vault: DemoVault, _ arguments: [String] = ["rotate"], at step: String) throws {
        let files = [3: DemoVault.pin, 4: MainKeyVault.newPIN].mapValues { (UUID().uuidString, $0) }
        var command =
            ([DemoVault.casemate.path, "--crash-at=\(step)"] + arguments + ["--vault", vault.folder, "--pin-fd", "3"])
            .map(Program.quoted).joined(separator: " ")
        for (descriptor, (name, secret)) in files {
            try Data(secret.utf8).write(to: URL(filePath: vault.scratch.path(name)))
            command += " \(descriptor)<\(Program.quoted(vault.scratch.path(name)))"
        }
        let crashed = try Program.shell("\(command); echo $?")
        #expect(crashed.output.hasSuffix("137\n"), "\(step) was not reached: \(crashed.output)\(crashed.errors)")
    }

    private func epochs(_ vault: DemoVault) throws -> [Int?] {
        try vault.run(["status", "--json"]).json()["epochs"].array.map { $0["number"].int }
    }

    @Test("wiped behind a rotation that was killed, it has no key that a copy of its seeds opens with")
    func wiped() throws {
        let vault = try DemoVault("--pin")
        try kill(vault, at: "rotate.finish")
        // In the key file of a copy is what its seeds are sealed under.
        #expect(try epochs(vault) == [1, 2])
        #expect(try vault.unlocked(["wipe", "--yes"]).exitCode == 0)
        #expect(try epochs(vault) == [3])
    }

    private func copy(_ vault: DemoVault, _ name: String = "") throws -> String {
        let place = vault.scratch.path(UUID().uuidString)
        try FileManager.default.copyItem(atPath: vault.folder + name, toPath: place)
        return place
    }

    @Test("all is sealed anew under the PIN that it asks for, and nothing of it changes")
    func rotates() throws {
        let vault = try DemoVault("--pin")
        let before = try content(vault)
        let status = try vault.run(["rotate", "--status", "--json"]).json()
        #expect(status["rotating"].bool == false && status["epoch"].int == 1)
        #expect(status["places"].array.compactMap { $0["place"].string }.count == 3)
        #expect(status["places"].array.allSatisfy { $0["old"].int == 0 })
        // There is no terminal to ask on.
        let asked = try vault.run(["rotate"])
        #expect(asked.exitCode == 1 && asked.errors.contains("--pin-fd"))
        let wrong = try DemoVault.casemate.run(
            ["rotate", "--vault", vault.folder, "--pin-fd", "3"], secrets: [3: "a passphrasf"])
        #expect(wrong.exitCode == 10)
        #expect(try epochs(vault) == [1])
        let rotated = try vault.unlocked(["rotate", "--json"]).succeeded()
        #expect(try rotated.json()["epoch"].int == 2 && rotated.json()["rekeyed"].bool == false)
        #expect(try rotated.json()["sealed"]["seeds"].int == 1)
        #expect(try epochs(vault) == [2])
        #expect(try content(vault) == before)
        let again = try vault.unlocked(["rotate"])
        #expect(again.exitCode == 0 && again.output.contains("Everything is in epoch 3"), "\(again.errors)")
        #expect(try content(vault) == before)
    }

    @Test("with --rekey the old PIN, the old recovery code and an old key file open nothing of it any more")
    func rekey() throws {
        let vault = try DemoVault("--pin")
        let code = /([0-9A-HJKMNP-TV-Z]{4}-){6}[0-9A-HJKMNP-TV-Z]{2}/
        let added = try vault.unlocked(["protect", "--add-recovery", "--recovery-fd", "6"], taking: [6])
        let oldCode = String(try #require(added.taken[6]?.firstMatch(of: code)).output.0)
        let before = try content(vault)
        let (oldFolder, oldKey) = (try copy(vault), try copy(vault, "/key"))
        // Where the new recovery code goes is settled before anything is asked.
        let nowhere = try vault.unlocked(["rotate", "--rekey", "--new-pin-fd", "4"], secrets: [4: MainKeyVault.newPIN])
        #expect(nowhere.exitCode == 1 && nowhere.errors.contains("--recovery-fd"))
        #expect(try epochs(vault) == [1])
        let rekeyed = try vault.unlocked(
            ["rotate", "--rekey", "--new-pin-fd", "4", "--recovery-fd", "6"], secrets: [4: MainKeyVault.newPIN],
            taking: [6]
        ).succeeded()
        let newCode = String(try #require(rekeyed.taken[6]?.firstMatch(of: code)).output.0)
        #expect(rekeyed.output.contains("The MainKey is new"))
        #expect(try content(vault, pin: MainKeyVault.newPIN) == before)
        func list(_ folder: String, _ secret: String, _ more: [String] = []) throws -> Program.Outcome {
            try DemoVault.casemate.run(
                ["seed", "list", "--vault", folder, "--pin-fd", "3"] + more, secrets: [3: secret])
        }
        #expect(try list(vault.folder, DemoVault.pin).exitCode == 10)
        #expect(try list(vault.folder, oldCode, ["--recovery-code"]).exitCode == 10)
        #expect(try list(vault.folder, newCode, ["--recovery-code"]).output.contains("demo"))
        // The old folder is what it was; its key opens nothing of the new one.
        #expect(try list(oldFolder, DemoVault.pin).output.contains("demo"))
        try FileManager.default.removeItem(atPath: vault.folder + "/key")
        try FileManager.default.moveItem(atPath: oldKey, toPath: vault.folder + "/key")
        let opened = try list(vault.folder, DemoVault.pin)
        #expect(opened.exitCode == 15 && opened.output.isEmpty, "\(opened.output)\(opened.errors)")
    }

    @Test(
        "killed at any step nothing is lost, it can be used, and the next run finishes it",
        arguments: [
            "rotate.begin", "commit.1", "commit.3", "commit.4", "commit.5", "commit.7", "rotate.begun", "rotate.rows",
            "rotate.batch", "rotate.rows@2", "rotate.rows@3", "rotate.batch@3", "replace.written", "replace.renamed",
            "rotate.batch@4", "rotate.finish", "commit.3@2", "commit.4@2", "commit.5@2", "commit.7@2", "commit.3@3",
            "commit.5@3", "commit.7@3", "commit.5@4", "commit.7@5", "commit.7@6", "rotate.finished",
        ])
    func killed(at step: String) throws {
        let vault = try DemoVault()
        let before = try content(vault)
        try kill(vault, at: step)
        #expect(try content(vault) == before)
        #expect(try vault.run(["rotate", "--status"]).exitCode == 0)
        let signed = try vault.run(["sign", "--file", VaultCommandsTests.payload, "--yes"])
        #expect(signed.exitCode == 0, "\(signed.errors)")
        let used = try content(vault)
        let finished = try vault.run(["rotate", "--json"]).succeeded()
        #expect(try epochs(vault) == [finished.json()["epoch"].int])
        let status = try vault.run(["rotate", "--status", "--json"]).json()
        #expect(status["rotating"].bool == false && status["places"].array.allSatisfy { $0["old"].int == 0 })
        #expect(try content(vault) == used && used[0] == before[0] && used[2] == before[2])
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: vault.folder).sorted() == [
                "key", "lock", "network", "seeds.sealed", "vault.sqlite",
            ])
    }

    @Test("where --rekey fails behind its first step, it says that the new ways open the vault, and how to go on")
    func rekeyedHalf() throws {
        let vault = try DemoVault("--pin")
        // What has the name of the next file of seeds, and cannot be removed.
        let obstacle = vault.folder + "/seeds.sealed.new"
        try FileManager.default.createDirectory(atPath: obstacle + "/x", withIntermediateDirectories: true)
        let failed = try vault.unlocked(["rotate", "--rekey", "--new-pin-fd", "4"], secrets: [4: MainKeyVault.newPIN])
        #expect(failed.exitCode == 1 && failed.errors.contains("is valid all the same"), "\(failed.errors)")
        #expect(failed.errors.contains("Go on with: casemate rotate"), "\(failed.errors)")
        #expect(try vault.unlocked(["seed", "list"]).exitCode == 10)
        try FileManager.default.removeItem(atPath: obstacle)
        let rotated = try DemoVault.casemate.run(
            ["rotate", "--vault", vault.folder, "--pin-fd", "3"], secrets: [3: MainKeyVault.newPIN])
        #expect(rotated.exitCode == 0, "\(rotated.errors)")
    }

    @Test(
        "killed at any step of --rekey either the old PIN opens it or the new one",
        arguments: [
            "rekey.slots", "rekey.made", "commit.3", "commit.5", "commit.7", "commit.3@2", "commit.5@2", "commit.7@2",
            "commit.5@3", "commit.7@4", "rotate.batch",
        ])
    func killedRekey(at step: String) throws {
        let vault = try DemoVault("--pin")
        let before = try content(vault)
        try kill(vault, ["rotate", "--rekey", "--new-pin-fd", "4"], at: step)
        let isOld = try vault.unlocked(["seed", "list"]).exitCode == 0
        let pin = isOld ? DemoVault.pin : MainKeyVault.newPIN
        // The first commit notes which files are written next; the second one is that of the new MainKey.
        let stepsBefore = ["rekey.slots", "rekey.made", "commit.3", "commit.5", "commit.7", "commit.3@2", "commit.5@2"]
        #expect(isOld == stepsBefore.contains(step))
        #expect(try content(vault, pin: pin) == before)
        let finished = try DemoVault.casemate.run(
            ["rotate", "--vault", vault.folder, "--pin-fd", "3"], secrets: [3: pin])
        #expect(finished.exitCode == 0, "\(finished.errors)")
        #expect(try epochs(vault) == [2])
        #expect(try content(vault, pin: pin) == before)
    }

    @Test("a status of one that was killed says what to run; so does 'casemate status'")
    func status() throws {
        let vault = try DemoVault()
        try kill(vault, at: "rotate.batch")
        let status = try vault.run(["rotate", "--status"])
        #expect(status.output.contains("Go on with: casemate rotate"))
        #expect(try vault.run(["status"]).output.contains("a rotation is under way: casemate rotate"))
        #expect(try vault.run(["status", "--json"]).json()["rotating"].bool == true)
    }

    @Test("others look at the vault while it is rotated")
    func readers() throws {
        let vault = try DemoVault()
        let before = try content(vault)
        let rotate = ([DemoVault.casemate.path] + ["rotate", "--vault", vault.folder]).map(Program.quoted)
        let done = vault.scratch.path("done")
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = [
            "-c",
            "for i in 1 2 3 4 5 6; do \(rotate.joined(separator: " ")) || exit; done >/dev/null; touch \(Program.quoted(done))",
        ]
        try process.run()
        repeat { #expect(try content(vault) == before) } while process.isRunning
        #expect(FileManager.default.fileExists(atPath: done))
        #expect(try epochs(vault) == [7])
        #expect(try content(vault) == before)
    }

    @Test("'mainkey rotate' leaves the vault alone and names the command")
    func mainkey() throws {
        let vault = try DemoVault("--pin")
        let before = try content(vault)
        for more in [[], ["--yes"], ["--keep-old-epoch"]] {
            let refused = try MainKeyVault.mainkey.run(
                ["rotate", "--dir", vault.folder + "/key", "--pin-fd", "3"] + more, secrets: [3: DemoVault.pin])
            #expect(refused.exitCode == 44 && refused.errors.contains("Run: casemate rotate"), "\(refused.errors)")
        }
        #expect(try epochs(vault) == [1])
        #expect(try content(vault) == before)
    }

    @Test("options that do not go together are refused")
    func usage() throws {
        let vault = try DemoVault()
        for arguments in [["--rekey", "--status"], ["--new-pin-fd", "4"], ["--recovery-fd", "1"]] {
            #expect(try vault.run(["rotate"] + arguments).exitCode == 64, "\(arguments)")
        }
        #expect(try DemoVault.casemate.run(["rotate", "--vault", "/nowhere"]).exitCode == 14)
        #expect(try DemoVault.casemate.run(["rotate", "--rekey", "--vault", "/nowhere"]).exitCode == 14)
    }
}
