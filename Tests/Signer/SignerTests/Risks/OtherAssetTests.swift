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
}
