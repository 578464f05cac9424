import Foundation
import TestSupport
import Testing

@Suite("Protecting a vault")
struct ProtectionCommandsTests {
    private let code = /([0-9A-HJKMNP-TV-Z]{4}-){6}[0-9A-HJKMNP-TV-Z]{2}/

    private let scratch: Scratch
    private let folder: String

    init() throws {
        scratch = try Scratch()
        folder = scratch.path("vault")
    }

    private func run(_ arguments: [String], pin: String? = nil, _ secrets: [Int: String] = [:]) throws
        -> Program.Outcome
    {
        try DemoVault.casemate.run(
            arguments + ["--vault", folder] + (pin == nil ? [] : ["--pin-fd", "3"]),
            secrets: secrets.merging(pin.map { [3: $0] } ?? [:]) { $1 }, taking: [6])
    }

    private func status(_ more: [String] = []) throws -> JSON {
        try run(["status", "--json"] + more).json()
    }

    @Test("a PIN is the usual protection; what it does not protect against is said")
    func pin() throws {
        let made = try run(["init", "--network-allowed"], pin: "a passphrase").succeeded()
        #expect(made.output.contains("whoever copies the folder"))
        let status = try status()
        #expect(status["protections"].array.compactMap { $0["kind"].string } == ["pin"])
        #expect(status["attemptsLeft"].int == 10 && status["autolock"].int == 5)
        #expect(try run(["status"]).output.contains("not bound to hardware"))
        #expect(try run(["seed", "list"], pin: "a passphrase").exitCode == 0)
        // There is no terminal to ask on.
        let asked = try run(["seed", "list"])
        #expect(asked.exitCode == 1 && asked.errors.contains("--pin-fd"))
        #expect(try run(["network", "list"]).exitCode == 0)
    }

