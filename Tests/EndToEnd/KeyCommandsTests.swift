import Foundation
import TestSupport
import Testing

@Suite("casemate key check, next, remove and export-secret")
struct KeyCommandsTests {
    private func address(_ path: String, in vault: DemoVault) throws -> String {
        for key in try vault.run(["key", "list", "--json"]).json().array where key["path"].string == path {
            return try #require(key["networks"][0]["address"].string)
        }
        throw CocoaError(.fileNoSuchFile)
    }

    @Test("a path is offered, checked, and further keys are numbered below one")
    func making() throws {
        let vault = try DemoVault()
        let check = ["key", "check", "demo", "--network", "westend", "--json"]
        #expect(try vault.run(check).json()["path"].string == "//westend//0")
        #expect(try vault.run(check + ["//new"]).json()["isGood"].bool == true)
        let there = try vault.run(check + ["//westend"])
        #expect(there.exitCode == 1)
        #expect(try there.json()["collision"].string == address("//westend", in: vault))
        let secret = try vault.run(check + ["//a///hunter2"])
        #expect(try secret.json()["needsPassword"].bool == true)
        #expect(!secret.output.contains("hunter2"))
        #expect(try vault.run(check + ["a"]).json()["error"].string != nil)
        let made = try vault.run(["key", "next", address("//westend", in: vault), "--count", "2", "--json"])
        #expect(try made.json().array.map { $0["path"].string } == ["//westend//0", "//westend//1"])
        #expect(try vault.run(["key", "next", address("//westend", in: vault), "--count", "0"]).exitCode == 1)
    }

    @Test("keys are removed from their network, all or none")
    func removing() throws {
        let vault = try DemoVault()
        let (westend, kusama) = (try address("//westend", in: vault), try address("//kusama", in: vault))
        #expect(try vault.run(["key", "remove", westend, kusama, "--yes"]).exitCode == 64)
        #expect(try vault.run(["key", "remove", westend, "nobody", "--yes"]).exitCode == 16)
        #expect(try vault.run(["key", "remove", westend, "--yes"]).exitCode == 0)
        let paths = try vault.run(["key", "list", "--json"]).json().array.map { $0["path"].string }
        #expect(!paths.contains("//westend") && paths.contains("//kusama"))
        #expect(try vault.count(of: "IdentityRemoved") == 1)
    }

