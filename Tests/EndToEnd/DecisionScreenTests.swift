import Foundation
import TestSupport
import Testing

@Suite(
    "The screen on which a person decides",
    .enabled(if: TmuxScreen.isThere, "tmux is not installed: scripts/deps.sh --tests"))
struct DecisionScreenTests {
    private static let alice = "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"
    private static let bob = "5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty"
    private static let charlie = "5FLSigC9HGRKVhB9FiEo4Y3koPsNmBmLJbpXg2mp1hXcS59Y"

    /// Everything to a stranger, and a remark that draws another answer over it, for a terminal of 80 columns.
    private static let painted: String = {
        let answer = [
            "Network    Westend", "Signed by  \(alice)  (demo//westend)", "", "What it does",
            "  1. Balances.transfer_keep_alive", "     dest   \(alice)  (yours: demo//westend)",
            "     value  100.000000000 mWND", "", "In full", "  pallet: Balances", "    method: transfer_keep_alive",
            "      field_name: dest", "        enum_variant_name: Id", "          Id: \(alice)",
            "      field_name: value",
            "        balance: 100.000000000 mWND", "", "Call hash  0x" + String(repeating: "ab", count: 32), "",
            "At a glance", "  1. Balances.transfer_keep_alive  dest", "     \(alice)  (yours: demo//westend), value",
            "     100.000000000 mWND",
        ]
        let blank = String(repeating: " ", count: 80)
        let text =
            String(repeating: " ", count: 66) + String(repeating: blank, count: 6)
            + answer.map { $0 + blank.dropFirst($0.count) }.joined()
        return WestendPayload.transaction(
            WestendPayload.batch([WestendPayload.transferAll(to: WestendPayload.charlie), WestendPayload.remark(text)]))
    }()

    private func sign(_ payload: String, _ vault: DemoVault, rows: Int) throws -> TmuxScreen {
        try TmuxScreen(
            columns: 80, rows: rows, DemoVault.casemate, ["sign", "--hex", payload, "--vault", vault.folder])
    }

    @Test("a painted remark does not hide what is signed", arguments: [24, 34])
    func painting(rows: Int) throws {
        let vault = try DemoVault()
        let screen = try sign(Self.painted, vault, rows: rows)
        try screen.wait(for: "Sign this? Type yes to go on:")
        let lines = try screen.lines()
        // What decides is all there, down to the question.
        let glance = try #require(lines.firstIndex(of: "At a glance"))
        let question = try #require(lines.firstIndex { $0.hasPrefix("Sign this?") })
        let decision = lines[glance..<question].joined(separator: "\n")
        #expect(decision.contains("1. Balances.transfer_all") && decision.contains("\(Self.charlie)  (unknown)"))
        #expect(decision.contains("2. System.remark  remark text of 2394 bytes"))
        #expect(decision.contains("[WholeBalance]") && decision.contains("[UnknownDestination]"))
        // And nothing of what the remark would have drawn, but in quotes behind the mark.
        #expect(!decision.contains(Self.alice) && !decision.contains("100.000000000"))
        for line in lines where line.contains("100.000000000") || line.contains("yours") {
            #expect(line.drop { $0 == " " }.hasPrefix("│ "), "\(line)")
        }
        try screen.type("no")
        try screen.wait(for: "ended with 4")
    }

    @Test("what does not fit the screen is read page by page; risks, totals and question share the last one")
    func pages() throws {
        let vault = try DemoVault()
        let transfers = Array(repeating: WestendPayload.transfer(to: WestendPayload.bob), count: 20)
        let screen = try sign(WestendPayload.transaction(WestendPayload.batch(transfers)), vault, rows: 24)
        try screen.wait(for: "Page 1 of 4. Enter to go on, q to decline:")
        #expect(try screen.text().contains("1. Balances.transfer_keep_alive"))
        // Neither another word nor a yes skips a page.
        try screen.type("yes")
        try screen.wait(for: "q to decline: yes\nPage 1 of 4")
        for page in 2...3 {
            try screen.type("")
            try screen.wait(for: "Page \(page) of 4.")
        }
        try screen.type("")
        try screen.wait(for: "Sign this? Type yes to go on:")
        let last = try screen.text()
        #expect(last.contains("20. Balances.transfer_keep_alive") && last.contains("[UnknownDestination]"))
        #expect(last.contains("together  20.000000000000 WND in 20 calls"))
        try screen.type("yes")
        try screen.wait(for: "ended with 0")
        #expect(try vault.count(of: "TransactionSigned") == 1)
    }