    @Test(
        "a weak PIN is refused before anything is made", arguments: ["12345", "123456", "111111", "121212", "q1w2e3"])
    func weak(_ pin: String) throws {
        let outcome = try run(["init", "--network-allowed"], pin: pin)
        guard outcome.exitCode != 0 else { return #expect(pin == "q1w2e3", "the block list has not all") }
        #expect(outcome.errors.contains("[WeakPIN]"))
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test("without protection nothing is asked, and that is said plainly; a PIN can follow")
    func none() throws {
        let made = try run(["init", "--network-allowed", "--none"])
        #expect(made.exitCode == 0 && made.output.contains("Nothing protects the key"))
        #expect(try run(["seed", "new", "one", "--phrase-fd", "6"]).exitCode == 0)
        let protected = try run(["protect", "--pin", "--new-pin-fd", "4"], [4: "a passphrase"])
        #expect(protected.exitCode == 0, "\(protected.errors)")
        #expect(try run(["seed", "list"]).exitCode == 1)
        #expect(try run(["seed", "list"], pin: "a passphrase").output.contains("one"))
        #expect(try run(["init", "--none", "--recovery"]).exitCode == 64)
        #expect(try run(["init", "--hard-limit"]).exitCode == 64)
    }

    @Test("wrong PINs are counted in words, delayed, and leave the vault as it was")
    func wrongPINs() throws {
        try #require(try run(["init", "--network-allowed"] + DemoVault.cost, pin: "a passphrase").exitCode == 0)
        var errors: [String] = []
        for _ in 0..<8 {
            let outcome = try run(["seed", "list"], pin: "a passphrasf")
            #expect(outcome.exitCode == 10 && outcome.output.isEmpty)
            errors.append(outcome.errors)
            if outcome.errors.contains("[Throttled]") { break }
        }
        #expect(errors.first?.contains("9 attempts are left") == true)
        #expect(errors.last?.contains("Try again in") == true)
        #expect(try status()["secondsToWait"].int ?? 0 > 0)
        #expect(try status()["attemptsLeft"].int == 10 - (errors.count - 1))
    }

    @Test("another PIN, autolock and a recovery code are set with the PIN that is valid now")
    func change() throws {
        try #require(try run(["init", "--network-allowed"] + DemoVault.cost, pin: "a passphrase").exitCode == 0)
        let change = ["protect", "--change-pin", "--new-pin-fd", "4"]
        #expect(try run(change, pin: "a passphrasf", [4: "another one"]).exitCode == 10)
        let weak = try run(change, pin: "a passphrase", [4: "123456"])
        #expect(weak.exitCode == 1 && weak.errors.contains("[WeakPIN]"))
        let changed = try run(change, pin: "a passphrase", [4: "another one"])
        #expect(changed.exitCode == 0, "\(changed.errors)")
        #expect(try run(["seed", "list"], pin: "a passphrase").exitCode == 10)
        for (time, minutes, words) in [
            ("-1", -1, "never"), ("always", 0, "with each wait"), ("0", 0, "with each wait"), ("never", -1, "never"),
            ("7", 7, "after 7 minutes of waiting"),
        ] {
            let set = try run(["protect", "--autolock", time], pin: "another one")
            #expect(set.exitCode == 0 && set.output.contains("locks itself \(words)."), "\(set.output)\(set.errors)")
            #expect(try status()["autolock"].int == minutes)
        }
        for time in ["10081", "soon", "--json"] {
            #expect(try run(["protect", "--autolock", time], pin: "another one").exitCode == 64)
        }
        let added = try run(["protect", "--add-recovery", "--recovery-fd", "6"], pin: "another one")
        let code = try #require(added.taken[6]?.firstMatch(of: code)).output.0
        #expect(try run(["seed", "list", "--recovery-code"], pin: String(code)).exitCode == 0)
        #expect(try run(["protect"], pin: "another one").exitCode == 64)
        #expect(try run(["protect", "--change-pin", "--none"], pin: "another one").exitCode == 64)
        #expect(try run(["protect", "--change-pin", "--yes"], pin: "another one").exitCode == 64)
        let unasked = try run(["protect", "--none"], pin: "another one")
        #expect(unasked.exitCode == 1 && unasked.errors.contains("add --yes"), "\(unasked.errors)")
        #expect(try run(["seed", "list"]).exitCode == 1, "it is protected as before")
        #expect(try run(["protect", "--none", "--yes"], pin: "another one").exitCode == 0)
        #expect(try run(["seed", "list"]).exitCode == 0)
        #expect(try run(["protect", "--none"]).exitCode == 0, "nothing is taken away")
    }

    @Test("a PIN costs what --cost says and no less than the least, until another is asked for")
    func cost() throws {
        for (cost, exitCode) in [("1:19456", Int32(1)), ("2:19455", 1), ("2", 64), ("2:19456:1", 64), ("-2:19456", 64)]
        {
            let refused = try run(["init", "--network-allowed", "--cost=\(cost)"], pin: "a passphrase")
            #expect(refused.exitCode == exitCode, "\(cost): \(refused.errors)")
            #expect(!FileManager.default.fileExists(atPath: folder))
        }
        #expect(try run(["init", "--network-allowed", "--none"] + DemoVault.cost).exitCode == 64)
        try #require(try run(["init", "--network-allowed"] + DemoVault.cost, pin: "a passphrase").exitCode == 0)
        func costs() throws -> [[Int?]] {
            let status = try MainKeyVault.mainkey.run(["status", "--json", "--dir", folder + "/key"])
            return try status.json()["slots"].array.map { [$0["passes"].int, $0["memoryKiB"].int] }
        }
        #expect(try costs() == [[2, 19_456]])
        #expect(try run(["protect", "--autolock", "7"] + DemoVault.cost, pin: "a passphrase").exitCode == 64)
        #expect(try run(["rotate"] + DemoVault.cost, pin: "a passphrase").exitCode == 64)
        let change = ["protect", "--change-pin", "--new-pin-fd", "4"]
        #expect(try run(change, pin: "a passphrase", [4: "another one"]).exitCode == 0)
        #expect(try costs() == [[2, 19_456]])
        #expect(try run(change + ["--cost", "3:19457"], pin: "another one", [4: "a third one"]).exitCode == 0)
        #expect(try costs() == [[3, 19_457]])
        let rekeyed = try run(
            ["rotate", "--rekey", "--new-pin-fd", "4", "--cost", "2:20000"], pin: "a third one", [4: "a fourth one"])
        #expect(rekeyed.exitCode == 0, "\(rekeyed.errors)")
        #expect(try costs() == [[2, 20_000]])
        #expect(try run(["seed", "list"], pin: "a fourth one").exitCode == 0)
    }

    @Test(
        "with a TPM the folder alone opens nothing, and after the limit only the recovery code does",
        .enabled(if: SoftwareTPM.isInstalled))
    func tpm() throws {
        let tpm = try SoftwareTPM()
        let at = ["--tpm", tpm.tcti]
        let making =
            ["init", "--network-allowed", "--tpm-pin", "--hard-limit", "--recovery-fd", "6"] + DemoVault.cost + at
        let refused = try run(making, pin: "a passphrase")
        #expect(refused.exitCode == 1 && refused.errors.contains("To allow it: --software-tpm"), "\(refused.errors)")
        let made = try run(making + ["--software-tpm"], pin: "a passphrase").succeeded()
        let code = String(try #require(made.taken[6]?.firstMatch(of: code)).output.0)
        #expect(made.output.contains("refuses for ever"))
        #expect(try run(["seed", "new", "one", "--phrase-fd", "6"] + at, pin: "a passphrase").exitCode == 0)
        let status = try status(at)
        #expect(status["hardwareBound"].bool == true)
        #expect(status["protections"].array.compactMap { $0["kind"].string } == ["tpm+pin", "recovery"])
        // Another machine.
        let other = try SoftwareTPM()
        let elsewhere = try run(["seed", "list", "--tpm", other.tcti], pin: "a passphrase")
        #expect(elsewhere.exitCode != 0 && elsewhere.output.isEmpty)
        #expect(try run(["seed", "list"] + at, pin: "a passphrasf").errors.contains("attempts are left"))
        // The PIN changes and stays bound; then the TPM is given up.
        let changed = try run(
            ["protect", "--change-pin", "--new-pin-fd", "4"] + at, pin: "a passphrase", [4: "another one"])
        #expect(changed.exitCode == 0, "\(changed.errors)")
        #expect(try run(["seed", "list"] + at, pin: "another one").output.contains("one"))
        tpm.stop()
        #expect(try run(["seed", "list", "--recovery-code"] + at, pin: code).output.contains("one"))
        try tpm.start()
        let moved = try run(["protect", "--pin", "--new-pin-fd", "4"] + at, pin: "another one", [4: "a third one"])
        #expect(moved.exitCode == 0, "\(moved.errors)")
        tpm.stop()
        #expect(try run(["seed", "list"], pin: "a third one").output.contains("one"))
    }

    @Test("'unlock' spares the PIN for what is read, not for seeds; 'lock' ends it; without a keyring that is said")
    func session() throws {
        try #require(try run(["init", "--network-allowed"] + DemoVault.cost, pin: "a passphrase").exitCode == 0)
        try #require(try run(["seed", "new", "one", "--phrase-fd", "6"], pin: "a passphrase").exitCode == 0)
        let unlocked = try run(["unlock", "--minutes", "2"], pin: "a passphrase")
        guard try status()["session"].string != "impossible" else {
            return #expect(unlocked.exitCode == 1 && unlocked.errors.contains("every command will ask"))
        }
        let tooLong = try run(["unlock", "--minutes", "10"], pin: "wrong all the same")
        #expect(tooLong.exitCode == 1 && tooLong.errors.contains("casemate protect --autolock"), "\(tooLong.errors)")
        #expect(try status()["attemptsLeft"].int == 10)
        try #require(unlocked.exitCode == 0, "\(unlocked.errors)")
        #expect(try run(["seed", "list"]).output.contains("one"))
        #expect(try run(["key", "preview", "--seed", "one"]).exitCode == 1)
        #expect(try run(["key", "preview", "--seed", "one"], pin: "a passphrase").exitCode == 0)
        #expect(try run(["lock"]).exitCode == 0)
        #expect(try run(["seed", "list"]).exitCode == 1)
    }

    @Test("on a terminal, a vault that locked while it waited asks for the PIN again before it signs")
    func autolock() throws {
        try #require(
            try run(["init", "--network-allowed", "--autolock", "0"] + DemoVault.cost, pin: "a passphrase").exitCode
                == 0)
        try #require(
            try run(
                ["seed", "recover", "demo", "--phrase-fd", "4"], pin: "a passphrase\na passphrase",
                [4: DemoVault.phrase]
            )
            .exitCode == 0)
        for (again, exitCode) in [("a passphrase", 0), ("a passphrasf", 10)] as [(String, Int32)] {
            let session = try TerminalSession(
                DemoVault.casemate, ["sign", "--vault", folder, "--file", VaultCommandsTests.payload])
            try session.wait(for: "PIN:")
            try session.type("a passphrase")
            try session.wait(for: "Type yes to go on:")
            try session.type("yes")
            try session.wait(for: "has locked itself")
            try session.type(again)
            #expect(session.exitCode() == exitCode)
            let text = try session.shown()
            #expect(!text.contains(again), "\(text)")
        }
    }
}
