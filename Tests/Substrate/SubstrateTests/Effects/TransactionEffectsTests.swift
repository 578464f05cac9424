import SCALE
import TestSupport
import Testing

@testable import Substrate

@Suite("Effects of transactions")
struct TransactionEffectsTests {
    private static let alice = address(ProofChain.alice)
    private static let bob = address(ProofChain.bob)
    private static let charlie = address(ProofChain.charlie)
    private static let remark = ProofCalls.remark("a")

    private static func address(_ account: [UInt8]) -> AccountAddress {
        AccountAddress(accountID: account, prefix: 42) ?? AccountAddress(text: "", identicon: .dots([]))
    }

    private static func effects(
        _ call: [UInt8], signer: AccountAddress? = alice, version: UInt8 = 15
    ) throws -> TransactionEffects {
        let decoder = TransactionDecoder(
            metadata: try ProofChain.metadata(version: version), network: TestChain.network)
        return try TransactionEffects(decoder.readCall(call), signer: signer, network: TestChain.network)
    }

    // MARK: Leaves

    @Test("a batch of three transfers behind a proxy has three effects on the real account", arguments: [14, 15, 16])
    func proxiedBatch(version: UInt8) throws {
        let transfers = [(ProofChain.bob, 1), (ProofChain.charlie, 20), (ProofChain.bob, 300)].map {
            ProofCalls.transfer(to: $0.0, $0.1)
        }
        let effects = try Self.effects(
            ProofCalls.proxy(of: ProofChain.charlie, ProofCalls.batch(transfers)), version: version)
        #expect(effects.leaves.map(\.name) == Array(repeating: "Balances.transfer_keep_alive", count: 3))
        #expect(effects.leaves.allSatisfy { $0.origin == .account(Self.charlie) && $0.depth == 2 })
        #expect(effects.leaves.map(\.destination) == [Self.bob, Self.charlie, Self.bob])
        #expect(effects.leaves.map { $0.amounts.map(\.value) } == [[1], [20], [300]])
        #expect(effects.totals == [AssetAmount(asset: .native, value: 321)])
        #expect(effects.depth == 2)
    }

    @Test("the same proof shows the same effects")
    func proof() throws {
        let call = ProofCalls.proxy(
            of: ProofChain.charlie,
            ProofCalls.batch([TestChain.transfer, ProofCalls.assetTransfer(7, to: ProofChain.bob, 9)]))
        let hash = try ProofChain.tree().digest(ProofChain.extraInfo).hash
        let decoded = try ProofChain.decode(
            ProofChain.proof(call), call: call, extensions: TestChain.extensions(metadataHash: hash))
        let method = try #require(decoded.method)
        let found = try TransactionEffects(method, signer: Self.alice, network: TestChain.network)
        let expected = try Self.effects(call)
        #expect(found.leaves == expected.leaves && found.totals == expected.totals)
    }

    @Test("a call without calls inside is its own and only effect")
    func plain() throws {
        let effects = try Self.effects(Self.remark)
        #expect(effects.leaves.count == 1 && effects.depth == 0 && effects.totals.isEmpty)
        let leaf = effects.leaves[0]
        #expect(leaf.name == "System.remark" && leaf.origin == .signer && leaf.destination == nil)
        #expect(leaf.amounts.isEmpty && leaf.bytes == 0..<Self.remark.count)
    }

