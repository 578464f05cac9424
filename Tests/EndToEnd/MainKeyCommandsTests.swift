import Foundation
import TestSupport
import Testing

@Suite("mainkey, as a person and a script run it")
struct MainKeyCommandsTests {
    private typealias Vault = MainKeyVault
    private let column = ["--table", "user", "--column", "email"]

    @Test("a new vault says what it does not protect against, and its status needs no PIN")
    func made() throws {
        let vault = try Vault()
        #expect(vault.recovery.wholeMatch(of: /([0-9A-HJKMNP-TV-Z]{4}-){6}[0-9A-HJKMNP-TV-Z]{2}/) != nil)
        let status = try vault.status()
        #expect(status["slots"].array.map { $0["kind"].string } == ["pin", "recovery"])
        #expect(status["generation"].int == 1 && status["attemptsLeft"].int == 10 && status["anchor"].string == "none")
        #expect(try vault.unlocked(["verify"]).exitCode == 0)
        #expect(try vault.run(["verify", "--recovery"], vault.recovery.lowercased()).exitCode == 0)
        let second = try vault.unlocked(["init"])
        #expect(second.exitCode == 44 && second.errors.contains("there is a vault"))
    }

    @Test("a value opens in its column and row only")
    func values() throws {
        let vault = try Vault()
        let sealed = JSON.hexText(try vault.seal("anna@example.org", column + ["--row", "0a0b", "--pad", "64"]))
        let opened = try vault.unlocked(["open", sealed, "--row", "0a0b"] + column)
        #expect(opened.exitCode == 0 && opened.output == "anna@example.org")
        #expect(try vault.unlocked(["open", sealed] + column).exitCode == 32)
        #expect(
            try vault.unlocked(["open", sealed, "--row", "0a0b", "--table", "user", "--column", "name"]).exitCode == 32)
        #expect(try vault.unlocked(["open", sealed + "0"] + column).exitCode == 64)
        #expect(try vault.unlocked(["open", "0101"] + column).exitCode == 14)
        let number = JSON.hexText(try vault.seal(" 42\n", column + ["--as", "int"]))
        let json = try vault.unlocked(["open", number, "--json"] + column).json()
        #expect(json["form"].string == "int" && json["value"].string == "42")
        #expect(try vault.unlocked(["seal", "--as", "int"] + column, input: Array("x".utf8)).exitCode == 64)
        // JSON stays as it is written; what readers of it disagree on is none.
        for text in [#"{ "a" : [1.50, null, "\u00e4"] }"#, " 7\n", "\"x\"", "true"] {
            let sealed = JSON.hexText(try vault.seal(text, column + ["--as", "json"]))
            #expect(try vault.unlocked(["open", sealed] + column).output == text)
        }
        for text in ["", "{", #"{"a":1,"a":2}"#, #""\ud800""#, "[1,]", "NaN", "1 2"] {
            let outcome = try vault.unlocked(["seal", "--as", "json"] + column, input: Array(text.utf8))
            #expect(outcome.exitCode == 64 && outcome.errors.contains("not JSON"), "\(text)")
        }
        let indexes = try ["a", "a", "b"].map {
            try vault.unlocked(["index", "--length", "8"] + column, input: Array($0.utf8)).output
        }
        #expect(indexes[0].count == 17 && indexes[0] == indexes[1] && indexes[1] != indexes[2])
    }

    @Test("a file comes back whole, in parts, and not under another name or changed")
    func files() throws {
        let vault = try Vault()
        let scratch = try Scratch()
        let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let (plain, sealed, back) = (scratch.path("a"), scratch.path("a.mkf"), scratch.path("b"))
        try Data(content).write(to: URL(filePath: plain))
        let named = ["--context", "letter"]
        #expect(try vault.unlocked(["encrypt", plain, sealed] + named).exitCode == 0)
        #expect(try vault.unlocked(["decrypt", sealed, back] + named).exitCode == 0)
        #expect(try Data(contentsOf: URL(filePath: back)) == Data(content))
        let part = try vault.unlocked(["cat", sealed, "--offset", "65530", "--length", "12", "--json"] + named).json()
        #expect(part["hex"].hex == Array(content[65530..<65542]))
        #expect(try vault.unlocked(["decrypt", sealed, scratch.path("c")]).exitCode == 35)
        var bytes = try Data(contentsOf: URL(filePath: sealed))
        bytes[100_000] ^= 1
        try bytes.write(to: URL(filePath: sealed))
        #expect(try vault.unlocked(["decrypt", sealed, scratch.path("c")] + named).exitCode == 32)
        #expect(!FileManager.default.fileExists(atPath: scratch.path("c")), "nothing half decrypted stays")
        let checked = try vault.unlocked(["check", sealed, plain, "--json"] + named)
        #expect(checked.exitCode == 32)
        #expect(try checked.json()["files"].array.map { $0["error"].string } == ["authFailed", "badMagic"])
        try bytes.prefix(80 + 65_536 + 16).write(to: URL(filePath: sealed))
        #expect(try vault.unlocked(["check", sealed] + named).exitCode == 14)
        #expect(try vault.unlocked(["check", scratch.path("none")]).exitCode == 10)
    }

    @Test("tokens are stored, listed without a PIN, read and removed")
    func tokens() throws {
        let vault = try Vault()
        #expect(
            try vault.unlocked(["token", "set", "mail", "--token-fd", "4"], secrets: [4: "tk-5521\n"]).exitCode == 0)
        #expect(try vault.run(["token", "list", "--json"]).json()["tokens"].array == [.string("mail")])
        #expect(try vault.unlocked(["token", "get", "mail"]).output == "tk-5521")
        #expect(try vault.unlocked(["token", "get", "other"]).exitCode == 10)
        #expect(try vault.run(["token", "rm", "mail"]).exitCode == 0)
        #expect(try vault.run(["token", "rm", "mail"]).exitCode == 10)
        // What reads the same is another name.
        #expect(try vault.unlocked(["token", "set", "e\u{301}", "--token-fd", "4"], secrets: [4: "x\n"]).exitCode == 0)
        #expect(try vault.run(["token", "rm", "\u{e9}"]).exitCode == 10)
        #expect(try vault.run(["token", "rm", "e\u{301}"]).exitCode == 0)
    }

    @Test("a token that is put back is refused, and verify says so, until a person takes it as it is")
    func putBack() throws {
        let vault = try Vault()
        let store = ["token", "set", "mail", "--token-fd", "4"]
        #expect(try vault.unlocked(store, secrets: [4: "old\n"]).exitCode == 0)
        let items = vault.folder + "/items"
        let names = try FileManager.default.contentsOfDirectory(atPath: items)
        let file = URL(filePath: items + "/" + (try #require(names.first { $0.hasSuffix(".item") })))
        let old = try Data(contentsOf: file)
        #expect(try vault.unlocked(store, secrets: [4: "new\n"]).exitCode == 0)
        try old.write(to: file)
        for command in [["token", "get", "mail"], ["verify"]] {
            let outcome = try vault.unlocked(command + ["--json"])
            #expect(outcome.exitCode == 31 && outcome.output.contains("rolledBack"), "\(command)")
            #expect(outcome.errors.contains("mainkey repair --accept-items"), "\(outcome.errors)")
        }
        #expect(try vault.unlocked(["repair", "--accept-items"]).exitCode == 0)
        #expect(try vault.unlocked(["token", "get", "mail"]).output == "old")
        #expect(try vault.unlocked(["verify", "--json"]).json()["missing"].int == 0)
        #expect(try vault.run(["token", "rm", "mail"]).exitCode == 0)
        #expect(try vault.unlocked(["verify", "--json"]).json()["missing"].int == 1)
    }

    @Test("a changed PIN opens and the old one does not; a forgotten one is replaced by the recovery code")
    func pins() throws {
        let vault = try Vault()
        #expect(try vault.run(["change-pin"], Vault.pin, Vault.newPIN).exitCode == 0)
        #expect(try vault.unlocked(["verify"]).exitCode == 20)
        #expect(try vault.run(["verify"], Vault.newPIN).exitCode == 0)
        #expect(try vault.run(["change-pin", "--recovery"], vault.recovery, Vault.pin).exitCode == 0)
        #expect(try vault.unlocked(["verify"]).exitCode == 0)
        #expect(try vault.run(["change-pin"], Vault.pin, "123456").exitCode == 24)
        #expect(try vault.unlocked(["verify"]).exitCode == 0)
    }

    @Test("a vault changes its protection and keeps the recovery code; slots come and go")
    func protections() throws {
        let vault = try Vault()
        #expect(try vault.unlocked(["token", "set", "t", "--token-fd", "4"], secrets: [4: "x\n"]).exitCode == 0)
        #expect(try vault.unlocked(["protect", "--pin", "--yes"]).exitCode == 64)
        #expect(try vault.unlocked(["verify"]).exitCode == 0, "the PIN opens it as before")
        let asked = try TerminalSession(Vault.mainkey, ["protect", "--none", "--dir", vault.folder])
        try asked.wait(for: "PIN")
        try asked.type("\(Vault.pin)\r")
        try asked.wait(for: "Take the protection away?")
        try asked.type("no\r")
        #expect(asked.exitCode() != 0)
        #expect(try vault.unlocked(["verify"]).exitCode == 0, "the PIN opens it as before")
        let none = try vault.unlocked(["protect", "--none"])
        #expect(none.exitCode == 0 && none.output.contains("Before: pin, recovery. Now: recovery, none."))
        #expect(try vault.run(["token", "get", "t"]).output == "x", "nothing is asked for")
        #expect(try vault.run(["protect", "--none"]).exitCode == 0, "nothing is taken away")
        #expect(try vault.run(["protect", "--pin"] + Vault.cost, Vault.newPIN).exitCode == 0)
        #expect(try vault.run(["token", "get", "t"], Vault.newPIN).output == "x")
        let added = try vault.run(["add-recovery", "--recovery-fd", "5"], Vault.newPIN, secrets: [5: ""])
        #expect(added.exitCode == 64, "the descriptor is open for reading only: \(added.errors)")
        let slots = try vault.run(["slots", "--json"]).json()["slots"].array
        let recovery = try #require(slots.first { $0["kind"].string == "recovery" }?["id"].string)
        #expect(try vault.run(["remove-slot", recovery], Vault.newPIN).exitCode == 0)
        #expect(try vault.run(["verify", "--recovery"], vault.recovery).exitCode == 23)
        let absent = try vault.run(["remove-slot", recovery], Vault.newPIN)
        #expect(absent.exitCode == 23 && absent.errors.contains("See: mainkey status"), "\(absent.errors)")
        #expect(try vault.run(["remove-slot", "xyz"], Vault.newPIN).exitCode == 64)
        let last = try #require(try vault.run(["slots", "--json"]).json()["slots"][0]["id"].string)
        #expect(try vault.run(["remove-slot", last], Vault.newPIN).exitCode == 44)
    }

    @Test("autolock is set within its bounds")
    func autolock() throws {
        let vault = try Vault()
        for (time, raw) in [("15", 15), ("always", 0), ("never", -1)] {
            #expect(try vault.unlocked(["set-autolock", time]).exitCode == 0)
            #expect(try vault.status()["autolock"].int == raw)
        }
        for time in ["10081", "soon"] { #expect(try vault.unlocked(["set-autolock", time]).exitCode == 64) }
    }

    @Test("wrong PINs are counted, slowed down and stopped; the recovery code is not")
    func attempts() throws {
        let vault = try Vault(["--max-attempts", "3"])
        for left in [2, 1, 0] {
            let outcome = try vault.run(["verify", "--json"], "Not the PIN")
            #expect(outcome.exitCode == 20)
            #expect(try vault.status()["attemptsLeft"].int == left)
        }
        #expect(try vault.unlocked(["verify"]).exitCode == 22)
        #expect(try vault.run(["verify", "--recovery"], vault.recovery).exitCode == 0)
        #expect(try vault.unlocked(["verify"]).exitCode == 0)
        let slowed = try Vault()
        for _ in 0..<5 { _ = try slowed.run(["verify"], "Not the PIN") }
        #expect(try slowed.unlocked(["verify"]).exitCode == 21)
        #expect(try slowed.status()["secondsToWait"].int.map { (1...30).contains($0) } == true)
        let wiping = try Vault(["--max-attempts", "1", "--wipe-on-limit"])
        let wiped = try wiping.run(["verify"], "Not the PIN")
        #expect(wiped.exitCode == 10 && wiped.errors.contains("it was wiped"), "\(wiped.errors)")
        #expect(try wiping.run(["status"]).exitCode == 10)
    }

    @Test("an unlocking that was killed counts against the limit and wipes nothing")
    func killedUnlocking() throws {
        let vault = try Vault(["--max-attempts", "2", "--wipe-on-limit"])
        for left in [1, 0] {
            // Counted, and nothing is tried yet.
            let killed = try vault.unlocked(["--crash-at=promote.synced:attempts.mk", "verify"])
            #expect(killed.exitCode == 137 || killed.exitCode == 9, "\(killed.exitCode) \(killed.errors)")
            #expect(try vault.status()["attemptsLeft"].int == left)
        }
        let refused = try vault.unlocked(["verify"])
        #expect(refused.exitCode == 22 && refused.errors.contains("recovery code"), "\(refused.errors)")
        #expect(try vault.run(["verify", "--recovery"], vault.recovery).exitCode == 0)
        #expect(try vault.unlocked(["verify"]).exitCode == 0)
    }

    @Test("a wrong PIN that reached the limit and was killed before its wipe has it come about at the next one")
    func killedBeforeWipe() throws {
        let vault = try Vault(["--max-attempts", "1", "--wipe-on-limit"])
        let killed = try vault.run(["--crash-at=wipe.1", "verify"], "Not the PIN")
        #expect(killed.exitCode == 137 || killed.exitCode == 9, "\(killed.exitCode) \(killed.errors)")
        #expect(try vault.run(["status"]).exitCode == 0)
        let next = try vault.unlocked(["verify"])
        #expect(next.exitCode == 10 && next.errors.contains("it was wiped"), "\(next.errors)")
        #expect(try vault.run(["status"]).exitCode == 10)
    }

    @Test("a rekey asks for each credential, and what it does not get is given up only after a yes")
    func rekey() throws {
        let vault = try Vault()
        let before = try vault.status()
        #expect(try vault.run(["rekey", "--keep-pin"], Vault.pin, vault.recovery).exitCode == 0)
        #expect(try vault.status()["slots"].array.map { $0["kind"].string } == ["pin", "recovery"])
        #expect(try vault.status()["slots"] != before["slots"])
        #expect(try vault.run(["verify", "--recovery"], vault.recovery).exitCode == 0)
        #expect(try vault.run(["rekey", "--keep-pin"], Vault.pin, "").exitCode == 64, "there is no terminal to ask on")
        #expect(try vault.run(["rekey", "--keep-pin"], Vault.pin, "WRONG-CODE").exitCode == 20)
        let slots = try vault.status()["slots"]
        let ended = try vault.run(["rekey", "--keep-pin", "--yes"], Vault.pin)
        #expect(ended.exitCode != 0 && ended.errors.contains("no line left"), "\(ended.errors)")
        #expect(try vault.status()["slots"] == slots)
        let dropped = try vault.run(["rekey", "--keep-pin", "--yes"], Vault.pin, "")
        #expect(dropped.exitCode == 0 && dropped.output.contains("these open it no more: recovery ("))
        #expect(try vault.status()["slots"].array.map { $0["kind"].string } == ["pin"])
        #expect(try vault.unlocked(["verify"]).exitCode == 0)
    }

    @Test("a rekey takes a new PIN, and not the one of before, unless that is said")
    func rekeyWithNewPIN() throws {
        let vault = try Vault()
        let before = try vault.status()["slots"]
        let same = try vault.run(["rekey"], Vault.pin, Vault.pin, vault.recovery)
        #expect(same.exitCode == 64 && same.errors.contains("--keep-pin"), "\(same.errors)")
        let none = try vault.run(["rekey"], Vault.pin)
        #expect(none.exitCode != 0 && none.errors.contains("no line left"), "\(none.errors)")
        #expect(try vault.status()["slots"] == before)
        #expect(try vault.run(["rekey"], Vault.pin, Vault.newPIN, vault.recovery).exitCode == 0)
        #expect(try vault.run(["verify"], Vault.pin).exitCode == 20)
        #expect(try vault.run(["verify"], Vault.newPIN).exitCode == 0)
        #expect(try vault.run(["verify", "--recovery"], vault.recovery).exitCode == 0)
    }

    @Test("a wiped vault is gone, with the data that was named, and takes a yes")
    func wipe() throws {
        let vault = try Vault()
        let data = vault.scratch.path("data")
        try Data([1]).write(to: URL(filePath: data))
        #expect(try vault.run(["wipe"]).exitCode == 64)
        #expect(try vault.run(["wipe", "--yes", "--data", data]).exitCode == 0)
        #expect(!FileManager.default.fileExists(atPath: data))
        let after = try vault.run(["status", "--json"])
        #expect(after.exitCode == 10)
        #expect(try after.json()["error"].string == "notFound")
        #expect(try vault.unlocked(["init"] + Vault.cost).exitCode == 0)
    }

    @Test(
        "an unprotected vault in the place of one with a PIN is given nothing, and a PIN that nobody asks for is told")
    func replaced() throws {
        let (vault, other) = (try Vault(), try Scratch())
        let swapped = other.path("v")
        try Vault.mainkey.run(["init", "--none", "--dir", swapped, "--known-vaults", other.path("known")]).succeeded()
        try FileManager.default.removeItem(atPath: vault.folder)
        try FileManager.default.copyItem(atPath: swapped, toPath: vault.folder)
        let store = ["token", "set", "mail", "--token-fd", "4"]
        let refused = try vault.run(store, secrets: [4: "tk\n"])
        #expect(refused.exitCode == 30 && refused.errors.contains("asked for a PIN"), "\(refused.errors)")
        #expect(try vault.status()["refusal"].string?.contains("asked for a PIN") == true)
        #expect(try vault.run(["doctor"]).output.contains("asked for a PIN"))
        // Of a vault that nobody remembers at least the PIN is not ignored.
        let place = ["--dir", swapped, "--known-vaults", other.path("nothing")]
        let ignored = try Vault.mainkey.run(store + place + ["--pin-fd", "3"], secrets: [3: Vault.pin, 4: "tk\n"])
        #expect(ignored.exitCode == 44 && ignored.errors.contains("opens without one"), "\(ignored.errors)")
        #expect(try Vault.mainkey.run(["token", "list"] + place).output.count <= 1)
    }

    @Test("the environment names no TPM and arms no crash point")
    func environment() throws {
        let vault = try Vault()
        let known = ["--known-vaults", vault.scratch.path("known")]
        let set = try Vault.mainkey.run(
            ["set-autolock", "5", "--dir", vault.folder, "--pin-fd", "3"] + known, secrets: [3: Vault.pin],
            environment: ["MAINKEY_CRASH_AT": "commit.3"])
        #expect(set.exitCode == 0, "\(set.errors)")
        guard SoftwareTPM.isInstalled else { return }
        let tpm = try SoftwareTPM()
        let folder = ["--dir", vault.scratch.path("other")] + known
        let sealing = ["init", "--tpm", "--allow-no-recovery"] + folder
        if !FileManager.default.fileExists(atPath: "/dev/tpmrm0") {
            for name in ["MAINKEY_TCTI", "TPM2TOOLS_TCTI", "TSS2_TCTI"] {
                let made = try Vault.mainkey.run(sealing, environment: [name: tpm.tcti])
                #expect(made.exitCode == 50, "\(name): \(made.output)\(made.errors)")
            }
        }
        let named = try Vault.mainkey.run(sealing + ["--tcti", tpm.tcti])
        #expect(named.exitCode == 44 && named.errors.contains("--software-tpm"), "\(named.errors)")
        #expect(try Vault.mainkey.run(sealing + ["--tcti", tpm.tcti, "--software-tpm"]).exitCode == 0)
        #expect(try Vault.mainkey.run(["status", "--json"] + folder).json()["softwareTPM"].bool == true)
    }

    @Test(
        "no command acts on a wipe.mk from elsewhere: the path that an earlier form names stays, and so does the vault")
    func plantedWipe() throws {
        let vault = try Vault()
        let data = vault.scratch.path("precious")
        try FileManager.default.createDirectory(atPath: data + "/deep", withIntermediateDirectories: true)
        let mark = URL(filePath: vault.folder + "/wipe.mk")
        let path = Array(data.utf8)
        func plant(_ bytes: [UInt8]) throws {
            try Data(bytes).write(to: mark)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: mark.path)
        }
        let earlier = Array("MKW1".utf8) + Array(repeating: 7, count: 16) + [0, UInt8(path.count)] + path
        let cases: [(name: String, exit: Int32, bytes: [UInt8])] = [
            ("unsupportedVersion", 12, earlier), ("truncated", 14, []),
            ("tampered", 30, Array("MKW2".utf8) + Array(repeating: 7, count: 48)),
        ]
        for (name, exit, bytes) in cases {
            try plant(bytes)
            for command in ["status", "slots", "token list", "rotate --status", "verify", "token get t"] {
                let arguments = command.split(separator: " ").map { String($0) } + ["--json"]
                let takesPIN = command == "verify" || command.contains("get")
                let outcome = try takesPIN ? vault.unlocked(arguments) : vault.run(arguments)
                #expect(outcome.exitCode == exit && outcome.output.contains("\"\(name)\""), "\(command)")
                #expect(outcome.errors.contains("To wipe the vault: mainkey wipe"), "\(outcome.errors)")
            }
            let doctor = try vault.run(["doctor"])
            #expect(doctor.exitCode == 0 && doctor.output.contains("wipe.mk") && doctor.output.contains("mainkey wipe"))
            #expect(FileManager.default.fileExists(atPath: data + "/deep"))
        }
        try FileManager.default.removeItem(at: mark)
        #expect(try vault.unlocked(["verify"]).exitCode == 0)
        try plant(earlier)
        #expect(try vault.run(["wipe", "--yes"]).exitCode == 0)
        #expect(try vault.run(["status"]).exitCode == 10 && FileManager.default.fileExists(atPath: data + "/deep"))
    }

    @Test("a vault that locks after each use checks many files, and rotates a folder behind a link, in one use")
    func oneUse() throws {
        let vault = try Vault()
        let (clear, files, link) = (
            vault.scratch.path("clear"), vault.scratch.path("files"), vault.scratch.path("link")
        )
        try Data([1, 2, 3]).write(to: URL(filePath: clear))
        try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: files)
        #expect(try vault.unlocked(["set-autolock", "always"]).exitCode == 0)
        let sealed = ["a", "b"].map { files + "/" + $0 }
        for file in sealed { #expect(try vault.unlocked(["encrypt", clear, file]).exitCode == 0) }
        #expect(try vault.unlocked(["check"] + sealed).exitCode == 0)
        #expect(try vault.unlocked(["rotate", "--files", link]).exitCode == 0)
        #expect(try vault.unlocked(["check"] + sealed).exitCode == 0)
    }

    @Test("a damaged key file is replaced by a newer one beside it only when that is asked for")
    func repair() throws {
        let vault = try Vault()
        let (current, new) = (vault.folder + "/keyring.mk", vault.folder + "/keyring.mk.new")
        #expect(try vault.run(["repair", "--use-new"]).exitCode == 10)
        // A generation above 1: a first one beside nothing is a creation that never ended.
        #expect(try vault.unlocked(["set-autolock", "5"]).exitCode == 0)
        try FileManager.default.moveItem(atPath: current, toPath: new)
        try Data([1, 2, 3]).write(to: URL(filePath: current))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: current)
        let refused = try vault.run(["status"])
        #expect(refused.exitCode == 61 && refused.errors.contains("mainkey repair --use-new"), "\(refused.errors)")
        let shown = try vault.run(["repair", "--json"]).json()
        #expect(shown["current"]["error"].string == "truncated" && shown["new"]["generation"].int == 2)
        #expect(try vault.run(["status"]).exitCode == 61, "showing changes nothing")
        #expect(try vault.run(["repair", "--use-new"]).exitCode == 0)
        #expect(try vault.unlocked(["verify"]).exitCode == 0)
    }

    @Test(
        "every failure is one object with its code, and the exit code that belongs to it",
        arguments: [
            (["status", "--dir", "/nowhere/at/all"], "notFound", 10), (["seal", "--table", "t"], "usage", 64),
            (["nonsense"], "usage", 64), (["set-autolock", "10081"], "usage", 64),
            (["status", "--tcti", "tcp:example.org"], "usage", 64), (["spki-pin", "/nowhere"], "io", 60),
            (["init", "--tpm", "--hard-limit"], "usage", 64), (["init", "--tpm", "--pin"], "usage", 64),
            (["selftest", "vectors", "/nowhere"], "io", 60),
        ] as [([String], String, Int)])
    func failures(arguments: [String], code: String, exitCode: Int) throws {
        let json = try Vault.mainkey.run(arguments + ["--json"])
        #expect(json.exitCode == Int32(exitCode))
        #expect(try json.json()["error"].string == code)
        let text = try Vault.mainkey.run(arguments)
        #expect(text.exitCode == Int32(exitCode) && text.output.isEmpty && text.errors.contains("[\(code)]"))
        #expect(!text.errors.contains("\u{1b}"), "no colour where there is no terminal")
    }

    @Test("a cost that no reader takes of all ways together is refused before a PIN is read or a code is shown")
    func costsTogether() throws {
        let scratch = try Scratch()
        let place = ["--dir", scratch.path("vault"), "--known-vaults", scratch.path("known")]
        let made = try Vault.mainkey.run(
            ["init", "--recovery", "--recovery-fd", "4", "--pin-fd", "3", "--cost", "9:1048576"] + place,
            secrets: [3: ""], taking: [4])
        #expect(made.exitCode == 44 && made.errors.contains("8:1048576"), "\(made.errors)")
        #expect(made.taken[4] == "" && !FileManager.default.fileExists(atPath: scratch.path("vault")))
        let vault = try Vault()
        let protected = try vault.run(["protect", "--pin", "--cost", "16:1048576"], "")
        #expect(protected.exitCode == 44 && protected.errors.contains("15:1048576"), "\(protected.errors)")
        #expect(try vault.unlocked(["verify"]).exitCode == 0)
        let casemate = try Program(name: "casemate").run(
            [
                "init", "--network-allowed", "--vault", scratch.path("seeds"), "--recovery", "--recovery-fd", "4",
                "--pin-fd", "3", "--cost", "9:1048576",
            ], secrets: [3: ""], taking: [4])
        #expect(casemate.exitCode != 0 && casemate.errors.contains("8:1048576"), "\(casemate.errors)")
        #expect(casemate.taken[4] == "" && !FileManager.default.fileExists(atPath: scratch.path("seeds")))
    }

    @Test("a PIN is judged, a cost is measured, a certificate's key is named")
    func smallChecks() throws {
        let weak = try Vault.mainkey.run(["pin-check", "--pin-fd", "3", "--json"], secrets: [3: "121212"])
        #expect(weak.exitCode == 24)
        #expect(try weak.json()["error"].string == "weakPIN")
        #expect(try Vault.mainkey.run(["pin-check", "--pin-fd", "3"], secrets: [3: Vault.pin]).exitCode == 0)
        let scratch = try Scratch()
        try Data("no certificate".utf8).write(to: URL(filePath: scratch.path("noise")))
        let noise = try Vault.mainkey.run(["spki-pin", scratch.path("noise")])
        #expect(noise.exitCode == 13 && noise.errors.contains("noise is no certificate"), "\(noise.errors)")
        let cost = try Vault.mainkey.run(["calibrate", "--target-ms", "100", "--json"]).json()
        #expect(cost["memoryKiB"].int.map { $0 >= 19456 } == true && cost["passes"].int.map { $0 >= 3 } == true)
    }

    @Test("the doctor works without a vault and without a TPM, and grades what it finds")
    func doctor() throws {
        let scratch = try Scratch()
        let none = try Vault.mainkey.run(
            ["doctor", "--json", "--dir", scratch.path("none"), "--tcti", "device:/nowhere/tpm"])
        #expect(none.exitCode == 0)
        let subjects = try none.json()["findings"].array.compactMap { $0["subject"].string }
        for subject in [
            "locked memory", "secret memory", "core dumps", "swap", "cleartext files", "AES-256-GCM", "Argon2id", "TPM",
        ] {
            #expect(subjects.contains(subject))
        }
        let vault = try Vault()
        func grades() throws -> [String: String] {
            let findings = try vault.run(["doctor", "--json"]).json()["findings"].array
            return Dictionary(findings.map { ($0["subject"].string ?? "", $0["grade"].string ?? "") }) { first, _ in
                first
            }
        }
        let whole = try grades()
        #expect(whole["file modes"] == "good" && whole["guessing the PIN"] == "weak" && whole["backups"] == "good")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: vault.folder + "/keyring.mk")
        try FileManager.default.removeItem(atPath: vault.folder + "/CACHEDIR.TAG")
        let open = try grades()
        #expect(open["file modes"] == "bad" && open["backups"] == "weak")
    }

    @Test("mainkey's help teaches, and every command has it")
    func help() throws {
        let outcome = try Vault.mainkey.run(["--help"])
        #expect(outcome.exitCode == 0)
        #expect(outcome.output.contains("First steps") && outcome.output.contains("31 rolledBack"))
        for command in [
            "init", "status", "verify", "change-pin", "protect", "slots", "add-recovery", "remove-slot", "set-autolock",
            "seal",
            "open", "index", "encrypt", "decrypt", "cat", "check", "token", "rotate", "rekey", "wipe", "repair",
            "calibrate",
            "pin-check", "spki-pin", "doctor", "selftest",
        ] {
            #expect(try Vault.mainkey.run([command, "--help"]).exitCode == 0, "\(command)")
            #expect(outcome.output.contains("  \(command) "), "\(command)")
        }
    }
}

extension JSON {
    static func hexText(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02x", $0) }.joined() }
}
