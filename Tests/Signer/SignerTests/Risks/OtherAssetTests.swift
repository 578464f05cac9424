import Substrate
import Testing
import TextForms

@testable import Signer

/// Amounts of other assets than the network's token, where nothing but other arguments tells them from it.
@Suite("Amounts of other assets", .enabled(if: Chain.hasOthers))
struct OtherAssetTests {
    private func answer(_ call: [UInt8], on chain: Chain) throws -> Answer {
        let answer = try chain.vault().process(chain.payload(call))
        try #require(answer.cards.error.isEmpty, "\(answer.cards.error)")
        return answer
    }

    /// The amounts among the arguments of the only call, as they are shown.
    private func amounts(_ answer: Answer) throws -> [String] {
        let leaf = try #require(answer.effects?.leaves.first)
        let network = try #require(answer.network)
        return AnswerWording(answer).arguments(of: leaf).flatMap(\.value).joined().compactMap { piece in
            if case .amount(let amount) = piece { amount.text(on: network) } else { nil }
        }
    }

    @Test(
        "a call without a line that hints at other assets than the one it names is never shown in the network's token")
    func unclassified() throws {
        // 250,000 USDT for at least one unit of DOT.
        let arguments = [
            Value.integer(UInt32(10)), Value.integer(UInt32(5)), Value.integer(UInt128(250_000_000_000)),
            Value.integer(UInt128(1)), Value.sequence([]),
        ].flatMap(\.self)
        let chain = try Chain.hydra().renaming("Router", to: "Roxter")
        let sold = try answer(chain.call("Roxter", method: "sell", arguments: arguments), on: chain)
        #expect(sold.risks.contains { $0.rule == .unclassifiedCall && $0.severity == .warn })
        #expect(
            try amounts(sold) == ["250000000000 units of an unknown asset", "1 units of an unknown asset"])
        // Nothing there hints at another asset.
        let renamed = try Chain("polkadot").renaming("Balances", to: "Balancez")
        let transfer = try renamed.call(
            "Balancez", method: "transfer_keep_alive", arguments: Value.address(Person.bob),
            Value.compact(15_000_000_000))
        #expect(try amounts(answer(transfer, on: renamed)) == ["1.5000000000 DOT"])
    }

    @Test("amounts that may be of different assets are never added up, nor shares of different pools")
    func totals() throws {
        let chain = try Chain.hydra()
        func number(_ value: UInt32) -> [UInt8] { Value.integer(value) }
        func amount(_ value: UInt128) -> [UInt8] { Value.integer(value) }
        // 1000 USDT and 5 DAI.
        let added = try chain.call(
            "Stableswap", method: "add_liquidity",
            arguments: number(100),
            Value.sequence([number(10) + amount(1_000_000_000), number(18) + amount(5_000_000_000_000_000_000)]))
        func removed(_ shares: UInt128, of pool: UInt32) throws -> [UInt8] {
            try chain.call(
                "Stableswap", method: "remove_liquidity_one_asset", arguments: number(pool), number(10),
                amount(shares), amount(1))
        }
        let batch = try chain.batch([added, removed(7, of: 100), removed(3, of: 101), removed(2, of: 100)])
        let effects = try #require(answer(batch, on: chain).effects)
        #expect(
            effects.totals.map { $0.text(on: chain.specs) }
                == ["9 units of shares of Stableswap 100", "3 units of shares of Stableswap 101"])
        #expect(effects.sums.leftOut.map(\.description) == ["2 amounts of Stableswap.add_liquidity"])
        let hub = try Chain("statemint")
        // The token of the relay chain, and USDT.
        let usdt = [0, 2, 4, 50, 5] + Value.compact(1984)
        let burnt = try hub.call(
            "AssetConversion", method: "remove_liquidity",
            arguments: [1, 0], usdt, amount(9), amount(1), amount(1), Person.bob)
        #expect(
            try answer(burnt, on: hub).effects?.totals.map { $0.text(on: hub.specs) }
                == ["9 units of shares of AssetConversion DOT/USDT (Assets 1984)"])
    }

    @Test("what is taken back from Ethereum's machine is in its token, which may be another than the network's")
    func machine() throws {
        let chain = try Chain.hydra()
        let account = [UInt8](Person.alice.prefix(20))
        let withdraw = try chain.call(
            "EVM", method: "withdraw", arguments: account, Value.integer(UInt128(1_000_000_000_000_000_000)))
        let text = "1000000000000000000 units of the token of EVM"
        let answer = try answer(withdraw, on: chain)
        #expect(answer.effects?.totals.map { $0.text(on: chain.specs) } == [text])
        #expect(try amounts(answer) == [text])
    }

    @Test("value that goes from a parachain to one where no such account can be is a danger there, too")
    func otherParachain() throws {
        let chain = try Chain.hydra()
        func transfer(to parachain: UInt128) throws -> [RiskRule] {
            // Version 3: the parachain, and on it an account of 32 bytes.
            let dest = [3, 1, 2, 0] + Value.compact(parachain) + [1, 0] + Person.bob
            let call = try chain.call(
                "XTokens", method: "transfer", arguments: Value.integer(UInt32(5)),
                Value.integer(UInt128(1_000_000)), dest, [0])
            return try answer(call, on: chain).risks.map(\.rule)
        }
        #expect(try transfer(to: 2004).first == .notAnAccount)
        #expect(try !transfer(to: 1000).contains(.notAnAccount))
    }
}