    @Test("where networks write a key's address in the same way, nothing is done before one of them is named")
    func severalNetworks() throws {
        let vault = try DemoVault()
        for network in ["polkadot", "statemint"] {
            #expect(try vault.run(["key", "derive", "demo", "//both", "--network", network]).exitCode == 0)
        }
        let shared = try address("//both", in: vault)
        for command in [["show"], ["next"], ["remove", "--yes"]] {
            let refused = try vault.run(["key"] + command + [shared])
            #expect(refused.exitCode == 1, "\(command)")
            #expect(
                refused.errors.contains("--network polkadot or --network statemint")
                    || refused.errors.contains("--network statemint or --network polkadot"), "\(refused.errors)")
        }
        let removed = try vault.run(["key", "remove", shared, "--network", "statemint", "--yes", "--json"])
        #expect(try removed.json()["name"].string == "statemint")
        let shown = try vault.run(["key", "show", shared, "--json"])
        #expect(shown.exitCode == 0, "\(shown.errors)")
        #expect(try vault.run(["key", "show", shared, "--network", "statemint"]).exitCode == 16)
    }

    @Test("a secret is handed out by a descriptor as published, logged first, and marks the key for ever")
    func exporting() throws {
        let vault = try DemoVault()
        #expect(try vault.run(["key", "derive", "demo", "//Alice", "--network", "westend"]).exitCode == 0)
        let alice = try address("//Alice", in: vault)
        let outcome = try vault.unlocked(["key", "export-secret", alice, "--yes", "--secret-fd", "4"], taking: [4])
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        let secret = "e5be9a5092b81bca64be81d212e7f2f9eba183bb7a90954f7b76361f6edb5c0a"
        #expect(outcome.taken[4] == "secret:0x\(secret):\(WestendPayload.genesis)\n")
        #expect(!outcome.output.contains(secret) && !outcome.errors.contains(secret))
        #expect(try vault.count(of: "SecretWasExported") == 1)
        let exposed = try vault.run(["key", "list", "--json"]).json().array.filter { $0["secretExposed"].bool == true }
        #expect(exposed.map { $0["path"].string } == ["//Alice"])
        // Without a terminal and a descriptor nothing is handed out, and nothing is marked.
        let kusama = try address("//kusama", in: vault)
        #expect(try vault.run(["key", "export-secret", kusama, "--yes"]).exitCode != 0)
        #expect(try vault.count(of: "SecretWasExported") == 1)
    }

    @Test("the parent of a soft child whose secret is handed out is told to be at risk, then and in lists")
    func softParent() throws {
        let vault = try DemoVault()
        for path in ["//a", "//a/soft"] {
            #expect(try vault.run(["key", "derive", "demo", path, "--network", "westend"]).exitCode == 0)
        }
        let keys = try vault.run(["key", "list", "--json"]).json().array
        let child = try #require(keys.first { $0["path"].string == "//a/soft" }?["networks"][0]["address"].string)
        let outcome = try vault.unlocked(["key", "export-secret", child, "--yes", "--secret-fd", "4"], taking: [4])
        #expect(
            outcome.output.contains("[SoftParentAtRisk]") && outcome.output.contains("demo//a,"), "\(outcome.output)")
        let list = try vault.run(["key", "list"])
        #expect(
            list.output.contains("[SoftParentAtRisk]") && list.output.contains("Exposed: the secret of demo//a/soft"))
        let risks = try vault.run(["key", "list", "--json"]).json().array.filter { $0["softParentAtRisk"].bool == true }
        #expect(risks.map { $0["path"].string } == ["//a"])
    }

    @Test("a key that is made below an exposed one, or beside a soft one that is out, says so at once")
    func madeBelowExposed() throws {
        let vault = try DemoVault()
        func derive(_ path: String) throws -> Program.Outcome {
            try vault.run(["key", "derive", "demo", path, "--network", "westend"]).succeeded()
        }
        for path in ["//Alice", "//p/5"] {
            #expect(try !derive(path).output.contains("Exposed"))
            let address = try address(path, in: vault)
            try vault.unlocked(["key", "export-secret", address, "--yes", "--secret-fd", "4"], taking: [4]).succeeded()
        }
        #expect(try derive("//Alice//kid").output.contains("Exposed: the secret of demo//Alice//kid"))
        #expect(try derive("//p").output.contains("At risk [SoftParentAtRisk]"))
        let made = try vault.run(["key", "next", address("//Alice", in: vault), "--count", "2"]).succeeded()
        #expect(made.output.contains("demo//Alice//0") && made.output.contains("demo//Alice//1"))
        let risky = ["key", "derive", "demo", "//p//z", "--network", "westend", "--json"]
        #expect(try vault.run(risky).json()[0]["softParentAtRisk"].bool == true)
        let safe = ["key", "derive", "demo", "//q", "--network", "westend", "--json"]
        #expect(try vault.run(safe).json()[0]["softParentAtRisk"].bool == false)
    }

    @Test("a key that is asked for with a password is not made without one")
    func emptyPassword() throws {
        let vault = try DemoVault()
        let derive = ["key", "derive", "demo", "//d", "--network", "westend"]
        for typed in ["", "\n"] {
            let refused = try vault.unlocked(derive + ["--password-fd", "4"], secrets: [4: typed])
            #expect(refused.exitCode == 1 && refused.errors.contains("no line left"), "\(refused.errors)")
        }
        let session = try TerminalSession(DemoVault.casemate, derive + ["--password", "--vault", vault.folder])
        try session.wait(for: "Derivation password")
        try session.type("\r")
        try session.wait(for: "at least one character")
        #expect(session.exitCode() == 1)
        #expect(try !vault.run(["key", "list"]).output.contains("//d "))
    }
}
