import SCALE
import Substrate
import Testing
import TextForms

@testable import Signer

/// Calls that move value or give rights by arguments of unusual names or inside structures.
@Suite("Effects that a wallet may hope are missed")
struct HiddenEffectsTests {
    /// Era, nonce, tip and all that is signed behind a call of Westend 9122, and of Asset Hub 2000000.
    private static let westendEnd =
        "15000400a223000007000000" + westendGenesis + String(repeating: "11", count: 32) + westendGenesis
    private static let westendGenesis = "e143f23803ac50e8f6f8e62695d1ce9e4e1d68aa36c1cd2cfd15340213f3423e"
    private static let assetHubEnd =
        "15000400000080841e000f000000" + assetHubGenesis + String(repeating: "11", count: 32) + "00" + assetHubGenesis
    private static let assetHubGenesis = "68d56f15f85d3136970ec16946040bc1752654e906147f7e43e9d539d7c3de2f"
    private static let alice = "530102" + Hex.encode(Person.alice)
    private static let bob = Hex.encode(Person.bob)
    private static let charlie = Hex.encode(Person.charlie)

    /// What the vault says to a call of Alice's, given with its length.
    private func westend(_ call: String) throws -> Answer {
        let payload = try #require(Hex.decode(Self.alice + call + Self.westendEnd))
        return try Chain("westend").vault().process(payload)
    }

    private func assetHub(_ call: String) throws -> Answer {
        let payload = try #require(Hex.decode(Self.alice + call + Self.assetHubEnd))
        return try Chain("statemint").vault().process(payload)
    }

    private func answer(_ call: [UInt8], on chain: Chain) throws -> Answer {
        let answer = try chain.vault().process(chain.payload(call))
        try #require(answer.cards.error.isEmpty, "\(answer.cards.error)")
        return answer
    }

    private func texts(_ answer: Answer) throws -> [String] {
        let network = try #require(answer.network)
        return try #require(answer.effects).totals.map { $0.text(on: network) }
    }

    private func rules(_ answer: Answer) -> [RiskRule] { answer.risks.map(\.rule) }

    @Test("what a vesting schedule locks is part of the total")
    func vested() throws {
        let answer = try westend(
            "cd01100208040300\(Self.bob)070010a5d4e8130200\(Self.charlie)00406352bfc60100000000000000000001"
                + "00000000000000000000000000000000000000")
        #expect(try texts(answer) == ["501.000000000000 WND"])
        let destinations = try #require(answer.effects).leaves.map { $0.destination?.text }
        let chain = try Chain("westend")
        #expect(try destinations == [chain.address(Person.bob), chain.address(Person.charlie)])
        #expect(answer.risks.first { $0.rule == .unknownDestination }?.calls == [1, 2])
    }

    @Test("a schedule that says how much is locked by period counts all of its periods", .enabled(if: Chain.hasOthers))
    func vestedByPeriod() throws {
        let chain = try Chain.hydra()
        func vested(periods: UInt32, _ perPeriod: UInt128) throws -> [AssetAmount] {
            let answer = try answer(
                chain.call(
                    "Vesting", method: "vested_transfer", arguments: Person.bob,
                    Value.integer(UInt32(0)) + Value.integer(UInt32(1)) + Value.integer(periods),
                    Value.compact(perPeriod)), on: chain)
            return try #require(answer.effects).totals
        }
        for (periods, perPeriod, total) in [
            (1_000_000, 1_000_000_000_000, 1_000_000_000_000_000_000), (1, 7, 7), (.max, .max, .max),
        ] as [(UInt32, UInt128, UInt128)] {
            #expect(try vested(periods: periods, perPeriod) == [AssetAmount(asset: .native, value: total)])
        }
    }

    @Test("what a call takes of another token than the network's is never counted in it", .enabled(if: Chain.hasOthers))
    func stakedToken() throws {
        let chain = try Chain.acala()
        let mint = try chain.call("Homa", method: "mint", arguments: Value.compact(1_000_000_000_000))
        let minted = try answer(mint, on: chain)
        #expect(try texts(minted).isEmpty)
        #expect(minted.effects?.sums.leftOut.map(\.description) == ["1 amount of Homa.mint"])
        // A pair of each currency (a native token has number 0) and how much of it.
        let sent = try chain.call(
            "XTokens", method: "transfer_multicurrencies",
            arguments: Value.sequence([[0, 0] + Value.integer(UInt128(7)), [0, 1] + Value.integer(UInt128(5))]),
            Value.integer(UInt32(0)), [3] + Instruction.sibling(2034), [0])
        let both = try answer(sent, on: chain)
        #expect(try texts(both).isEmpty)
        #expect(both.effects?.sums.leftOut.map(\.description) == ["2 amounts of XTokens.transfer_multicurrencies"])
    }

