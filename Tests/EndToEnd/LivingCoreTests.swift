import Foundation
import TestSupport
import Testing

@Suite("casemate core act --vault")
struct LivingCoreTests {
    private func unlocked(_ vault: DemoVault, pins: Int = 1, secrets: [String] = []) throws -> LivingSession {
        let session = try LivingSession(
            vault.folder, pins: Array(repeating: DemoVault.pin, count: pins), secrets: secrets)
        #expect(try session.act("Start")["screen"].string == "Unlock")
        #expect(try session.act("GoForward")["screen"].string == "SeedSelector")
        return session
    }

    @Test("it opens the vault once, does what lines say, and leaves it closed when they end")
    func session() throws {
        let vault = try DemoVault("--pin")
        let session = try unlocked(vault)
        try session.act("NavbarScan")
        let payload = try String(contentsOfFile: VaultCommandsTests.payload, encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let page = try session.act("TransactionFetched", payload)
        #expect(page["screen"].string == "Transaction" && page["screenData"]["kind"].string == "Sign")
        let signed = try session.act("GoForward", "rent")
        #expect(signed["modal"].string == "SignatureReady", "\(signed)")
        #expect(try session.end() == (.exit, 0))
        let log = try vault.unlocked(["log", "show"])
        #expect(log.output.contains("TransactionSigned"))
        #expect(try vault.unlocked(["log", "verify"]).exitCode == 0)
        #expect(try vault.unlocked(["seed", "rename", "demo", "savings"]).exitCode == 0)
    }

    @Test("secrets go by descriptors, and none is in a line")
    func secrets() throws {
        let vault = try DemoVault("--pin")
        let session = try unlocked(vault, secrets: [DemoVault.otherPhrases[0], "a password of a key"])
        try session.act("RightButtonAction")
        try session.act("NewSeed")
        let page = try session.act("GoForward", "savings")
        #expect(page["modal"].string == "NewSeedBackup")
        #expect(page["modalData"]["phrase"].string?.contains("hidden") == true)
        let words = try session.shown().split(separator: "\n").map { $0.split(separator: " ") }
        #expect(words.count == 1 && words[0][0] == "modalData.phrase" && words[0].count == 25)
        #expect(try session.act("GoForward", "false")["screen"].string == "Keys")
        try session.act("NavbarKeys")
        try session.act("RightButtonAction")
        try session.act("RecoverSeed")
        try session.act("GoForward", "other")
        #expect(try session.act("GoForward", "false", secretFd: 5)["screen"].string == "Keys")
        try session.act("NewKey")
        let inClear = try session.act("CheckPassword", "//a///in the clear")
        #expect(inClear["code"].string == "SecretInClear" && inClear["status"].int == 403)
        #expect(try session.act("CheckPassword", "//a///", secretFd: 5)["modal"].string == "PasswordConfirm")
        let empty = try session.act("GoForward", "//a///", secretFd: 5)
        #expect(empty["modal"].string == "PasswordConfirm" && empty["alert"].string == "Error", "\(empty)")
        #expect(try session.send(#"{"action":"GoForward","secret":"x"}"#)["status"].int == 403)
        #expect(try session.act("GoForward", secretFd: 77)["code"].string == "NoSecret")
        #expect(try session.end() == (.exit, 0))
    }

    @Test("what is no action, too much, or was decided on another page is refused and ends nothing")
    func refusals() throws {
        let vault = try DemoVault("--pin")
        let session = try unlocked(vault)
        #expect(try session.send("nonsense")["status"].int == 400)
        #expect(try session.send(#"{"action":"Steal"}"#)["code"].string == "NoAction")
        #expect(try session.send(#"{"action":"Start","detector":"safe"}"#)["status"].int == 400)
        let page = try session.act("NavbarLog")
        let number = try #require(page["page"].int)
        #expect(page["screen"].string == "Log")
        let stale = try session.send(#"{"action":"NavbarScan","page":\#(number - 1)}"#)
        #expect(stale["code"].string == "Busy" && stale["status"].int == 409)
        #expect(try session.send(#"{"action":"NavbarScan","page":\#(number)}"#)["screen"].string == "Scan")
        let long = try session.send("{\"data\":\"" + String(repeating: "5", count: 17 << 20) + "\"}")
        #expect(long["status"].int == 413)
        #expect(try session.act("NavbarKeys")["screen"].string == "SeedSelector")
        #expect(try session.end() == (.exit, 0))
    }

    @Test("lines of any bytes are answered, each once, and end nothing")
    func anyBytes() throws {
        let vault = try DemoVault()
        let session = try LivingSession(vault.folder, pins: [])
        var random = SplitMix64(state: 7)
        for length in 1...100 {
            let bytes = [UInt8(ascii: "{")] + (0..<length).map { _ in random.byte() }.filter { $0 != 0x0a }
            #expect(try session.send(bytes)["status"].int == 400)
        }
        #expect(try session.act("Start")["screen"].string == "SeedSelector")
        #expect(try session.end() == (.exit, 0))
    }

    @Test("a wrong PIN opens nothing and is counted")
    func wrongPIN() throws {
        let vault = try DemoVault("--pin")
        let session = try LivingSession(vault.folder, pins: ["Fichte-0000", DemoVault.pin])
        let before = try session.act("Start")["screenData"]["attemptsLeft"].int
        #expect(try session.act("GoForward")["alertData"]["code"].string == "WrongCredential")
        #expect(try session.act("GoBack")["screenData"]["attemptsLeft"].int == before.map { $0 - 1 })
        #expect(try session.act("GoForward")["screen"].string == "SeedSelector")
        #expect(try session.end() == (.exit, 0))
    }

    @Test("others are told that the vault is busy, change it while it is locked, and are heard when they lock it")
    func others() throws {
        let vault = try DemoVault("--pin")
        let session = try unlocked(vault, pins: 3)
        let busy = try vault.unlocked(["seed", "rename", "demo", "savings"])
        #expect(busy.exitCode == 1 && busy.errors.contains("[VaultBusy]"), "\(busy.errors)")
        #expect(try vault.unlocked(["key", "list"]).exitCode == 0)
        #expect(try session.act("Lock")["screen"].string == "Unlock")
        #expect(try vault.unlocked(["seed", "rename", "demo", "savings"]).exitCode == 0)
        let page = try session.act("GoForward")
        #expect(page["screenData"]["seeds"][0]["name"].string == "savings")
        #expect(try vault.run(["lock"]).exitCode == 0)
        let locked = try session.next()
        #expect(locked["cause"].string == "locked" && locked["screen"].string == "Unlock", "\(locked)")
        #expect(try session.act("GoForward")["screen"].string == "SeedSelector")
        #expect(try session.end() == (.exit, 0))
    }

    @Test("a signal ends it with the vault locked and nothing waiting", arguments: [SIGINT, SIGTERM, SIGHUP])
    func signals(number: Int32) throws {
        let vault = try DemoVault("--pin")
        let session = try unlocked(vault)
        try session.act("NavbarScan")
        let payload = try String(contentsOfFile: VaultCommandsTests.payload, encoding: .utf8)
        try session.act("TransactionFetched", payload.trimmingCharacters(in: .whitespacesAndNewlines))
        session.raise(number)
        #expect(session.ended() == (.uncaughtSignal, number))
        #expect(try vault.unlocked(["log", "verify"]).exitCode == 0)
        #expect(try vault.unlocked(["seed", "rename", "demo", "savings"]).exitCode == 0)
    }
}
