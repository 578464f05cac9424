import Foundation
import Pictures
import TestSupport
import Testing
import ZXingReader

@Suite("casemate sign")
struct SignCommandTests {
    private let transfer = WestendPayload.transaction(WestendPayload.transfer(to: WestendPayload.bob))
    private let addProxy = WestendPayload.transaction(WestendPayload.addProxy)

    /// The code in a picture.
    /// The contents of a film's codes.
    private func read(_ path: String) throws -> [[UInt8]] {
        var film = FilmReader()
        film.append(try Data(contentsOf: URL(filePath: path)))
        film.finish()
        var contents: [[UInt8]] = []
        while let picture = try film.next() { contents += try ZXingReader().read(picture).map(\.bytes) }
        return contents
    }

    /// What the source symbols of a fountain code carry (`signer-wire` section 9.2), in the order of their numbers.
    private func join(_ frames: [[UInt8]]) -> [UInt8] {
        let size = frames[0].prefix(4).reduce(0) { $0 << 8 | Int($1) } & 0x7fff_ffff
        let count = (size + 127) / 128
        for (number, frame) in frames.prefix(count).enumerated() {
            #expect(frame[0] & 0x80 != 0 && frame.count == 136 && Int(frame[7]) == number)
        }
        return Array(frames.prefix(count).flatMap { $0.dropFirst(8) }.prefix(size))
    }

    @Test("a danger is not signed by --yes alone, nor with another text; with what is asked for it is")
    func danger() throws {
        let vault = try DemoVault()
        let sign = ["sign", "--hex", addProxy, "--yes"]
        for more in [[], ["--confirm", "add_proxy"]] {
            let outcome = try vault.unlocked(sign + more)
            #expect(outcome.exitCode == 5)
            #expect(outcome.errors.contains("ProxyChange") && outcome.errors.contains("--confirm"))
        }
        #expect(try vault.count(of: "TransactionSigned") == 0)
        let inspected = try vault.run(["inspect", "--hex", addProxy, "--json"]).json()
        let text = try #require(inspected["risks"][0]["confirm"][0].string)
        #expect(text == "694ty")
        let signed = try vault.unlocked(sign + ["--confirm", text, "--json"])
        #expect(signed.exitCode == 0, "\(signed.errors)")
        #expect(try signed.json()["answer"].string?.count == 130)
        #expect(try vault.count(of: "TransactionSigned") == 1)
    }

    @Test("on a terminal the danger is asked about first, and anything else than the answer signs nothing")
    func dangerOnTerminal() throws {
        let vault = try DemoVault()
        let outcome = try DemoVault.casemate.runInTerminal(
            ["sign", "--hex", addProxy, "--vault", vault.folder], keys: "yes\n")
        #expect(outcome.exitCode == 4)
        #expect(outcome.output.contains("Type the last 5 characters of the address that call 1 is about"))
        #expect(try vault.count(of: "TransactionSigned") == 0)
    }

    @Test("several transactions are answered with a moving picture that gives every signature")
    func bulk() throws {
        let vault = try DemoVault()
        let out = vault.scratch.path("answer.png")
        let payload = WestendPayload.bulk([transfer, WestendPayload.transaction(WestendPayload.proxiedBatch)])
        let signed = try vault.unlocked(["sign", "--hex", payload, "--yes", "--out", out, "--json"]).succeeded()
        let json = try signed.json()
        #expect(json["out"].string == out)
        let record = join(try read(out))
        #expect(json["answer"].string == WestendPayload.hex(record))
        // Code, number of signatures, and twice the kind sr25519 with 64 bytes.
        #expect(record.prefix(2) == [4, 2 << 2] && record.count == 2 + 2 * 65)
        #expect(record[2] == 1 && record[2 + 65] == 1)
        #expect(json["authors"].array.count == 2)
        #expect(try vault.run(["log", "verify"]).exitCode == 0)
    }