    @Test("totals are kept apart by asset, in the order of their first appearance")
    func totals() throws {
        let calls = [
            ProofCalls.assetTransfer(1984, to: ProofChain.bob, 5), ProofCalls.transfer(to: ProofChain.bob, 7),
            ProofCalls.assetTransfer(1337, to: ProofChain.bob, 11),
            ProofCalls.assetTransfer(1984, to: ProofChain.alice, 13),
            Self.remark, ProofCalls.transfer(to: ProofChain.alice, 17),
        ]
        let effects = try Self.effects(ProofCalls.batch(calls))
        #expect(
            effects.totals == [
                AssetAmount(asset: .other(pallet: "Assets", id: "1984"), value: 18),
                AssetAmount(asset: .native, value: 24),
                AssetAmount(asset: .other(pallet: "Assets", id: "1337"), value: 11),
            ])
    }

    @Test("several transactions have one total per asset, which says what it leaves out")
    func totalsOfSeveral() throws {
        let members = try [
            Self.effects(ProofCalls.transfer(to: ProofChain.bob, 7)),
            Self.effects(ProofCalls.assetTransfer(1984, to: ProofChain.bob, 5)),
            Self.effects(ProofCalls.batch([ProofCalls.transfer(to: ProofChain.charlie, 11), Self.remark])),
            Self.effects([0, 1] + [UInt8](repeating: 1, count: 16)),
        ]
        let totals = TransactionEffects.totals(of: members)
        #expect(
            totals.amounts == [
                AssetAmount(asset: .native, value: 18),
                AssetAmount(asset: .other(pallet: "Assets", id: "1984"), value: 5),
            ])
        #expect(totals.leftOut.map(\.description) == ["1 amount of System.amount"])
    }

    @Test("a total beyond 128 bits stays at the largest number")
    func overflow() throws {
        let calls = [ProofCalls.transfer(to: ProofChain.bob, .max), ProofCalls.transfer(to: ProofChain.bob, 1)]
        #expect(try Self.effects(ProofCalls.batch(calls)).totals == [AssetAmount(asset: .native, value: .max)])
    }

    @Test("an amount that goes to nobody is no total")
    func noDestination() throws {
        let effects = try Self.effects([0, 1] + [UInt8](repeating: 1, count: 16))
        #expect(effects.leaves[0].amounts.isEmpty && effects.totals.isEmpty)
    }

    @Test("the bytes of each effect hash to the call's own hash")
    func bytes() throws {
        let inner = [Self.remark, TestChain.transfer, ProofCalls.assetTransfer(7, to: ProofChain.bob, 9)]
        let call = ProofCalls.multisig(
            2, with: [ProofChain.bob],
            ProofCalls.batch([
                inner[0], ProofCalls.proxy(of: ProofChain.charlie, inner[1]), ProofCalls.sudo(inner[2]),
            ]))
        // Elsewhere than at the start: ranges count from the start of the bytes.
        let payload = [9, 9, 9] + call + [8]
        let decoder = TransactionDecoder(metadata: try ProofChain.metadata(), network: TestChain.network)
        let decoded = try decoder.readCall(payload, in: 3..<3 + call.count)
        #expect(decoded.calls.first?.bytes == 3..<3 + call.count)
        let leaves = try TransactionEffects(decoded, signer: nil, network: TestChain.network).leaves
        #expect(leaves.count == 3)
        for (leaf, expected) in zip(leaves, inner) {
            #expect(CallHash.of(payload[leaf.bytes]) == CallHash.of(expected))
        }
    }

    // MARK: Origins

    @Test("who acts follows from the calls around")
    func origins() throws {
        let multisig = DerivedAccount.multisig(
            signatories: [ProofChain.alice, ProofChain.bob, ProofChain.charlie], threshold: 2)
        let others = [ProofChain.bob, ProofChain.charlie]
        let cases: [(call: [UInt8], origin: CallOrigin)] = [
            (ProofCalls.batch([Self.remark]), .signer),
            (ProofCalls.proxy(of: ProofChain.bob, Self.remark), .account(Self.bob)),
            (ProofCalls.announcedProxy(ProofChain.alice, of: ProofChain.bob, call: Self.remark), .account(Self.bob)),
            (ProofCalls.sudo(Self.remark), .root),
            (ProofCalls.sudo(as: ProofChain.charlie, Self.remark), .account(Self.charlie)),
            (ProofCalls.multisig(2, with: others, Self.remark), .multisig(Self.address(multisig))),
            (
                ProofCalls.derivative(0, Self.remark),
                .derivative(Self.address(DerivedAccount.derivative(of: ProofChain.alice, index: 0)))
            ),
            (ProofCalls.dispatch(as: [0, 0], Self.remark), .root),
            (ProofCalls.dispatch(as: [0, 1] + ProofChain.bob, Self.remark), .account(Self.bob)),
            (ProofCalls.dispatch(as: [0, 2], Self.remark), .named("system.None")),
            (ProofCalls.dispatch(as: [5, 9], Self.remark), .named("Council.High")),
            (ProofCalls.schedule(Self.remark), .decided(by: "Scheduler.schedule")),
        ]
        for item in cases {
            let leaves = try Self.effects(item.call).leaves
            #expect(leaves.map(\.origin) == [item.origin])
            #expect(leaves.map(\.name) == ["System.remark"])
        }
    }

    @Test("the published multisig of three and the known derivative are named")
    func knownAddresses() throws {
        let multisig = try Self.effects(
            ProofCalls.multisig(2, with: [ProofChain.bob, ProofChain.charlie], Self.remark)
        ).leaves[0].origin.account
        #expect(multisig?.text == "5DjYJStmdZ2rcqXbXGX7TW85JsrW6uG4y9MUcLq2BoPMpRA7")
        let derivative = try Self.effects(ProofCalls.derivative(0, Self.remark)).leaves[0].origin.account
        #expect(derivative?.text == "5Ep769A4Ka6QrHYoPfzA1fTWRSXpf28vhdbWHWmkWmi4SNHi")
    }

    @Test("an origin inside an origin is derived from the outer one")
    func nestedOrigins() throws {
        let bobs = ProofCalls.proxy(of: ProofChain.bob, ProofCalls.derivative(3, Self.remark))
        let derivative = DerivedAccount.derivative(of: ProofChain.bob, index: 3)
        #expect(try Self.effects(bobs).leaves[0].origin == .derivative(Self.address(derivative)))

        let inner = DerivedAccount.multisig(signatories: [ProofChain.alice, ProofChain.bob], threshold: 1)
        let outer = DerivedAccount.multisig(signatories: [inner, ProofChain.charlie], threshold: 2)
        let nested = ProofCalls.multisigOfOne(
            with: [ProofChain.bob], ProofCalls.multisig(2, with: [ProofChain.charlie], Self.remark))
        let effects = try Self.effects(nested)
        #expect(effects.leaves[0].origin == .multisig(Self.address(outer)) && effects.depth == 2)

        let both = try Self.effects(ProofCalls.batch([ProofCalls.sudo(Self.remark), Self.remark]))
        #expect(both.leaves.map(\.origin) == [.root, .signer])
        let choice = try Self.effects(
            ProofCalls.sudo(ProofCalls.ifElse(Self.remark, fallback: ProofCalls.proxy(of: ProofChain.bob, Self.remark)))
        )
        #expect(choice.leaves.map(\.origin) == [.root, .account(Self.bob)])
    }

    @Test("an address that hangs on an unknown signer, or on root, stays open")
    func unknownSigner() throws {
        let others = [ProofChain.bob]
        #expect(
            try Self.effects(ProofCalls.derivative(0, Self.remark), signer: nil).leaves[0].origin == .derivative(nil))
        #expect(
            try Self.effects(ProofCalls.multisig(2, with: others, Self.remark), signer: nil).leaves[0].origin
                == .multisig(nil))
        #expect(
            try Self.effects(ProofCalls.sudo(ProofCalls.derivative(0, Self.remark))).leaves[0].origin
                == .derivative(nil))
    }

    @Test("an account that is named by something else than an account leaves the wrapper's name")
    func unnamedAccount() throws {
        // MultiAddress::Index and MultiAddress::Raw.
        for address in [[1], [2, 4, 0xaa]] as [[UInt8]] {
            let call = [30, 0] + address + [0] + Self.remark
            #expect(try Self.effects(call).leaves[0].origin == .decided(by: "Proxy.proxy"))
        }
    }

    // MARK: Bounds

    @Test("calls go as deep as the limit and no deeper")
    func depth() throws {
        let wrap = { (levels: Int) in (0..<levels).reduce(Self.remark) { call, _ in ProofCalls.sudo(call) } }
        let effects = try Self.effects(wrap(TransactionEffects.depthLimit))
        #expect(effects.depth == 16 && effects.leaves[0].depth == 16)
        for levels in [17, 30] {
            let error = #expect(throws: DecodingError.callsTooDeep) { try Self.effects(wrap(levels)) }
            #expect(error?.code == "TooDeep")
        }
    }

    @Test("a thousand effects are read and one more is refused")
    func leafCount() throws {
        let many = { (count: Int) in ProofCalls.batch(Array(repeating: Self.remark, count: count)) }
        #expect(try Self.effects(many(TransactionEffects.leafLimit)).leaves.count == 1000)
        let error = #expect(throws: DecodingError.tooManyCalls) { try Self.effects(many(1001)) }
        #expect(error?.code == "TooManyCalls")
    }
}
