import TestSupport
import Testing

@Suite("casemate inspect")
struct InspectCommandTests {
    private static let bob = "5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty"
    private static let charlie = "5FLSigC9HGRKVhB9FiEo4Y3koPsNmBmLJbpXg2mp1hXcS59Y"
    private static let dave = "5DAAnrj7VHTznn2AWBemMuyBwZWs6FNFjdyVXUeYum3PTXFy"
    private static let alice = "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"

    /// Without any vault.
    private func inspect(_ hex: String, _ more: String...) throws -> Program.Outcome {
        let scratch = try Scratch()
        return try DemoVault.casemate.run(["inspect", "--hex", hex, "--vault", scratch.path("none")] + more)
    }

    @Test("a file named - is standard input")
    func standardInput() throws {
        let scratch = try Scratch()
        let payload = Array(WestendPayload.transaction(WestendPayload.proxiedBatch).utf8)
        let read = try DemoVault.casemate.run(
            ["inspect", "--file", "-", "--vault", scratch.path("none")], input: payload)
        #expect(read.exitCode == 0 && read.output.contains("3 calls in one transaction"), "\(read.errors)")
    }

    @Test("transfers behind a proxy and a batch are listed one by one: how much, to whom, for whom, and in all")
    func wrapped() throws {
        let outcome = try inspect(WestendPayload.transaction(WestendPayload.proxiedBatch))
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        let lines = outcome.output.split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } }
        for (number, destination) in [Self.bob, Self.charlie, Self.dave].enumerated() {
            let first = try #require(lines.firstIndex(of: "\(number + 1). Balances.transfer_keep_alive"))
            #expect(
                lines[first + 1..<first + 4] == [
                    "dest   \(destination)  (unknown)", "value  \(number + 1).000000000000 WND",
                    "for    \(Self.alice)  (unknown), which",
                ])
        }
        #expect(!lines.contains { $0.hasPrefix("4. ") })
        #expect(lines.contains("together  6.000000000000 WND in 3 calls"))
        // What decides stands last, behind all of it, and says the same in short.
        let glance = try #require(lines.firstIndex(of: "At a glance"))
        #expect(try #require(lines.firstIndex { $0.hasPrefix("Call hash  0x") }) < glance)
        let decision = lines[glance...].joined(separator: " ")
        #expect(
            decision.contains(
                "2. Balances.transfer_keep_alive  dest \(Self.charlie)  (unknown), value 2.000000000000 WND"))
        #expect(decision.contains("warning Acts for another account, \(Self.alice). (every call) [ForeignOrigin]"))
        #expect(lines.last == "together  6.000000000000 WND in 3 calls")
    }

    @Test("instructions of a program stand below each other, those inside others by their depth, and none in quotes")
    func program() throws {
        let text = try inspect(StatemintPayload.program).output
        let lines = text.split(separator: "\n").map(String.init)
        let first = try #require(lines.firstIndex { $0.hasSuffix("WithdrawAsset 1.0000000000 DOT") })
        let column = lines[first].distance(
            from: lines[first].startIndex, to: try #require(lines[first].firstRange(of: "WithdrawAsset")).lowerBound)
        let margin = String(repeating: " ", count: column)
        #expect(lines[first + 1..<first + 3] == [margin + "SetAppendix", margin + "  RefundSurplus"])
        #expect(lines[first + 3].hasPrefix(margin + "DepositAsset"))
        let calls = try inspect(StatemintPayload.program, "--json").json()["calls"].array
        #expect(
            calls[0]["arguments"][0]["value"][2].array.map { $0["kind"].string } == ["indentation", "words"])
    }

    @Test("machines are told the same")
    func json() throws {
        let outcome = try inspect(WestendPayload.transaction(WestendPayload.proxiedBatch), "--json")
        let json = try outcome.json()
        #expect(json["action"].string == "read", "nobody's key is here")
        let calls = json["calls"].array
        #expect(calls.map { $0["destination"].string } == [Self.bob, Self.charlie, Self.dave])
        #expect(
            calls.map { $0["amounts"][0]["value"].string } == ["1000000000000", "2000000000000", "3000000000000"])
        for call in calls {
            #expect(call["method"].string == "transfer_keep_alive" && call["depth"].int == 2)
            #expect(call["origin"]["kind"].string == "account" && call["origin"]["address"].string == Self.alice)
        }
        #expect(json["totals"].array.map { $0["text"].string } == ["6.000000000000 WND"])
        let foreign = json["risks"].array.first { $0["code"].string == "ForeignOrigin" }
        #expect(foreign?["severity"].string == "warn" && foreign?["calls"].array.compactMap(\.int) == [1, 2, 3])
        #expect(foreign?["confirm"].array.isEmpty == true)
    }

    @Test("a bulk is shown member by member; one that cannot be read refuses it, and is named")
    func bulk() throws {
        let vault = try DemoVault()
        let transfer = WestendPayload.transaction(WestendPayload.transfer(to: WestendPayload.bob))
        let danger = WestendPayload.transaction(WestendPayload.addProxy)
        let shown = try vault.run(["inspect", "--hex", WestendPayload.bulk([transfer, danger])])
        #expect(shown.exitCode == 0, "\(shown.errors)")
        #expect(shown.output.contains("2 transactions, signed together or not at all"))
        #expect(shown.output.contains("Transaction 2 of 2") && shown.output.contains("[ProxyChange]"))
        let json = try vault.run(["inspect", "--hex", WestendPayload.bulk([transfer, danger]), "--json"]).json()
        #expect(json["action"].string == "sign_bulk")
        #expect(json["items"][1]["risks"][0]["confirm"].array.compactMap(\.string) == ["694ty"])
        let newer = WestendPayload.transaction(WestendPayload.addProxy, specVersion: "a3230000")
        let refused = try vault.run(["inspect", "--hex", WestendPayload.bulk([transfer, newer])])
        #expect(refused.exitCode == 13 && refused.errors.contains("Transaction 2 of the bulk"))
        let foreign = WestendPayload.transaction(WestendPayload.addProxy, by: WestendPayload.bob)
        let read = try vault.run(["inspect", "--hex", WestendPayload.bulk([transfer, foreign])])
        #expect(read.exitCode == 0 && read.output.contains("Transaction 2 of several cannot be signed, so none is."))
    }

    @Test("a payload for derived keys takes the PIN, of the right vault")
    func derivedKeys() throws {
        let vault = try DemoVault("--pin")
        let request = WestendPayload.request([("//Alice", WestendPayload.genesis)])
        let shown = try vault.unlocked(["inspect", "--hex", request])
        #expect(shown.exitCode == 0 && shown.output.contains(Self.alice), "\(shown.errors)")
        #expect(shown.output.contains("A wallet asks for addresses of the seed demo"))
        let locked = try vault.run(["inspect", "--hex", request])
        #expect(locked.exitCode == 1 && locked.errors.contains("--pin-fd"))
        let elsewhere = try inspect(request)
        #expect(elsewhere.exitCode == 16 && elsewhere.errors.contains("[NoSeedFound]"))
    }

    @Test(
        "what is no payload is refused with a message",
        arguments: [
            "53ff04", "53ff040000", "53ff0401", "53ff04000400", "53ffdf00", "53ffde02", "530105", "5301060102",
        ])
    func malformed(hex: String) throws {
        let outcome = try inspect(hex)
        #expect(outcome.exitCode == 2 && outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("casemate: "))
    }
}
