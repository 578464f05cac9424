import Foundation
import TestSupport
import Testing

/// The same steps once by commands, each a process of its own, and once by a core that lives.
@Suite("Commands and the core")
struct SameVaultTests {
    private static let westend = "01e143f23803ac50e8f6f8e62695d1ce9e4e1d68aa36c1cd2cfd15340213f3423e"
    private static let kusama = "01b0a8d493285c2df73290dfb7e61f870f17b41801197a149ca93654499ea3dafe"
    private static let assetHub = "0168d56f15f85d3136970ec16946040bc1752654e906147f7e43e9d539d7c3de2f"
    private static let bob = "5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty"
    private static let bobsKey = "8eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a48"
    private static let password = "a password of a key"

    private func payload() throws -> String {
        try String(contentsOfFile: VaultCommandsTests.payload, encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    // MARK: By commands

    private func address(of path: String, in vault: DemoVault) throws -> String {
        let keys = try vault.run(["key", "list", "--json"]).json().array
        let key = try #require(keys.first { $0["path"].string == path && $0["seed"].string == "demo" })
        return try #require(key["networks"][0]["address"].string)
    }

    private func byCommands(_ vault: DemoVault) throws {
        func run(_ arguments: String..., secrets: [Int: String] = [:], taking: Set<Int> = []) throws {
            let outcome = try DemoVault.casemate.run(
                arguments + ["--vault", vault.folder], secrets: secrets, taking: taking)
            try #require(outcome.exitCode == 0, "\(arguments): \(outcome.errors)")
        }
        try run("key", "derive", "demo", "//a", "--network", "westend")
        try run(
            "key", "derive", "demo", "//b", "--network", "westend", "--password-fd", "5", secrets: [5: Self.password])
        try run("key", "next", address(of: "//a", in: vault), "--count", "2")
        try run("key", "remove", address(of: "//a//0", in: vault), "--yes")
        try run(
            "key", "export-secret", address(of: "//a//1", in: vault), "--secret-fd", "4", "--yes", taking: [4])
        try run("seed", "show", "demo", "--phrase-fd", "4", taking: [4])
        try run("seed", "recover", "other", "--phrase-fd", "4", secrets: [4: DemoVault.otherPhrases[0]])
        try run("seed", "remove", "other", "--yes")
        try run("log", "comment", "by hand")
        try run("contact", "add", "Bob", Self.bob)
        try run("contact", "change", "Bob", "--note", "a friend")
        try run("contact", "remove", "Bob")
        try run("contact", "add", "Bob", Self.bob)
        try run("network", "remove", "kusama", "--yes")
        try run("network", "block", "statemint", "--yes")
        try run("sign", "--file", VaultCommandsTests.payload, "--yes", "--comment", "rent")
    }

    // MARK: By the core

    private func byCore(_ vault: DemoVault) throws {
        let session = try LivingSession(
            vault.folder, pins: [], secrets: [Self.password, Self.password, DemoVault.otherPhrases[0]])
        func act(_ action: String, _ data: String? = nil, secretFd: Int? = nil) throws -> JSON {
            let page = try session.act(action, data, secretFd: secretFd)
            try #require(page["alert"].isNull && !page["rule"].isNull, "\(action) \(data ?? ""): \(page)")
            return page
        }
        func keys() throws -> [String: String] {
            _ = try act("NavbarKeys")
            _ = try act("SelectSeed", "demo")
            _ = try act("NetworkSelector")
            let page = try act("ChangeNetwork", Self.westend)
            return Dictionary(
                uniqueKeysWithValues: page["screenData"]["keys"].array.compactMap { key in
                    key["path"].string.flatMap { path in key["addressKey"].string.map { (path, $0) } }
                })
        }
        _ = try act("Start")
        _ = try keys()
        _ = try act("NewKey")
        _ = try act("GoForward", "//a")
        _ = try act("NewKey")
        _ = try act("CheckPassword", "//b///", secretFd: 5)
        _ = try act("GoForward", "//b///", secretFd: 5)
        _ = try act("Swipe", keys()["//a"])
        _ = try act("Increment", "2")
        _ = try act("Swipe", keys()["//a//0"])
        _ = try act("RemoveKey")
        _ = try act("SelectKey", keys()["//a//1"])
        _ = try act("RightButtonAction")
        _ = try act("ExportSecret")
        _ = try act("GoBack")
        _ = try act("GoBack")
        _ = try act("RightButtonAction")
        _ = try act("BackupSeed")
        #expect(try session.shown().contains("modalData.phrase \(DemoVault.phrase)\n"))
        _ = try act("GoBack")
        _ = try act("NavbarKeys")
        _ = try act("RightButtonAction")
        _ = try act("RecoverSeed")
        _ = try act("GoForward", "other")
        _ = try act("GoForward", "false", secretFd: 5)
        _ = try act("RightButtonAction")
        _ = try act("RemoveSeed")
        _ = try act("NavbarLog")
        _ = try act("RightButtonAction")
        _ = try act("CreateLogComment")
        _ = try act("GoForward", "by hand")
        _ = try act("NavbarSettings")
        _ = try act("OpenAddressBook")
        let contact = #"{"name":"Bob","address":"\#(Self.bob)"}"#
        _ = try act("NewContact")
        _ = try act("GoForward", contact)
        _ = try act("SelectContact", Self.bobsKey)
        _ = try act("EditContact")
        _ = try act("GoForward", #"{"name":"Bob","address":"\#(Self.bob)","note":"a friend"}"#)
        _ = try act("RemoveContact")
        _ = try act("NewContact")
        _ = try act("GoForward", contact)
        _ = try act("GoBack")
        _ = try act("ManageNetworks")
        _ = try act("GoForward", Self.kusama)
        _ = try act("RightButtonAction")
        _ = try act("RemoveNetwork")
        _ = try act("GoForward", Self.assetHub)
        _ = try act("RightButtonAction")
        _ = try act("BlockNetwork")
        _ = try act("GoForward", "Polkadot Asset Hub")
        _ = try act("GoBack")
        _ = try act("NavbarScan")
        _ = try act("TransactionFetched", payload())
        #expect(try act("GoForward", "rent")["modal"].string == "SignatureReady")
        #expect(try session.end() == (.exit, 0))
    }

    // MARK: What is there behind them

    private struct Content: Equatable {
        var lists: [JSON]
        /// The events of each entry of the log with their details, without the time.
        var log: [JSON]
    }

    private func content(_ vault: DemoVault) throws -> Content {
        let lists = try [
            ["key", "list"], ["seed", "list"], ["contact", "list"], ["network", "list"],
            ["network", "list", "--absent"],
        ].map { list in
            let outcome = try vault.run(list + ["--json"])
            try #require(outcome.exitCode == 0, "\(list): \(outcome.errors)")
            return try outcome.json().without("added")
        }
        let log = try vault.run(["log", "show", "--count", "1000", "--json"]).json().array.map { entry in
            // When the network of this machine was seen is not the same in both.
            JSON.array(entry["events"].array.filter { $0["detail"].string?.hasPrefix("seen ") != true })
        }
        return Content(lists: lists, log: log)
    }

    @Test("core and commands leave the same keys, seeds, contacts, networks and entries in the log")
    func same() throws {
        let (one, other) = (try DemoVault(), try DemoVault())
        try byCommands(one)
        try byCore(other)
        let (commands, core) = (try content(one), try content(other))
        #expect(commands.lists == core.lists)
        #expect(commands.log.count == 19)
        for (order, pair) in zip(commands.log, core.log).enumerated() {
            #expect(pair.0 == pair.1, "entry \(order) of the newest")
        }
        #expect(commands.log.count == core.log.count)
        for vault in [one, other] { #expect(try vault.run(["log", "verify"]).exitCode == 0) }
    }

    @Test("wipe a vault to the same, which the same PIN opens", arguments: [false, true])
    func wiped(forgetting: Bool) throws {
        let (one, other) = (try DemoVault("--pin"), try DemoVault("--pin"))
        let outcome = try one.unlocked(["wipe", "--yes"] + (forgetting ? ["--forget-verifier"] : []))
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        let session = try LivingSession(other.folder, pins: [DemoVault.pin])
        try session.act("Start")
        try session.act("GoForward")
        try session.act("NavbarSettings")
        if forgetting {
            let key = try #require(try session.act("ViewGeneralVerifier")["screenData"]["publicKey"].string)
            try session.act("ForgetGeneralVerifier")
            try session.act("GoForward", String(key.suffix(8)))
        } else {
            try session.act("WipeAll")
            try session.act("GoForward", "WIPE")
        }
        #expect(try session.act("NavbarLog")["screen"].string == "Log")
        #expect(try session.end() == (.exit, 0))
        for vault in [one, other] {
            let log = try vault.unlocked(["log", "show", "--json"]).json()
            #expect(log.array.count == 1)
            #expect(log[0]["events"].array.map { $0["event"].string } == ["DatabaseInitiated", "GeneralVerifierSet"])
            #expect(try vault.unlocked(["seed", "list", "--json"]).json().array.isEmpty)
            let networks = try vault.run(["network", "list", "--json"]).json()
            #expect(networks.array.count == 4)
            #expect(try vault.run(["status", "--json"]).json()["networkPolicy"].array.isEmpty)
        }
        let logs = try [one, other].map { try $0.unlocked(["log", "show", "--json"]).json()[0]["events"] }
        #expect(logs[0] == logs[1])
    }
}

extension JSON {
    /// The same without members of that name.
    fileprivate func without(_ name: String) -> JSON {
        if isList { return .array(array.map { $0.without(name) }) }
        guard isObject else { return self }
        return .object(object.filter { $0.key != name }.mapValues { $0.without(name) })
    }
}
