import Foundation
import TestSupport
import Testing

@Suite("Log, contacts and self check at the command line")
struct LogContactCommandsTests {
    private static let bob = "5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty"

    @Test("the log takes notes, is shown in full, and is cleared after a yes")
    func log() throws {
        let vault = try DemoVault()
        let noted = try vault.run(["log", "comment", "rent for May", "--json"])
        #expect(noted.exitCode == 0, "\(noted.errors)")
        let order = try #require(try noted.json()["order"].int)
        let shown = try vault.run(["log", "show", "\(order)", "--json"]).json()
        #expect(shown["events"][0]["event"].string == "UserEntry")
        #expect(shown["events"][0]["detail"].string == "rent for May")
        let absent = try vault.run(["log", "show", "99"])
        #expect(absent.exitCode == 16 && absent.errors.contains("casemate log show [HistoryEntryNotFound]"))
        let bad = try vault.run(["log", "comment", "a\u{1b}[2J"])
        #expect(bad.exitCode != 0 && bad.errors.contains("[CommentInvalid]"))
        // Nobody is there to say yes.
        #expect(try vault.run(["log", "clear"]).exitCode != 0)
        let digest = try vault.run(["log", "verify", "--json"]).json()["digest"].string
        let cleared = try vault.run(["log", "clear", "--yes", "--json"])
        #expect(try cleared.json()["digest"].string == digest)
        let rest = try vault.run(["log", "show"]).output
        #expect(rest.contains("HistoryCleared") && !rest.contains("rent for May"))
        let events = try vault.run(["log", "show", "--json"]).json()[0]["events"]
        #expect(try #require(events[1]["detail"].string).contains(try #require(digest)))
        // Not on a terminal: no colour.
        #expect(!rest.contains("\u{1b}["))
    }

    @Test("a signed transaction is read again from the log")
    func signed() throws {
        let vault = try DemoVault()
        let signed = try vault.run(["sign", "--file", VaultCommandsTests.payload, "--yes"])
        #expect(signed.exitCode == 0, "\(signed.errors)")
        let last = try #require(try vault.run(["log", "show", "--json"]).json()[0]["order"].int)
        let shown = try vault.run(["log", "show", "\(last)"])
        #expect(shown.output.contains("TransactionSigned") && shown.output.contains("In full"), "\(shown.output)")
    }

    @Test("contacts are added, shown, changed and removed")
    func contacts() throws {
        let vault = try DemoVault()
        let added = try vault.run(["contact", "add", "Bob", Self.bob, "--network", "westend", "--json"])
        #expect(added.exitCode == 0, "\(added.errors)")
        #expect(try added.json()["addresses"][0]["address"].string == Self.bob)
        for (arguments, code) in [
            (["contact", "add", "bob", "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"], "ContactNameTaken"),
            (["contact", "add", "Robert", Self.bob], "ContactExists"),
            (["contact", "add", "Robert", "5Nobody"], "ContactAddressInvalid"),
            (["contact", "add", "a,b", "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"], "ContactNameInvalid"),
        ] {
            let refused = try vault.run(arguments)
            #expect(refused.exitCode == 1 && refused.errors.contains("[\(code)]"), "\(refused.errors)")
        }
        let changed = try vault.run(["contact", "change", "bob", "--name", "Robert", "--any-network", "--json"])
        #expect(try changed.json()["networks"].array.isEmpty)
        let list = try vault.run(["contact", "list"]).output
        #expect(list.contains("Robert") && list.contains(Self.bob) && !list.contains("\u{1b}["))
        #expect(try vault.run(["contact", "remove", "Robert"]).exitCode == 0)
        #expect(try vault.run(["contact", "remove", "Robert"]).exitCode == 16)
        #expect(try vault.run(["log", "show"]).output.contains("contact removed Robert"))
    }

    @Test("a self check tells of every part, and its exit says whether a line failed")
    func selfCheck() throws {
        let vault = try DemoVault()
        let checked = try vault.run(["selfcheck", "--json"])
        let lines = try checked.json().array
        let codes = Set(lines.compactMap { $0["code"].string })
        #expect(
            codes.isSuperset(of: [
                "Executable", "Release", "Namespace", "Sandbox", "Sandbox.socket", "Sandbox.file", "Derive", "Sign",
                "Verify", "Scrypt", "SecretBox", "Random",
                "Database",
                "Log", "HiddenRows", "NoMetadata", "OldMetadata", "Prefixes", "NetworkPolicy",
            ]), "\(codes)")
        let statuses = Dictionary(
            lines.compactMap { line in line["code"].string.map { ($0, line["status"].string) } },
            uniquingKeysWith: { first, _ in first })
        // Where the machine gives every wall, the worker has found them.
        if statuses["Sandbox"] == "ok" {
            #expect(statuses["Sandbox.socket"] == "ok" && statuses["Sandbox.file"] == "ok", "\(checked.output)")
        }
        // Codes are not cut where they are long.
        let text = try vault.run(["selfcheck"]).output.split(whereSeparator: \.isWhitespace).map(String.init)
        #expect(codes.isSubset(of: Set(text)))
        let failed = lines.contains { $0["status"].string == "fail" }
        #expect(checked.exitCode == (failed ? 21 : 0), "\(checked.errors)")
        let words = try #require(lines.first { $0["code"].string == "Executable" }?["text"].string).split(
            separator: " ")
        #expect(words.count == 13)
    }
}
