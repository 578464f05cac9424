import TestSupport
import Testing

@testable import Substrate

@Suite("XCM programs in words")
struct ProgramTests {
    private static let account = LocationTests.onPolkadot

    private static func indented(_ text: String, _ steps: Int) -> String {
        text.split(separator: "\n").map { String(repeating: "  ", count: steps) + $0 }.joined(separator: "\n")
    }

    private static let dot = indented("parents:\n  1\ninterior:\n  Here", 0)
    private static let bob = "parents:\n  0\ninterior:\n  \(indented(LocationTests.account(), 1).dropFirst(2))"

    /// Takes 5 DOT and leaves them with an account on another parachain.
    private static let transfer = """
        V4
          WithdrawAsset
            id:
        \(indented(dot, 3))
            fun:
              Fungible
                50000000000
          SetAppendix
            RefundSurplus
          InitiateReserveWithdraw
            assets:
              Wild
                AllCounted
                  1
            reserve:
              parents:
                1
              interior:
                X1
                  Parachain
                    1002
            xcm:
              BuyExecution
                fees:
                  id:
        \(indented(dot, 6))
                  fun:
                    Fungible
                      100
                weight_limit:
                  Unlimited
              DepositAsset
                assets:
                  Wild
                    AllOf
                      id:
        \(indented(dot, 8))
                      fun:
                        Fungible
                beneficiary:
        \(indented(bob, 5))
        """