    @Test("keys with passwords take one line each, in the order of the members that need them")
    func passwords() throws {
        let vault = try DemoVault()
        let keys = try [("//a", "first"), ("//b", "second")].map { path, password in
            String(try vault.derive(path, password: password).dropFirst(2))
        }
        let call = WestendPayload.transfer(to: WestendPayload.bob)
        let members = [keys[1], WestendPayload.author, keys[0], keys[1]].map {
            WestendPayload.transaction(call, by: $0)
        }
        let sign = ["sign", "--hex", WestendPayload.bulk(members), "--yes", "--json", "--password-fd", "5"]
        let wrong = try vault.unlocked(sign, secrets: [5: "first\nsecond\n"])
        #expect(try wrong.exitCode == 11 && wrong.json()["error"].string == "WrongPassword")
        #expect(try vault.count(of: "TransactionSigned") == 0)
        let right = try vault.unlocked(sign, secrets: [5: "second\nfirst\n"])
        #expect(right.exitCode == 0, "\(right.errors)")
        #expect(try right.json()["answer"].string?.count == 2 * (2 + 4 * 65))
        #expect(try vault.count(of: "TransactionSigned") == 4)
    }

    @Test("one bad member signs none")
    func badMember() throws {
        let vault = try DemoVault()
        let out = vault.scratch.path("answer.png")
        let newer = WestendPayload.transaction(WestendPayload.addProxy, specVersion: "a3230000")
        let foreign = WestendPayload.transaction(WestendPayload.addProxy, by: WestendPayload.bob)
        for (bad, code) in [(newer, 13), (foreign, 3)] as [(String, Int32)] {
            let payload = WestendPayload.bulk([transfer, bad])
            #expect(try vault.unlocked(["sign", "--hex", payload, "--yes", "--out", out]).exitCode == code)
        }
        #expect(try vault.count(of: "TransactionSigned") == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: vault.scratch.path) == ["vault"])
    }