    @Test("text where an account belongs is a danger, confirmed by the method")
    func rawDestination() throws {
        let answer = try westend(
            "0d01040302e43547727776614546357a58623236467a397263517044575335374374455248704e6568584350634e6f48474b757451592020"
                + "28796f75727329070010a5d4e8")
        #expect(rules(answer).first == .notAnAccount)
        #expect(answer.confirmations.map(\.text) == ["transfer_keep_alive"])
        #expect(answer.effects?.leaves.first?.destination == nil)
    }

    @Test(
        "the other forms of an address that are no account of the chain",
        arguments: [[1], [4] + [UInt8](repeating: 9, count: 20)])
    func otherForms(address: [UInt8]) throws {
        let chain = try Chain("polkadot")
        // `MultiAddress::Index` has a compact of nothing here.
        let call = try chain.call("Balances", method: "transfer_keep_alive", arguments: address, Value.compact(1))
        #expect(try rules(answer(call, on: chain)).first == .notAnAccount)
    }

    @Test("an XCM transfer has a beneficiary and a total")
    func xcm() throws {
        let answer = try assetHub(
            "f81f0b04010100b10f0400010100\(Self.charlie)04040100000b00203d88792d0000000000")
        #expect(try texts(answer) == ["5.0000000000000 kDOT"])
        #expect(rules(answer).contains(.unknownDestination))
        #expect(answer.effects?.leaves.first?.destination != nil)
        #expect(!rules(answer).contains(.notInWords))
    }

    @Test("an alias may act for the account, as a proxy may")
    func alias() throws {
        let answer = try assetHub("a01f0e0400010100\(Self.charlie)00")
        #expect(rules(answer).first == .proxyChange)
        #expect(try answer.confirmations.map(\.text) == [String(Chain("statemint").address(Person.charlie).suffix(5))])
    }

    @Test("amounts of an asset are never shown in the network's token")
    func asset() throws {
        let answer = try assetHub("a43208011f00\(Self.bob)025a6202")
        #expect(try texts(answer) == ["10.000000 USDT (Assets 1984)"])
        let effects = try #require(answer.effects)
        let cards = answer.cards.method.indices.filter { index in
            if case .balance = answer.cards.method[index].kind { true } else { false }
        }
        #expect(cards.map { effects.asset(ofCard: $0) } == [.other(pallet: "Assets", id: "1984")])
    }

