import TestSupport
import Testing

@Suite("Text that somebody outside chose, as casemate shows it")
struct ForeignTextCommandsTests {
    private static let alice = "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"

    private func inspect(_ call: String, _ vault: DemoVault) throws -> String {
        let outcome = try vault.run(["inspect", "--hex", WestendPayload.transaction(call)]).succeeded()
        return outcome.output
    }

    @Test("does not stand where an address stands: the variant is named, the text is quoted, nothing says yours")
    func destination() throws {
        let vault = try DemoVault()
        let call = WestendPayload.transfer(toRaw: "\(Self.alice)  (yours)")
        let text = try inspect(call, vault)
        #expect(text.contains("     dest   Raw \"\(Self.alice)  (yours)\"\n"))
        #expect(text.contains("bytes: \"\(Self.alice)  (yours)\"\n"))
        #expect(text.contains("dest Raw text of 57 bytes, value"))
        let json = try vault.run(["inspect", "--hex", WestendPayload.transaction(call), "--json"]).json()
        let pieces = json["calls"][0]["arguments"][0]["value"][0]
        #expect(pieces[0]["kind"].string == "words" && pieces[0]["value"].string == "Raw")
        #expect(pieces[1]["kind"].string == "text" && pieces[1]["value"].string == "\(Self.alice)  (yours)")
        let card = try #require(json["cards"]["method"].array.first { $0["kind"].string == "bytes" })
        #expect(card["value"]["kind"].string == "text")
    }

    @Test("an account of the vault is named with its key, any other is unknown")
    func accounts() throws {
        let vault = try DemoVault()
        let own = try inspect(WestendPayload.transfer(to: WestendPayload.author), vault)
        #expect(own.contains("(yours: demo//westend)") && !own.contains("(unknown)"))
        #expect(try inspect(WestendPayload.transfer(to: WestendPayload.bob), vault).contains("694ty  (unknown)\n"))
        let json = try vault.run([
            "inspect", "--hex", WestendPayload.transaction(WestendPayload.transfer(to: WestendPayload.author)),
            "--json",
        ]).json()
        let account = json["calls"][0]["arguments"][0]["value"][0][0]
        #expect(account["kind"].string == "account" && account["key"].string == "demo//westend")
    }

    @Test("fills no lines: each of its lines begins with the mark, and much of it is cut and told by size and hash")
    func remark() throws {
        let vault = try DemoVault()
        let remark =
            "first\n\n" + String(repeating: " ", count: 500) + "\u{202e}Sign" + String(repeating: "x", count: 30_000)
        let text = try inspect(WestendPayload.remark(remark), vault)
        #expect(text.count < 8000)
        let lines = text.split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 80 })
        let quoted = lines.filter { $0.contains("first") || $0.contains("xxxx") || $0.contains("spaces") }
        #expect(!quoted.isEmpty && quoted.allSatisfy { $0.drop { $0 == " " }.hasPrefix("│ ") })
        #expect(text.contains(#"\{500 spaces}\u{202e}Sign"#))
        #expect(text.contains("all of it: 30514 bytes, BLAKE2b-256"))
        let json = try vault.run(
            ["inspect", "--hex", WestendPayload.transaction(WestendPayload.remark(remark)), "--json"]
        ).json()
        #expect(json["calls"][0]["arguments"][0]["value"][0][0]["value"].string == remark)
    }

    @Test("a message is quoted; one of bytes is not taken for text of digits")
    func messages() throws {
        let vault = try DemoVault()
        func shown(_ message: [UInt8]) throws -> String {
            let outcome = try vault.run(["inspect", "--hex", WestendPayload.message(message)]).succeeded()
            return outcome.output
        }
        let text = try shown(Array("Log in\nSigned by  nobody".utf8))
        #expect(text.contains("│ \"Log in\\n\n") && text.contains("│ Signed by  nobody\"\n"))
        #expect(!text.contains("\nSigned by  nobody"))
        let bytes = try shown([0xff, 0x00, 0xfe])
        #expect(bytes.contains("bytes: 0xff00fe") && bytes.contains("a message of bytes: 0xff00fe"))
        #expect(try shown(Array("ff00fe".utf8)).contains("text: \"ff00fe\""))
    }

    @Test("a message that is longer than a screen is shown to its end, and so is a remark in full")
    func longMessages() throws {
        let vault = try DemoVault()
        func shown(_ payload: String) throws -> String {
            let outcome = try vault.run(["inspect", "--hex", payload])
            try #require(outcome.exitCode == 0, "\(outcome.errors)")
            return outcome.output
        }
        let text =
            (1...100).map { "line \($0) of what is agreed" }.joined(separator: "\n") + "\nAND ALL GOES TO MALLORY"
        #expect(try shown(WestendPayload.message(Array(text.utf8))).contains("│ AND ALL GOES TO MALLORY\"\n"))
        #expect(
            try shown(WestendPayload.transaction(WestendPayload.remark(text))).contains("│ AND ALL GOES TO MALLORY\"\n")
        )
        // What is said in short, directly above the question, says that there is more.
        #expect(
            try shown(WestendPayload.message(Array(text.utf8)))
                .contains("It goes on: all of it stands above, under Message."))
        let bytes = (0..<1_000).map { UInt8(truncatingIfNeeded: $0) | 0x80 }
        let digits = try shown(WestendPayload.message(bytes)).filter { !$0.isWhitespace }
        #expect(digits.contains(WestendPayload.hex(bytes)))
        let longer = try shown(WestendPayload.message([UInt8](repeating: UInt8(ascii: "a"), count: 16_385)))
        #expect(longer.contains("[TextInArguments]") && longer.contains("all of it: 16385 bytes"))
    }

    @Test("amounts of other assets are not shown in the network's unit")
    func otherAssets() throws {
        let scratch = try Scratch()
        let inspect = ["inspect", "--hex", StatemintPayload.assetTransfer, "--vault", scratch.path("none")]
        let text = try DemoVault.casemate.run(inspect)
        #expect(text.exitCode == 0 && text.output.contains("balance: 10.000000 USDT (Assets 1984)"))
        #expect(!text.output.contains("1.0000000 mDOT"))
        let json = try DemoVault.casemate.run(inspect + ["--json"])
        #expect(!json.output.contains("1.0000000 mDOT"))
        let cards = try json.json()["cards"]["method"].array
        #expect(
            cards.contains { $0["value"]["kind"].string == "amount" && $0["value"]["asset"].string == "Assets 1984" })
    }

    @Test("a wallet's paths and a comment in the log draw nothing either")
    func pathsAndComments() throws {
        let vault = try DemoVault()
        let path = "//Alice" + String(repeating: " ", count: 60) + "(known)"
        let asked = try vault.unlocked(["inspect", "--hex", WestendPayload.request([(path, WestendPayload.genesis)])])
        #expect(asked.exitCode == 0 && asked.output.contains(#"\{60 spaces}(known)""#), "\(asked.errors)")
        let transfer = WestendPayload.transaction(WestendPayload.transfer(to: WestendPayload.bob))
        let signed = try vault.unlocked(
            ["sign", "--hex", transfer, "--yes", "--json", "--comment", "rent\n0  1999-01-01  SeedRemoved  demo"])
        #expect(signed.exitCode == 0, "\(signed.errors)")
        let log = try vault.run(["log", "show"]).output
        #expect(log.contains(#"│ 0  1999-01-01  SeedRemoved  demo""#) && !log.contains("\n0  1999"))
    }
}