    @Test("each instruction stands with all its parameters, and what is sent on is told as the other chain sees it")
    func instructions() throws {
        let reading = try #require(ReadCards.read(Self.transfer, as: .program))
        #expect(
            reading.text(on: KnownNetwork.assetHub) == [
                "WithdrawAsset 5.0000000000 DOT", "SetAppendix", "  RefundSurplus",
                "InitiateReserveWithdraw assets Wild AllCounted 1, reserve parachain 1002 (Polkadot Bridge Hub)",
                "  BuyExecution fees 10.0 nDOT, weight_limit Unlimited",
                "  DepositAsset assets Wild all of the network's own token, beneficiary account \(Self.account) on "
                    + "parachain 1002 (Polkadot Bridge Hub)",
            ])
        #expect(reading.accounts.map(\.account?.text) == [Self.account])
        #expect(reading.accounts.map(\.words) == ["on parachain 1002 (Polkadot Bridge Hub)"])
        #expect(reading.amounts == [ArgumentReading.Moved(asset: .native, value: 50_000_000_000)])
        #expect(!reading.hidesCall)
    }

    @Test("a message that is sent is told as its destination sees it")
    func sent() throws {
        let relay = LocationTests.location(1, "Here")
        let message = """
            V3
              WithdrawAsset
                id:
                  Concrete
                    parents:
                      0
                    interior:
                      Here
                fun:
                  Fungible
                    7
              DepositAsset
                assets:
                  Wild
                    All
                beneficiary:
                  parents:
                    0
                  interior:
                    X1
                      Parachain
                        2000
            """
        let reading = try #require(ReadCards.read(message, as: .program, sentTo: relay))
        #expect(
            reading.text(on: KnownNetwork.assetHub) == [
                "WithdrawAsset 700 pDOT", "DepositAsset assets Wild All, beneficiary parachain 2000 (Acala)",
            ])
        #expect(reading.accounts.map(\.words) == ["parachain 2000 (Acala)"])
        #expect(reading.amounts == [ArgumentReading.Moved(asset: .native, value: 7)])
    }

    @Test("what leaves for another world is told as seen from there")
    func exported() throws {
        let message = """
            V5
              ExportMessage
                network:
                  Kusama
                destination:
                  X1
                    Parachain
                      1000
                xcm:
                  DepositAsset
                    assets:
                      Wild
                        AllCounted
                          1
                    beneficiary:
            \(Self.indented(Self.bob, 6))
            """
        let reading = try #require(ReadCards.read(message, as: .program))
        #expect(
            reading.text(on: KnownNetwork.assetHub) == [
                "ExportMessage network the relay chain of Kusama, destination parachain 1000 (Kusama Asset Hub) of Kusama",
                "  DepositAsset assets Wild AllCounted 1, beneficiary account \(KsmAddress.bob) on parachain 1000 (Kusama "
                    + "Asset Hub) of Kusama",
            ])
    }

    private enum KsmAddress {
        static let bob =
            AccountAddress(accountID: LocationTests.keyBytes, prefix: KnownChain.Relay.kusama.prefix)?.text ?? ""
    }

    @Test("a Transact hides its call unless that stands decoded under its bytes")
    func transact() throws {
        let transact = """
            V4
              Transact
                origin_kind:
                  SovereignAccount
                require_weight_at_most:
                  ref_time:
                    1000
                  proof_size:
                    2000
                call:
                  encoded:
                    0x0a04
            """
        let hidden = try #require(ReadCards.read(transact, as: .program))
        #expect(
            hidden.text(on: KnownNetwork.assetHub) == [
                "Transact origin_kind SovereignAccount, require_weight_at_most, ref_time 1000, proof_size 2000: a call that "
                    + "cannot be shown, 2 bytes: 0x0a04"
            ])
        #expect(hidden.hidesCall)
        let shown = try #require(
            ReadCards.read(transact + "\n          Balances.transfer_all()", as: .program))
        #expect(!shown.hidesCall)
        #expect(shown.text(on: KnownNetwork.assetHub)[0].hasSuffix(": the call Balances.transfer_all, shown by itself"))
    }

    @Test("an instruction that no version has yet is shown as the metadata name it, with its accounts")
    func unknownInstruction() throws {
        let novelty = """
            V9
              GiveEverything
                to:
            \(Self.indented(Self.bob, 4))
                because:
                  0xff
                how_often:
                  12
            """
        let reading = try #require(ReadCards.read(novelty, as: .program))
        #expect(
            reading.text(on: KnownNetwork.assetHub)
                == ["GiveEverything to account \(Self.account) on this chain, because 0xff, how_often 12"])
        #expect(reading.accounts.count == 1)
    }

    @Test("nothing is left out of a program, however long it or an instruction is")
    func length() throws {
        let many =
            "V4\n"
            + (0..<200).map { _ in "  DepositAsset\n    beneficiary:\n\(Self.indented(Self.bob, 3))" }.joined(
                separator: "\n")
        let reading = try #require(ReadCards.read(many, as: .program))
        #expect(reading.lines.count == 200 && reading.accounts.count == 200)
        let long =
            "V4\n  WithdrawAsset\n"
            + (1...200).map { "    id:\n\(Self.indented(Self.dot, 3))\n    fun:\n      Fungible\n        \($0)" }
            .joined(separator: "\n")
        let wide = try #require(ReadCards.read(long, as: .program))
        #expect(wide.amounts.count == 200)
        #expect(wide.text(on: KnownNetwork.assetHub)[0].hasSuffix(" 20.0 nDOT"))
    }

    @Test("programs stand inside each other so many times, and no more")
    func depth() {
        let nested = { (depth: Int) in
            "V4\n" + (1...depth).map { String(repeating: "  ", count: $0) + "SetAppendix" }.joined(separator: "\n")
                + "\n" + String(repeating: "  ", count: depth + 1) + "ClearError"
        }
        #expect(ReadCards.read(nested(8), as: .program)?.lines.count == 9)
        #expect(ReadCards.read(nested(9), as: .program) == nil)
        #expect(ReadCards.read(nested(500), as: .program) == nil)
    }

    @Test("cards that are no program are none")
    func refusals() {
        for text in ["V4", "", "12", "V4\n  12", "V4\n  DepositAsset\n    beneficiary:\n      parents:\n        1"] {
            #expect(ReadCards.read(text, as: .program) == nil, "\(text)")
        }
        #expect(ReadCards.read("V4\n  -", as: .program)?.text(on: KnownNetwork.assetHub) == ["no instructions"])
    }
}
