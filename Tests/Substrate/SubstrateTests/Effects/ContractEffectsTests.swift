import SCALE
import Testing

@testable import Substrate

@Suite("Effects of calls to contracts")
struct ContractEffectsTests {
    private static let contract = [UInt8](repeating: 0xbb, count: 20)

    private static let model: MetadataModel = {
        var model = ProofChain.model
        if model.id("[u8;20]") == model.types.count { model.type("[u8;20]", .array(20, "u8")) }
        model.type("[u64;4]", .array(4, "u64"))
        model.type("[u64;3]", .array(3, "u64"))
        model.type("H160", path: ["primitive_types", "H160"], .composite([.init(nil, "[u8;20]")]))
        model.type("U256", path: ["primitive_types", "U256"], .composite([.init(nil, "[u64;4]")]))
        // What only has the name.
        model.type("Short", path: ["primitive_types", "U256"], .composite([.init(nil, "[u64;3]")]))
        let balance = MetadataModel.Field("value", "Compact<u128>", typeName: "BalanceOf<T>")
        let wei = MetadataModel.Field("value", "U256", typeName: "U256")
        let (dest, data) = (MetadataModel.Field("dest", "H160"), MetadataModel.Field("data", "bytes"))
        ProofChain.add(
            "Revive", index: 60,
            [
                ("call", 0, [dest, balance, data]), ("eth_call", 1, [dest, wei, data]),
                ("transfer", 2, [dest, .init("value", "Short"), data]),
            ], to: &model)
        ProofChain.add(
            "EVM", index: 61, [("call", 0, [.init("target", "H160"), .init("input", "bytes"), wei])], to: &model)
        ProofChain.add(
            "Novel", index: 62, [("run", 0, [dest, data]), ("note", 1, [data]), ("pay", 2, [dest, wei])], to: &model)
        return model
    }()

    private static func effects(_ call: [UInt8]) throws -> TransactionEffects {
        let decoder = TransactionDecoder(metadata: try ProofChain.metadata(model), network: TestChain.network)
        return try TransactionEffects(decoder.readCall(call), signer: nil, network: TestChain.network)
    }

    private static func wei(_ value: UInt128, high: UInt64 = 0) -> [UInt8] {
        (0..<16).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
            + (0..<16).map { $0 < 8 ? UInt8(truncatingIfNeeded: high >> ($0 * 8)) : 0 }
    }

    /// What screens say of an argument in place of its cards.
    private static func words(of argument: String, in call: [UInt8]) throws -> [[ValuePiece]]? {
        let decoder = TransactionDecoder(metadata: try ProofChain.metadata(model), network: TestChain.network)
        let decoded = try decoder.readCall(call)
        return decoded.cards.withUnsafeBufferPointer { cards in
            let tree = CallTree(cards, calls: decoded.calls)
            let node = tree.nodes[0]
            return tree.argument(argument, of: node).flatMap {
                StructuredArguments(node, in: tree, network: TestChain.network).reading(argument, $0, role: nil)?.lines
            }
        }
    }

    @Test(
        "a number of 256 bits is one number, and counted in wei where it fits",
        arguments: [
            (wei(1), "1"), (wei(1 << 64), "18446744073709551616"),
            (wei(1_000_000_000_000_000_000_000), "1000000000000000000000"),
            (wei(.max), "340282366920938463463374607431768211455"),
            (wei(0, high: 1), "340282366920938463463374607431768211456"),
        ])
    func wideNumbers(bytes: [UInt8], text: String) throws {
        let call = [61, 0] + Self.contract + [0] + bytes
        #expect(try Self.words(of: "value", in: call) == [[.number(text)]])
        let effects = try Self.effects(call)
        let wei = UInt128(text).map { AssetAmount(asset: .located("wei of EVM"), value: $0) }
        #expect(effects.totals == [wei].compactMap(\.self))
        // What it pays for gas stands in no argument as an amount.
        #expect(effects.leaves[0].uncounted == (wei == nil ? 2 : 1))
    }

    @Test("what is called so and is no number of 256 bits is shown as it is")
    func sameName() throws {
        let call = [60, 2] + Self.contract + [UInt8](repeating: 1, count: 24) + [0]
        #expect(try Self.words(of: "value", in: call) == nil)
        #expect(try Self.effects(call).totals.isEmpty)
    }

    @Test("a call of Revive is hidden, and what it sends is counted in its own unit")
    func revive() throws {
        let input: [UInt8] = [4, 0xa9]
        var encoder = ScaleEncoder()
        encoder.compact(UInt128(5_000))
        let plain = try Self.effects([60, 0] + Self.contract + encoder.bytes + input)
        #expect(plain.totals == [AssetAmount(asset: .native, value: 5_000)])
        let ethereum = try Self.effects([60, 1] + Self.contract + Self.wei(7) + input)
        #expect(ethereum.totals == [AssetAmount(asset: .located("wei of Revive"), value: 7)])
        for leaf in plain.leaves + ethereum.leaves {
            #expect(leaf.marks.contains(.hidden) && !leaf.marks.contains(.unclassified) && leaf.parties.count == 1)
        }
    }

    @Test("bytes for a destination in a call without a line hide what it does")
    func novel() throws {
        let input: [UInt8] = [4, 0xa9]
        func marks(_ call: [UInt8]) throws -> CallMarks { try Self.effects(call).leaves[0].marks }
        #expect(try marks([62, 0] + Self.contract + input).isSuperset(of: [.unclassified, .hidden]))
        #expect(try !marks([62, 0] + Self.contract + [0]).contains(.hidden))
        #expect(try !marks([62, 1] + input).contains(.hidden))
        let unknown = try Self.effects([62, 2] + Self.contract + Self.wei(9)).leaves[0]
        #expect(unknown.marks.contains(.holdsUnclassified) && unknown.uncounted == 1)
    }
}
