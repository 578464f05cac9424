import Foundation
import TestSupport
import Testing

/// Key sets from one vault to another, as a person moves them.
@Suite("casemate key export and import")
struct KeySetCommandsTests {
    private func paths(_ vault: DemoVault) throws -> Set<String> {
        Set(try vault.run(["key", "list", "--json"]).json().array.compactMap { $0["path"].string })
    }

    @Test("what one vault exports as a film, another with the same seed imports, key by key")
    func film() throws {
        let (from, to) = (try DemoVault(), try DemoVault())
        for path in ["//Alice", "//Alice/soft"] {
            #expect(try from.run(["key", "derive", "demo", path, "--network", "westend"]).exitCode == 0)
        }
        _ = try from.derive("//cold", password: "zwölf-Boote")
        let film = from.scratch.path("set.apng")
        let exported = try from.run(["key", "export", "demo", "--out", film])
        #expect(exported.exitCode == 0, "\(exported.errors)")
        // Nobody could compare a key whose password is nowhere stored.
        #expect(exported.errors.contains("demo//cold") && exported.errors.contains("left out"), "\(exported.errors)")
        let imported = try to.run(["key", "import", "--qr", film, "--yes"])
        #expect(imported.exitCode == 0, "\(imported.errors)")
        #expect(try paths(to).isSuperset(of: ["//Alice", "//Alice/soft"]) && !paths(to).contains("//cold"))
        let json = try from.run(["key", "export", "demo", "--json"]).json()
        #expect(json["leftOut"].array.compactMap(\.string) == ["demo//cold"])
        let again = try to.run(["key", "import", "--hex", try #require(json["payload"].string), "--yes"])
        #expect(again.exitCode == 0 && again.output.contains("No key is new."), "\(again.output)")
        #expect(try from.run(["key", "export", "nobody"]).exitCode == 16)
    }

    /// A key set of the development phrase with one key on Westend.
    private func keySet(address: String, path: String) -> String {
        func text(_ text: String) -> [UInt8] { [UInt8(text.utf8.count << 2)] + Array(text.utf8) }
        let root = "0146ebddef8cd9bb167dc30878d7113b7e168e6f0646beffd77d69d39bad76b47a"
        return "53ffde0004" + WestendPayload.hex(text("theirs")) + root + "04" + WestendPayload.hex(text(address))
            + "01"
            + WestendPayload.hex(text(path)) + "01" + WestendPayload.genesis
    }

    @Test("a key with a password comes with the password alone, and a planted address not at all")
    func passwords() throws {
        let (from, to) = (try DemoVault(), try DemoVault())
        _ = try from.derive("//cold", password: "zwölf-Boote")
        let key = try #require(
            try from.run(["key", "list", "--json"]).json().array.first { $0["path"].string == "//cold" })
        let address = try #require(key["networks"][0]["address"].string)
        let (said, unsaid) = (keySet(address: address, path: "//cold///?"), keySet(address: address, path: "//cold"))
        // As Polkadot Vault exports it: without a word that there is a password.
        let refused = try to.run(["key", "import", "--hex", unsaid, "--yes"])
        #expect(refused.exitCode != 0 && refused.errors.contains("[ImportAddressMismatch]"), "\(refused.errors)")
        for wrong in [["--hex", said], ["--hex", unsaid, "--with-password", "//cold"]] {
            let outcome = try to.unlocked(
                ["key", "import", "--yes", "--password-fd", "5"] + wrong, secrets: [5: "a\nb\nc\n"])
            #expect(outcome.exitCode == 0 && outcome.errors.contains("demo//cold was left out"), "\(outcome.errors)")
            #expect(try !paths(to).contains("//cold"))
        }
        let planted = keySet(address: "5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty", path: "//mine///?")
        _ = try to.unlocked(
            ["key", "import", "--yes", "--hex", planted, "--password-fd", "5"], secrets: [5: "a\nb\nc\n"])
        #expect(try !paths(to).contains("//mine"))
        let right = try to.unlocked(
            ["key", "import", "--yes", "--hex", said, "--password-fd", "5"], secrets: [5: "wrong\nzwölf-Boote\n"])
        #expect(right.exitCode == 0, "\(right.errors)")
        let stored = try to.run(["key", "list", "--json"]).json().array.first { $0["path"].string == "//cold" }
        #expect(stored?["hasPassword"].bool == true && stored?["networks"][0]["address"].string == address)
        #expect(!right.output.contains("Boote") && !right.errors.contains("Boote"))
    }
}