    @Test("a swap says what goes out, what comes in at the least, and to whom")
    func swap() throws {
        let answer = try assetHub(
            "350137030801000002043205011f00e8764817000000000000000000000000879303000000000000000000000000\(Self.charlie)00"
        )
        let effects = try #require(answer.effects)
        let network = try #require(answer.network)
        #expect(try texts(answer) == ["10.0000000000 DOT"])
        #expect(rules(answer).contains(.unknownDestination))
        let arguments = CallArguments(
            of: effects.leaves[0], in: answer.cards.method, effects: effects, network: network
        ).all
        #expect(arguments.map(\.name) == ["path", "amount_in", "amount_out_min", "send_to", "keep_alive"])
        #expect(
            arguments[2].value == [
                [.amount(AssetAmount(asset: .other(pallet: "Assets", id: "1984"), value: 60_000_000))]
            ])
        #expect(arguments[3].role == .party(.receiver))
    }

    @Test("calls that are bytes or hashes are hidden")
    func hidden() throws {
        // The bytes are no call of the chain.
        let chain = try Chain("westend")
        let noCall = try chain.call(
            "Multisig", method: "as_multi", arguments: [2, 0], Value.sequence([Person.bob]), [0],
            Value.bytes([0xff, 0xff]), [0],
            Value.integer(UInt64(0)))
        #expect(try rules(answer(noCall, on: chain)).first == .hiddenCall)
        let sent = try assetHub("e41f0004010100511f0404060102286bee02093d00900a0400\(Self.charlie)00")
        #expect(rules(sent).contains(.hiddenCall))
        let polkadot = try Chain("polkadot")
        let preimage = try polkadot.call("Preimage", method: "note_preimage", arguments: Value.bytes([0xff, 0xff, 1]))
        #expect(try rules(answer(preimage, on: polkadot)).first == .hiddenCall)
        #expect(try answer(preimage, on: polkadot).confirmations.map(\.text) == ["note_preimage"])
    }

    @Test("a vote reads as one, and what it locks is left out of totals by name")
    func vote() throws {
        let chain = try Chain("polkadot")
        // Aye with three times the weight, 1000 DOT.
        let vote = try chain.call(
            "ConvictionVoting", method: "vote", arguments: Value.compact(7), [0, 0x83],
            Value.integer(UInt128(10_000_000_000_000)))
        let answer = try answer(chain.batch([vote, chain.transfer(1)]), on: chain)
        let effects = try #require(answer.effects)
        let lines = CallArguments(
            of: effects.leaves[0], in: answer.cards.method, effects: effects, network: chain.specs
        ).all[1].value
        #expect(
            lines.first?.contains { if case .words(let words) = $0 { words.hasPrefix("aye") } else { false } } == true)
        #expect(effects.sums.leftOut.map(\.description) == ["1 amount of ConvictionVoting.vote"])
    }

    @Test("a call that stands as bytes and decodes is shown as what it does")
    func decoded() throws {
        let chain = try Chain("westend")
        let transfer = try chain.transfer(7, to: Person.charlie)
        let call = try chain.call(
            "Multisig", method: "as_multi", arguments: [2, 0], Value.sequence([Person.bob]), [0], Value.bytes(transfer),
            [0],
            Value.integer(UInt64(0)))
        let decoder = TransactionDecoder(metadata: chain.runtime, network: chain.specs)
        let expanded = try decoder.readCall(call).expanded(in: call, by: decoder)
        let effects = try TransactionEffects(expanded, signer: nil, network: chain.specs)
        #expect(effects.leaves.map(\.name) == ["Balances.transfer_keep_alive"])
        #expect(try effects.leaves[0].destination?.text == chain.address(Person.charlie))
        #expect(effects.totals.map(\.value) == [7] && effects.leaves[0].origin == .multisig(nil))
    }

    @Test("a program that runs a call is shown beside the call: what else it does is not lost")
    func program() throws {
        let chain = try Chain("statemint")
        let inner = try chain.call("Balances", method: "transfer_all", arguments: Value.address(Person.charlie), [0])
        // V4: Transact, by the sovereign account; then the most that it may weigh.
        let call = try chain.call(
            "PolkadotXcm", method: "execute",
            arguments: [4, 4, 6, 1] + Value.compact(4_000_000_000) + Value.compact(1_000_000),
            Value.bytes(inner), Value.compact(0) + Value.compact(0))
        let decoder = TransactionDecoder(metadata: chain.runtime, network: chain.specs)
        let expanded = try decoder.readCall(call).expanded(in: call, by: decoder)
        let effects = try TransactionEffects(expanded, signer: nil, network: chain.specs)
        #expect(effects.leaves.map(\.name) == ["PolkadotXcm.execute", "Balances.transfer_all"])
        #expect(!effects.leaves[0].marks.contains(.hidden), "its call is shown")
        #expect(effects.leaves[1].origin == .signer, "the sovereign account of the account that executes is itself")
    }

    @Test(
        "a call whose fees are paid in another asset acts for the account that signs, and the asset is shown",
        .enabled(if: Chain.hasOthers))
    func feeInOtherAsset() throws {
        let chain = try Chain.acala()
        // The token AUSD.
        let call = try chain.call(
            "TransactionPayment", method: "with_fee_currency", arguments: [0, 1], chain.transfer(5))
        let answer = try answer(call, on: chain)
        let effects = try #require(answer.effects)
        #expect(effects.leaves.map(\.name) == ["TransactionPayment.with_fee_currency", "Balances.transfer_keep_alive"])
        #expect(effects.leaves.map(\.origin) == [.signer, .signer])
        #expect(effects.totals.map(\.value) == [5])
        #expect(effects.sums.leftOut.map(\.description) == ["1 amount of TransactionPayment.with_fee_currency"])
    }

    // MARK: Rights and value

    @Test("rights over assets, their owner, pools and approvals are dangers, each account confirmed by itself")
    func rights() throws {
        let chain = try Chain("statemint")
        let (alice, bob, charlie) = (
            Value.address(Person.alice), Value.address(Person.bob), Value.address(Person.charlie)
        )
        func end(_ account: [UInt8]) throws -> String { try String(chain.address(account).suffix(5)) }
        for (call, accounts) in try [
            (
                chain.call("Assets", method: "set_team", arguments: Value.compact(7), bob, charlie, alice),
                [Person.bob, Person.charlie]
            ),
            (chain.call("Assets", method: "transfer_ownership", arguments: Value.compact(7), bob), [Person.bob]),
            (
                chain.call("Assets", method: "approve_transfer", arguments: Value.compact(7), bob, Value.compact(1)),
                [Person.bob]
            ),
            (
                chain.call("Uniques", method: "transfer_ownership", arguments: Value.integer(UInt32(7)), bob),
                [Person.bob]
            ),
        ] {
            let risk = try #require(answer(call, on: chain).risks.first { $0.rule == .rightsChange })
            #expect(try risk.confirmations.map(\.text) == accounts.map(end))
        }
        let polkadot = try Chain("polkadot")
        let roles = try polkadot.call(
            "NominationPools", method: "update_roles", arguments: Value.integer(UInt32(1)), [1] + Person.bob, [0], [2])
        #expect(try rules(answer(roles, on: polkadot)).first == .rightsChange)
        let claim = try polkadot.call("NominationPools", method: "set_claim_permission", arguments: [3])
        #expect(try answer(claim, on: polkadot).confirmations.map(\.text) == ["set_claim_permission"])
        // Rights for oneself, or for another key of the vault, are none that somebody gains.
        let own = try chain.call("Assets", method: "set_team", arguments: Value.compact(7), alice, alice, alice)
        #expect(try !rules(answer(own, on: chain)).contains(.rightsChange))
    }

    @Test("what destroys value is a danger, confirmed by the amount where there is one")
    func destroyed() throws {
        let chain = try Chain("statemint")
        let burn = try chain.call("Balances", method: "burn", arguments: Value.compact(15_000_000_000), [0])
        #expect(try answer(burn, on: chain).confirmations.map(\.text) == ["1.5"])
        let asset = try chain.call(
            "Assets", method: "burn", arguments: Value.compact(1984), Value.address(Person.bob),
            Value.compact(10_000_000))
        let burnt = try answer(asset, on: chain)
        #expect(rules(burnt).contains(.valueDestroyed) && rules(burnt).contains(.othersAccount))
        #expect(try texts(burnt) == ["10.000000 USDT (Assets 1984)"])
        let polkadot = try Chain("polkadot")
        let kill = try polkadot.call(
            "Proxy", method: "kill_pure", arguments: Value.address(Person.bob), [0], [0, 0], Value.compact(1),
            Value.compact(1))
        let killed = try answer(kill, on: polkadot)
        #expect(Set(rules(killed)).isSuperset(of: [.valueDestroyed, .rightsChange]))
        #expect(killed.confirmations.map(\.text) == ["kill_pure", "kill_pure"])
    }

    @Test("a deposit that is refunded by burning all that there is of the asset destroys it")
    func refund() throws {
        let chain = try Chain("statemint")
        func refund(burns: UInt8) throws -> Answer {
            try answer(
                chain.call("Assets", method: "refund", arguments: Value.compact(1984), [burns]), on: chain)
        }
        let burnt = try refund(burns: 1)
        #expect(rules(burnt).contains(.valueDestroyed) && burnt.confirmations.map(\.text) == ["refund"])
        #expect(burnt.effects?.sums.leftOut.map(\.description) == ["1 amount of Assets.refund"])
        let kept = try refund(burns: 0)
        #expect(!rules(kept).contains(.valueDestroyed) && kept.effects?.sums.leftOut.isEmpty == true)
    }

    @Test("what is paid for a thing is an amount, and an offer to anybody is a warning")
    func prices() throws {
        let chain = try Chain("statemint")
        let thing = [Value.integer(UInt32(7)), Value.integer(UInt32(8))].flatMap(\.self)
        func price(_ price: UInt128?, to buyer: [UInt8]? = nil) throws -> Answer {
            try answer(
                chain.call(
                    "Uniques", method: "set_price",
                    arguments: thing, price.map { [1] + Value.integer($0) } ?? [0],
                    buyer.map { [1] + Value.address($0) } ?? [0]), on: chain)
        }
        let open = try price(15_000_000_000)
        #expect(
            open.risks.first { $0.rule == .openSale }?.message == "Anybody may buy it for 1.5000000000 DOT.")
        #expect(try price(0).risks.contains { $0.rule == .openSale && $0.message.contains("for 0") })
        #expect(try !rules(price(nil)).contains(.openSale) && !rules(price(0, to: Person.bob)).contains(.openSale))
        let effects = try #require(open.effects)
        let arguments = CallArguments(
            of: effects.leaves[0], in: open.cards.method, effects: effects, network: chain.specs)
        #expect(arguments.all[2].value == [[.amount(AssetAmount(asset: .native, value: 15_000_000_000))]])
        #expect(arguments.all[0].value == [[.number("7")]])
        #expect(effects.totals.isEmpty && effects.sums.leftOut.isEmpty)
        let bid = try chain.call(
            "Uniques", method: "buy_item", arguments: thing, Value.integer(UInt128(15_000_000_000)))
        #expect(try texts(answer(bid, on: chain)) == ["1.5000000000 DOT"])
    }

    @Test("an offer to swap is one to anybody, and counts the money that it adds, not what it asks for")
    func swaps() throws {
        let chain = try Chain("statemint")
        // Item 1 of collection 7 for any of collection 99, with a price that goes one way or the other.
        func offer(_ price: UInt128?, direction: UInt8 = 0) throws -> Answer {
            let items = [7, 1, 99].flatMap { Value.integer(UInt32($0)) }
            return try answer(
                chain.call(
                    "Nfts", method: "create_swap", arguments: items, [0],
                    price.map { [1] + Value.integer($0) + [direction] } ?? [0], Value.integer(UInt32(100))), on: chain)
        }
        func message(_ answer: Answer) -> String? { answer.risks.first { $0.rule == .openSale }?.message }
        let adds = try offer(15_000_000_000)
        #expect(
            message(adds)
                == "Anybody who has what is asked for may take what is offered, and gets 1.5000000000 DOT of yours with it."
        )
        #expect(try texts(adds) == ["1.5000000000 DOT"])
        let asks = try offer(15_000_000_000, direction: 1)
        #expect(message(asks)?.hasSuffix("for 1.5000000000 DOT beside that.") == true)
        #expect(try texts(asks).isEmpty)
        #expect(try message(offer(nil))?.hasSuffix("may take what is offered.") == true)
    }

    @Test("taking rights away from whoever acts for an account without a key may lose it")
    func orphans() throws {
        let chain = try Chain("polkadot")
        let removals = try [
            chain.call("Proxy", method: "remove_proxies"),
            chain.call("Proxy", method: "remove_proxy", arguments: Value.address(Person.bob), [0], [0, 0, 0, 0]),
        ]
        for call in removals {
            let lost = try answer(chain.proxy(for: Person.charlie, call), on: chain)
            let risk = try #require(lost.risks.first { $0.rule == .valueDestroyed })
            #expect(try risk.message.contains(chain.address(Person.charlie)) && risk.confirmations.count == 1)
            for kept in try [call, chain.proxy(for: Person.alice, call)] {
                #expect(try !rules(answer(kept, on: chain)).contains(.valueDestroyed))
            }
        }
    }

    @Test("what a call pays that no argument says is left out of totals by name")
    func unsaidPayment() throws {
        let chain = try Chain("polkadot")
        let deposit = try chain.call(
            "Referenda", method: "place_decision_deposit", arguments: Value.integer(UInt32(7)))
        #expect(
            try answer(chain.batch([deposit, chain.transfer(1)]), on: chain).effects?.sums.leftOut.map(\.description)
                == ["1 amount of Referenda.place_decision_deposit"])
    }

    @Test("deposits of a multisig, a proxy or a referendum are left out of totals by name, and add no call")
    func deposits() throws {
        let chain = try Chain("polkadot")
        let hash = [UInt8](repeating: 7, count: 32)
        let noWeight = Value.compact(0) + Value.compact(0)
        let (members, bob) = (Value.sequence([Person.bob]), Value.address(Person.bob))
        let shared = try chain.call(
            "Multisig", method: "as_multi", arguments: [2, 0], members, [0], chain.transfer(7), noWeight)
        let calls = try [
            ("Multisig.as_multi", shared),
            (
                "Multisig.approve_as_multi",
                chain.call(
                    "Multisig", method: "approve_as_multi", arguments: [2, 0], members, [0], hash, noWeight)
            ),
            ("Proxy.add_proxy", chain.call("Proxy", method: "add_proxy", arguments: bob, [0], [0, 0, 0, 0])),
            (
                "Referenda.submit",
                chain.call(
                    "Referenda", method: "submit", arguments: [0, 0], [2] + hash + [4, 0, 0, 0],
                    [1] + Value.integer(UInt32(10)))
            ),
        ]
        for (name, call) in calls {
            let effects = try #require(try answer(call, on: chain).effects)
            #expect(effects.sums.leftOut.map(\.description) == ["1 amount of \(name)"])
            #expect(effects.leaves.count == 1)
        }
        let both = try answer(chain.batch([shared, shared]), on: chain).effects
        #expect(both?.sums.leftOut.map(\.description) == ["2 amounts of Multisig.as_multi"])
        #expect(both?.totals.map(\.value) == [14])
        #expect(both.map { TransactionEffects.totals(of: [$0, $0]).leftOut.map(\.count) } == [4])
        let freed = try chain.call(
            "Multisig", method: "as_multi_threshold_1", arguments: members, chain.transfer(7))
        #expect(try answer(freed, on: chain).effects?.sums.leftOut.isEmpty == true)
    }

    @Test("value of others that is moved names them")
    func others() throws {
        let chain = try Chain("statemint")
        let call = try chain.call(
            "Assets", method: "transfer_approved", arguments: Value.compact(7), Value.address(Person.bob),
            Value.address(Person.charlie),
            Value.compact(1))
        let risk = try answer(call, on: chain).risks.first { $0.rule == .othersAccount }
        #expect(try risk?.message.contains(chain.address(Person.bob)) == true)
        #expect(try answer(call, on: chain).effects?.leaves[0].destination?.text == chain.address(Person.charlie))
    }

    // MARK: Calls that the table does not know

    @Test("a call that no table knows raises a notice, and a warning where it holds accounts or amounts")
    func unclassified() throws {
        var chain = try Chain("polkadot")
        chain = try chain.renaming("Balances", to: "Balancez").renaming("Indices", to: "Indicez")
        let transfer = try chain.call(
            "Balancez", method: "transfer_keep_alive", arguments: Value.address(Person.bob), Value.compact(5))
        let moved = try answer(transfer, on: chain)
        let risk = try #require(moved.risks.first { $0.rule == .unclassifiedCall })
        #expect(risk.message == "This program has no rule for Balancez.transfer_keep_alive: read every value.")
        #expect(risk.severity == .warn && rules(moved).contains(.unknownDestination))
        #expect(moved.effects?.totals.isEmpty == true && moved.effects?.sums.leftOut.isEmpty == false)
        let assets = try Chain("statemint").renaming("Assets", to: "Ansets")
        let unknown = try answer(
            assets.call(
                "Ansets", method: "transfer", arguments: Value.compact(1984), Value.address(Person.bob),
                Value.compact(10)),
            on: assets)
        let amounts = unknown.cards.method.indices.filter { index in
            if case .balance = unknown.cards.method[index].kind { true } else { false }
        }
        #expect(amounts.map { unknown.effects?.asset(ofCard: $0) } == [.other(pallet: "Ansets", id: "1984")])
        // A destination by its name that is a place, and no account of this chain.
        let places = try Chain("statemint").renaming("PolkadotXcm", to: "PolkadotXcn")
        let sent = try answer(
            places.call("PolkadotXcn", method: "send", arguments: [4, 1, 0], [4, 0]), on: places)
        #expect(sent.risks.first { $0.rule == .unclassifiedCall }?.severity == .warn)
        let free = try answer(chain.call("Indicez", method: "free", arguments: Value.integer(UInt32(7))), on: chain)
        #expect(free.risks.first { $0.rule == .unclassifiedCall }?.severity == .notice)
        #expect(try !rules(answer(Chain("polkadot").remark("a"), on: Chain("polkadot"))).contains(.unclassifiedCall))
    }
}