    @Test("q on a page declines, and signs nothing")
    func leaving() throws {
        let vault = try DemoVault()
        let transfers = Array(repeating: WestendPayload.transfer(to: WestendPayload.bob), count: 20)
        let screen = try sign(WestendPayload.transaction(WestendPayload.batch(transfers)), vault, rows: 24)
        try screen.wait(for: "Page 1 of 4.")
        try screen.type("q")
        try screen.wait(for: "ended with 4")
        #expect(try vault.count(of: "TransactionSigned") == 0)
    }

    @Test("where the output goes elsewhere, all that is signed is shown on the terminal that asks")
    func redirected() throws {
        let vault = try DemoVault()
        let payload = WestendPayload.transaction(WestendPayload.transfer(to: WestendPayload.bob))
        let screen = try TmuxScreen(
            columns: 80, rows: 60, DemoVault.casemate,
            ["sign", "--hex", payload, "--vault", vault.folder, "--json"],
            redirection: " > " + Program.quoted(vault.scratch.path("answer.json")))
        try screen.wait(for: "Sign this? Type yes to go on:")
        let text = try screen.text()
        for wanted in ["Signed by", "In full", "At a glance", "\(Self.bob)  (unknown)"] {
            #expect(text.contains(wanted))
        }
        try screen.type("yes")
        try screen.wait(for: "ended with 0")
    }

    @Test("what others will take by this key's word is shown where a yes is asked for, whatever becomes of the output")
    func published() throws {
        let vault = try DemoVault()
        let keys = try vault.run(["key", "list", "--json"]).json().array
        let key = try #require(keys.first { $0["path"].string == "//kusama" })
        let address = try #require(key["networks"][0]["address"].string)
        let printed = vault.scratch.path("signed.json")
        let screen = try TmuxScreen(
            columns: 100, rows: 60, DemoVault.casemate,
            ["network", "sign", "westend", "--with", address, "--vault", vault.folder, "--json"],
            redirection: " > " + Program.quoted(printed))
        try screen.wait(for: "Type yes to go on:")
        let lines = try screen.lines()
        let question = try #require(lines.firstIndex { $0.hasPrefix("Sign this for other vaults") })
        let shown = lines[..<question].joined(separator: "\n")
        #expect(shown.contains("The network Westend") && shown.contains(WestendPayload.genesis), "\(shown)")
        try screen.type("yes")
        try screen.wait(for: "ended with 0")
        #expect(try JSON(parsing: Array(Data(contentsOf: URL(filePath: printed))))["crypto"].string?.isEmpty == false)
    }

    @Test("a screen on which nothing can be shown is not asked on")
    func tiny() throws {
        let vault = try DemoVault()
        let screen = try TmuxScreen(
            columns: 80, rows: 4, DemoVault.casemate,
            ["sign", "--hex", WestendPayload.transaction(WestendPayload.addProxy), "--vault", vault.folder])
        try screen.wait(for: "ended with 1")
        #expect(try vault.count(of: "TransactionSigned") == 0)
    }
}

@Suite("Input before it is asked for")
struct TypedAheadTests {
    @Test("a yes that was typed ahead answers no question")
    func typedAhead() throws {
        let vault = try DemoVault("--pin")
        let payload = WestendPayload.transaction(WestendPayload.transfer(to: WestendPayload.bob))
        let session = try TerminalSession(DemoVault.casemate, ["sign", "--hex", payload, "--vault", vault.folder])
        try session.wait(for: "PIN:")
        // In one go: the yes waits in the terminal while the PIN is worked on.
        try session.type("\(DemoVault.pin)\nyes")
        try session.wait(for: "Type yes to go on:")
        try session.type("no")
        #expect(session.exitCode() == 4)
        #expect(try vault.count(of: "TransactionSigned") == 0)
    }
}