    @Test("a wallet's request for addresses is answered with all of them, and stores what is new")
    func addresses() throws {
        let vault = try DemoVault()
        let out = vault.scratch.path("answer.png")
        let unknown = String(repeating: "77", count: 32)
        let payload = WestendPayload.request([("//Alice", WestendPayload.genesis), ("//Bob", unknown)])
        let sign = ["sign", "--hex", payload, "--yes", "--out", out]
        let shared = try vault.unlocked(sign).succeeded()
        #expect(shared.output.contains("not stored") && shared.output.contains("Stored."))
        let answer = WestendPayload.hex(join(try read(out)))
        func item(_ path: String, _ key: String) -> String {
            WestendPayload.hex([UInt8(path.utf8.count << 2)] + Array(path.utf8)) + "0101" + key
        }
        #expect(
            answer == "53ffdf0001\(WestendPayload.root)08" + item("//Alice", WestendPayload.alice)
                + item("//Bob", WestendPayload.bob))
        let keys = try vault.run(["key", "list", "--json"]).json().array
        #expect(keys.contains { $0["path"].string == "//Alice" && $0["seed"].string == "demo" })
        #expect(!keys.contains { $0["path"].string == "//Bob" })
        let again = try vault.unlocked(sign + ["--json"])
        #expect(try again.json()["answer"].string == answer)
        #expect(try vault.run(["key", "list", "--json"]).json().array.count == keys.count)
    }

    @Test("a key derived on the fly signs, and is not stored")
    func dynamicTransaction() throws {
        let vault = try DemoVault()
        let body = transfer.dropFirst(6 + 64)
        let payload = "530105\(WestendPayload.root)1c2f2f416c696365" + body
        let refused = try vault.unlocked(["sign", "--hex", payload, "--yes"])
        #expect(refused.exitCode == 5 && refused.errors.contains("DerivedOnTheFly"))
        for part in ["//Alice", "5DfhGyQdFobKM8NsWvEeAKk5EQQgYe9AydgJ7rMB6E1EqRzV"] {
            #expect(refused.output.contains(part), "the path and the seed's root are named")
        }
        #expect(try vault.count(of: "TransactionSigned") == 0)
        let signed = try vault.unlocked(["sign", "--hex", payload, "--yes", "--confirm", "KutQY", "--json"])
        #expect(signed.exitCode == 0, "\(signed.errors)")
        #expect(try signed.json()["authors"][0].string == "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY")
        #expect(try !vault.run(["key", "list"]).output.contains("//Alice"))
    }

    @Test("an answer that has no place to go is neither signed nor logged, and addresses are not stored")
    func noPlace() throws {
        let vault = try DemoVault()
        let before = try vault.run(["log", "verify"]).output
        let request = WestendPayload.request([("//Alice", WestendPayload.genesis)])
        for payload in [transfer, request] {
            for place in ["/nowhere/answer.png", vault.scratch.path("")] {
                let refused = try vault.unlocked(["sign", "--hex", payload, "--yes", "--out", place])
                #expect(refused.exitCode == 1 && refused.errors.contains(place), "\(refused.errors)")
            }
        }
        #expect(try vault.run(["log", "verify"]).output == before)
        #expect(try vault.unlocked(["sign", "--hex", transfer, "--yes"]).exitCode == 0)
    }

    @Test("an answer that the terminal has no room for is not signed", .enabled(if: TmuxScreen.isThere))
    func narrowTerminal() throws {
        let vault = try DemoVault()
        let screen = try TmuxScreen(
            columns: 44, rows: 60, DemoVault.casemate, ["sign", "--hex", transfer, "--yes", "--vault", vault.folder])
        try screen.wait(for: "ended with 1")
        #expect(try screen.text().contains("The terminal is too small"))
        #expect(try vault.count(of: "TransactionSigned") == 0)
    }

    @Test(
        "an answer whose picture finds no room is shown all the same, with its text",
        .enabled(if: SmallDisk.isPossible, "\(SmallDisk.reason)"), arguments: [[], ["--json"]])
    func fullDisk(options: [String]) throws {
        let vault = try DemoVault()
        let disk = try SmallDisk(byteCount: 1 << 16)
        try disk.fill(leaving: 0)
        let out = disk.path + "/answer.png"
        let signed = try vault.unlocked(["sign", "--hex", transfer, "--yes", "--out", out] + options)
        #expect(signed.exitCode == 1 && signed.errors.contains("No space left"), "\(signed.errors)")
        #expect(try vault.count(of: "TransactionSigned") == 1)
        #expect(signed.output.firstMatch(of: /[0-9a-f]{130}/) != nil, "\(signed.output)")
        if options.isEmpty { #expect(signed.output.contains("█")) }
    }

    @Test("an export is not signed but imported, unless an address in it is planted")
    func export() throws {
        let vault = try DemoVault()
        let alice = "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"
        let good = WestendPayload.export(alice, path: "//Alice")
        let signed = try vault.unlocked(["sign", "--hex", good, "--yes"])
        #expect(signed.exitCode == 3 && signed.errors.contains("casemate key import"))
        let planted = WestendPayload.export(alice, path: "//mine")
        let refused = try vault.unlocked(["key", "import", "--hex", planted, "--yes"])
        #expect(refused.exitCode == 1 && refused.errors.contains("[ImportAddressMismatch]"))
        let locked = try vault.unlocked(
            ["key", "import", "--hex", WestendPayload.export(alice, path: "//mine///password"), "--yes"])
        #expect(locked.exitCode == 0 && locked.output.contains("with password"))
        #expect(locked.output.contains("No key is new."))
        #expect(try !vault.run(["key", "list"]).output.contains(alice))
        let imported = try vault.unlocked(["key", "import", "--hex", good, "--yes"])
        #expect(imported.exitCode == 0 && imported.output.contains("//Alice"), "\(imported.errors)")
        #expect(try vault.run(["key", "list"]).output.contains(alice))
    }
}
