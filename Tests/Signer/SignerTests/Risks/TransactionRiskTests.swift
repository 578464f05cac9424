import Substrate
import Testing

@testable import Signer

/// Rules about a transaction as a whole. Each shows where the rule holds, and what comes close.
@Suite("Risks of whole transactions")
struct TransactionRiskTests {
    private func risk(
        _ rule: RiskRule, _ payload: [UInt8], in vault: Vault
    ) throws -> Risk? {
        try vault.process(payload).risks.first { $0.rule == rule }
    }

    @Test("UnverifiedMetadata: nobody vouches for the network, neither for all nor for this one")
    func unverifiedMetadata() throws {
        let chain = try Chain("polkadot")
        let payload = try chain.payload(chain.transfer())
        let vault = try chain.vault()
        func set(_ verifier: CurrentVerifier) throws {
            try vault.database.write {
                try $0.put(.verifiers, key: chain.specs.genesisHash.bytes, value: verifier.scaleEncoded)
            }
        }
        #expect(try risk(.unverifiedMetadata, payload, in: vault) == nil)
        let trusted = Verifier(.sr25519(Person.charlie))
        for (verifier, holds) in [
            (.valid(.custom(.none)), true), (.valid(.custom(trusted)), false), (.dead, true), (.valid(.general), false),
        ] as [(CurrentVerifier, Bool)] {
            try set(verifier)
            #expect((try risk(.unverifiedMetadata, payload, in: vault) != nil) == holds, "\(verifier)")
        }
        let unsigned = try chain.vault(bundle: chain.bundle(verifier: .none))
        #expect(try risk(.unverifiedMetadata, payload, in: unsigned) != nil)
    }

    @Test("OldMetadata: newer ones are stored, and a warning names both")
    func oldMetadata() throws {
        let chain = try Chain("polkadot")
        let vault = try chain.vault(bundle: chain.bundle([chain.blob(version: 1_001_003)]))
        let old = try vault.process(chain.payload(chain.transfer()))
        #expect(old.risks.contains { $0.rule == .oldMetadata })
        #expect(old.cards.warning.map(\.kind) == [.warning(.newerVersion(used: 1_001_002, latest: 1_001_003))])
        let new = try chain.payload(chain.transfer(), Chain.Choices(specVersion: 1_001_003))
        #expect(try risk(.oldMetadata, new, in: vault) == nil)
    }

    @Test("ExposedKey: the secret of the key has left the vault")
    func exposedKey() throws {
        let chain = try Chain("polkadot")
        let payload = try chain.payload(chain.transfer())
        #expect(try risk(.exposedKey, payload, in: chain.vault(isExposed: true)) != nil)
        #expect(try risk(.exposedKey, payload, in: chain.vault()) == nil)
    }

    @Test("FeeAsset: fee and tip are taken in another asset, for whatever they cost in it")
    func feeAsset() throws {
        let chain = try Chain("statemint")
        let vault = try chain.vault()
        func found(_ asset: [UInt8]?, tip: UInt128 = 0) throws -> String? {
            let payload = try chain.payload(chain.transfer(), Chain.Choices(tip: tip, feeAsset: asset))
            return try risk(.feeAsset, payload, in: vault)?.message
        }
        let usdt = [0, 2, 4, 50, 5] + Value.compact(1984)
        #expect(
            try found(usdt)
                == "The fee is paid in USDT (Assets 1984), at the price of the moment and without a limit: a "
                + "total does not count it.")
        #expect(try found(usdt, tip: 1)?.hasPrefix("The fee and the tip are paid in USDT") == true)
        let foreign = [1, 1, 0] + Value.compact(2034)
        #expect(try found(foreign)?.hasPrefix("The fee is paid in the token of parachain 2034 (Hydration),") == true)
        // None, and the network's token by its name.
        #expect(try found(nil) == nil && found([1, 0]) == nil)
    }

    @Test("LargeTip: a hundredth of what is sent of the network's own token, whatever else is sent first")
    func tipBesideAssets() throws {
        let chain = try Chain("statemint")
        let vault = try chain.vault()
        func asset(_ amount: UInt128) throws -> [UInt8] {
            try chain.call(
                "Assets", method: "transfer", arguments: Value.compact(1984), Value.address(Person.bob),
                Value.compact(amount))
        }
        let choices = Chain.Choices(tip: 20_000)
        let both = try chain.batch([asset(1_000_000_000), chain.transfer(1_000_000)])
        #expect(try risk(.largeTip, chain.payload(both, choices), in: vault) != nil)
        #expect(try risk(.largeTip, chain.payload(asset(1_000_000), choices), in: vault) == nil)
    }

    @Test(
        "LargeTip: tips that are small in each of several transactions are judged together, and stand with the totals")
    func tipsOfBulk() throws {
        let chain = try Chain("polkadot")
        let vault = try chain.vault()
        // Two transfers of 100 DOT.
        func answer(tips: [UInt128]) throws -> Answer {
            try vault.process(
                Chain.bulk(
                    tips.map { try chain.payload(chain.transfer(1_000_000_000_000), Chain.Choices(tip: $0)) }))
        }
        let large = try answer(tips: [6_000_000_000, 6_000_000_000])
        #expect(large.items.allSatisfy { item in !item.risks.contains { $0.rule == .largeTip } })
        let risk = try #require(large.risks.first)
        #expect(large.risks.count == 1 && risk.rule == .largeTip && risk.severity == .danger)
        #expect(risk.message == "Tips of 1.2000000000 DOT in all, on Polkadot, go to whoever makes the blocks.")
        #expect(large.confirmations.map(\.text) == ["1.2"])
        #expect(MemberTotals.all(of: large.items).map(\.tips) == [12_000_000_000])
        #expect(try answer(tips: [5_000_000_000, 5_000_000_000]).risks.isEmpty)
        // Where one transaction alone has a tip, it is judged there.
        let one = try answer(tips: [12_000_000_000, 0])
        #expect(one.risks.isEmpty && one.confirmations.map(\.text) == ["1.2"])
    }

    @Test("LargeTip: tips of two networks are two dangers, whatever their digits")
    func tipsOfNetworks() throws {
        let networks = try ["polkadot", "statemint"].map { try Chain($0).specs }
        var asked: [Signer.Confirmation] = []
        for network in networks + networks {
            var confirmation = Signer.Confirmation(rule: .largeTip, kind: .amount, text: "1.5", call: 1)
            confirmation.network = network
            asked.ask(confirmation)
        }
        #expect(asked.map(\.networkInWords) == networks.map { " on \($0.title)" })
        #expect(asked.missing(from: ["1.5"]).count == 1)
    }

    @Test("Batch: counts the calls and adds up what they send, asset by asset")
    func batch() throws {
        let chain = try Chain("statemint")
        let vault = try chain.vault()
        let asset = try chain.call(
            "Assets", method: "transfer", arguments: Value.compact(1984), Value.address(Person.bob),
            Value.compact(2_500_000))
        let call = try chain.batch([
            chain.transfer(20_000_000_000), asset, chain.transfer(10_000_000_000, to: Person.charlie), asset,
        ])
        #expect(
            try risk(.batch, chain.payload(call), in: vault)?.message
                == "4 calls in one transaction, together 3.0000000000 DOT and 5.000000 USDT (Assets 1984).")
        #expect(try risk(.batch, chain.payload(chain.batch([chain.transfer()])), in: vault) == nil)
        #expect(try risk(.batch, chain.payload(chain.transfer()), in: vault) == nil)
    }

    @Test("ImmortalEra: valid for ever")
    func immortalEra() throws {
        let chain = try Chain("polkadot")
        let vault = try chain.vault()
        let immortal = try chain.payload(chain.transfer(), Chain.Choices(isImmortal: true))
        #expect(try risk(.immortalEra, immortal, in: vault) != nil)
        #expect(try risk(.immortalEra, chain.payload(chain.transfer()), in: vault) == nil)
    }

    @Test(
        "LargeTip: above one unit, or above a hundredth of what is sent",
        arguments: [
            // The unit of Polkadot and its Asset Hub has ten decimals.
            (10_000_000_001, 0, true), (10_000_000_000, 0, false), (0, 100, false), (2, 100, true), (1, 100, false),
            (1, 199, false), (2, 199, true), (1, 99, true), (10_000_000_001, 1 << 90, true),
        ] as [(tip: UInt128, sent: UInt128, holds: Bool)])
    func largeTip(tip: UInt128, sent: UInt128, holds: Bool) throws {
        for chain in try [Chain("polkadot"), Chain("statemint")] {
            let call = sent == 0 ? try chain.remark("") : try chain.transfer(sent)
            let found = try risk(.largeTip, chain.payload(call, Chain.Choices(tip: tip)), in: chain.vault())
            #expect((found != nil) == holds, "\(chain.specs.name)")
        }
    }

    @Test("MetadataHashOff: the chain could check what was shown, and is told not to")
    func metadataHashOff() throws {
        let chain = try Chain("statemint")
        let vault = try chain.vault()
        let off = try vault.process(chain.payload(chain.transfer()))
        #expect(off.risks.contains { $0.rule == .metadataHashOff } && off.requests.count == 1)
        let hash = try MerkleizedMetadata(chain.runtime).digest(MetadataExtraInfo(chain.runtime, chain.specs)).hash
        let on = try chain.payload(chain.transfer(), Chain.Choices(metadataHash: hash))
        #expect(try risk(.metadataHashOff, on, in: vault) == nil)
        // A chain that cannot check.
        let polkadot = try Chain("polkadot")
        #expect(try risk(.metadataHashOff, polkadot.payload(polkadot.transfer()), in: polkadot.vault()) == nil)
    }

    @Test("MetadataHashMismatch: what would be signed is not what the stored metadata give")
    func metadataHashMismatch() throws {
        let chain = try Chain("statemint")
        let vault = try chain.vault()
        let wrong = Hash256([UInt8](repeating: 7, count: 32))
        let answer = try vault.process(chain.payload(chain.transfer(), Chain.Choices(metadataHash: wrong)))
        #expect(answer.risks.first?.rule == .metadataHashMismatch)
        #expect(answer.risks.first?.severity == .refuse)
        #expect(answer.risks.first?.confirmations.isEmpty == true, "there is nothing to confirm")
        #expect(answer.requests.isEmpty)
    }
}
