import Foundation
import SCALE
import TestSupport
import Testing
import TextForms

@testable import Substrate

@Suite("Calls that stand as bytes")
struct OpaqueCallTests {
    private static let bob = TestChain.bob
    /// Westend: a remark, a transfer.
    private static let remark: [UInt8] = [0, 1, 8, 0x68, 0x69]
    private static let transfer: [UInt8] = [4, 3, 0] + bob + [7, 0, 0x10, 0xa5, 0xd4, 0xe8]

    /// `Multisig.as_multi` of Westend 9122, whose call is bytes behind their length.
    private static func multisig(_ call: [UInt8], length: Int? = nil) -> [UInt8] {
        var encoder = ScaleEncoder()
        encoder.raw([23, 1, 2, 0, 4] + bob + [0])
        encoder.compact(length ?? call.count)
        encoder.raw(call)
        encoder.raw([0] + [UInt8](repeating: 0, count: 8))
        return encoder.bytes
    }

    private static func batch(_ calls: [[UInt8]]) -> [UInt8] {
        var encoder = ScaleEncoder()
        encoder.raw([16, 2])
        encoder.sequence(calls) { $0.raw($1) }
        return encoder.bytes
    }

    private static func expanded(
        _ call: [UInt8], on chain: ShippedChain = .westend, cardLimit: Int = DecodingLimits.cards
    ) throws -> DecodedCall {
        let decoder = try chain.decoder()
        return try decoder.readCall(call).expanded(in: call, by: decoder, cardLimit: cardLimit)
    }

    @Test("the call of a multisig is read, and its hash is that of its bytes")
    func multisigCall() throws {
        let call = Self.multisig(Self.transfer)
        let whole = try Self.expanded(call)
        #expect(whole.opaqueCalls.isEmpty && whole.calls.count == 2)
        let effects = try TransactionEffects(whole, signer: nil, network: KnownNetwork.westend)
        #expect(effects.leaves.map(\.name) == ["Balances.transfer_keep_alive"])
        #expect(effects.leaves[0].origin == .multisig(nil) && effects.depth == 1)
        #expect(effects.totals.map(\.value) == [1_000_000_000_000])
        #expect(effects.multisigCalls.map { CallHash.of(call[$0]) } == [CallHash.of(Self.transfer)])
    }

    @Test("a decoded call has the cards that it has by itself, under the card of its bytes")
    func sameCards() throws {
        let decoder = try ShippedChain.westend.decoder()
        let inner = Self.batch([Self.transfer, Self.remark])
        let call = Self.batch([Self.remark, Self.multisig(inner), Self.transfer])
        let before = try decoder.readCall(call)
        let whole = try before.expanded(in: call, by: decoder)
        let alone = try decoder.readCall(inner)
        let start = try #require(whole.cards.firstIndex { $0.kind == .bytes(inner, text: nil) })
        let under = whole.cards[(start + 1)...].prefix { $0.indent > whole.cards[start].indent }
        let step = whole.cards[start].indent + 1
        #expect(under.map { Card(indent: $0.indent - step, kind: $0.kind) } == alone.cards)
        var rest = whole.cards
        rest.removeSubrange(under.indices)
        #expect(rest == before.cards)
        // The whole, four calls in it, two of those in bytes.
        #expect(whole.calls.count == before.calls.count + alone.calls.count)
        for nested in whole.calls {
            #expect(
                try decoder.readCall(call, in: nested.bytes).cards.count
                    <= nested.cards.count, "a call is read from its own bytes")
            guard case .pallet = whole.cards[nested.cards.lowerBound].kind else {
                Issue.record("\(nested.cards) begins with no pallet")
                continue
            }
        }
        #expect(whole.calls.map(\.cards.lowerBound) == whole.calls.map(\.cards.lowerBound).sorted())
    }

    @Test("bytes within bytes are read to the last")
    func nested() throws {
        let call = Self.multisig(Self.batch([Self.multisig(Self.transfer), Self.multisig(Self.remark)]))
        let effects = try TransactionEffects(Self.expanded(call), signer: nil, network: KnownNetwork.westend)
        #expect(effects.leaves.map(\.name) == ["Balances.transfer_keep_alive", "System.remark"])
        #expect(effects.depth == 3 && effects.multisigCalls.count == 3)
    }

    @Test("a preimage and an inline proposal are read", arguments: [UInt8(0), 1])
    func preimages(kind: UInt8) throws {
        let remark: [UInt8] = [0, 0, 8, 0x68, 0x69]
        let call = kind == 0 ? [5, 0, 20] + remark : [62, 0, 0, 0, 1, 20] + remark + [1, 9, 0, 0, 0]
        let whole = try Self.expanded(call, on: .statemint)
        #expect(whole.calls.count == 2 && whole.opaqueCalls.isEmpty)
        #expect(whole.calls[1].bytes.count == remark.count)
    }

    @Test("what is no call stays bytes and is listed")
    func undecodable() throws {
        for garbage in [[0xff, 0xff], Self.remark + [0], Array(Self.transfer.dropLast())] {
            let call = Self.batch([Self.multisig(garbage), Self.remark])
            let whole = try Self.expanded(call)
            #expect(whole.opaqueCalls.map(\.use) == [.multisig])
            #expect(whole.opaqueCalls.map { Array(call[$0.bytes]) } == [garbage])
            #expect(whole.cards[whole.opaqueCalls[0].card].kind == .bytes(garbage, text: nil))
            #expect(whole.calls.count == 3)
        }
        let preimage = try Self.expanded([5, 0, 8, 0xff, 0xff], on: .statemint)
        #expect(preimage.opaqueCalls.map(\.use) == [.preimage])
    }

    @Test("an opaque call inside a decoded one is listed at its place")
    func undecodableInside() throws {
        let inner = Self.multisig([0xff, 0xff])
        let whole = try Self.expanded(Self.multisig(inner))
        #expect(whole.calls.count == 2 && whole.opaqueCalls.count == 1)
        #expect(whole.cards[whole.opaqueCalls[0].card].kind == .bytes([0xff, 0xff], text: nil))
    }

    @Test("without metadata of the chain every call in bytes stays hidden")
    func withoutDecoder() throws {
        let call = Self.multisig(Self.transfer)
        let whole = try ShippedChain.westend.decoder().readCall(call).expanded(in: call, by: nil)
        #expect(whole.opaqueCalls.count == 1 && whole.calls.count == 1)
    }

    @Test("bytes that are no call by their place are left alone")
    func plain() throws {
        let decoder = try ShippedChain.statemint.decoder()
        // A remark with bytes that are no text, an alias with a key of 32 bytes.
        for hex in ["000008ff00", "1f0e0400010100" + String(LocationTests.key.dropFirst(2)) + "00"] {
            let call = try #require(Hex.decode(hex))
            let decoded = try decoder.readCall(call)
            #expect(try decoded.expanded(in: call, by: decoder) == decoded)
        }
    }

    @Test("calls nest as deep as the limit, whether they stand as bytes or not, and no deeper")
    func depth() throws {
        let wrap = { (levels: Int) in (0..<levels).reduce(Self.remark) { call, _ in Self.multisig(call) } }
        let sixteen = try TransactionEffects(Self.expanded(wrap(16)), signer: nil, network: KnownNetwork.westend)
        #expect(sixteen.depth == 16)
        for levels in [17, 20, 200] {
            #expect(throws: DecodingError.callsTooDeep) { try Self.expanded(wrap(levels)) }
        }
        let mixed = (0..<9).reduce(Self.remark) { call, _ in Self.batch([Self.multisig(call)]) }
        #expect(throws: DecodingError.callsTooDeep) {
            try TransactionEffects(Self.expanded(mixed), signer: nil, network: KnownNetwork.westend)
        }
    }

    @Test("cards and attempts are counted over all calls")
    func bounds() throws {
        let call = Self.batch(Array(repeating: Self.multisig(Self.remark), count: 100))
        let whole = try Self.expanded(call)
        #expect(try Self.expanded(call, cardLimit: whole.cards.count).cards.count == whole.cards.count)
        let error = #expect(throws: DecodingError.self) { try Self.expanded(call, cardLimit: whole.cards.count - 1) }
        #expect(error?.code == "TooManyCards")
        let many = Self.batch(Array(repeating: Self.multisig([0xff, 0xff]), count: 1001))
        #expect(throws: DecodingError.tooManyCalls) { try Self.expanded(many) }
    }

    @Test("sixteen calls around half a megabyte take no longer than seventeen readings of it")
    func work() throws {
        let big = [0, 1] + ScaleEncoder.compactBytes(500_000) + [UInt8](repeating: 0xfe, count: 500_000)
        let call = (0..<16).reduce(big) { call, _ in Self.multisig(call) }
        let decoder = try ShippedChain.westend.decoder()
        let once = try ProcessorTime.measure { _ = try decoder.readCall(call) }
        let all = try ProcessorTime.measure { _ = try Self.expanded(call) }
        #expect(all < once * 100 + .seconds(5))
    }

    @Test("a wrapped call whose length is not its own is refused", arguments: [14, 15, 16] as [UInt8])
    func wrapperLength(version: UInt8) throws {
        var model = TestChain.model
        model.type(
            "Wrapper", path: ["frame_support", "traits", "misc", "WrapperKeepOpaque"],
            .composite([.init(nil, "Compact<u32>"), .init(nil, "RuntimeCall")]))
        model.redefine(
            "UtilityCall", .variant([.init(name: "as_multi", index: 2, fields: [.init("call", "Wrapper")])]))
        let decoder = try TestChain.decoder(model, version: version)
        let remark: [UInt8] = [0, 0, 8, 0x68, 0x69]
        #expect(try decoder.readCall([26, 2, 5 << 2] + remark).calls.count == 2)
        for length in [UInt8(0), 2, 4, 6, 14] {
            let error = #expect(throws: DecodingError.self) { try decoder.readCall([26, 2, length << 2] + remark) }
            #expect(error?.code == "SomeDataNotUsedMethod")
        }
    }

    @Test("any flip of a bit in a call full of bytes gives calls or a typed error")
    func flips() throws {
        let decoder = try ShippedChain.westend.decoder()
        let call = Self.batch([Self.multisig(Self.batch([Self.multisig(Self.transfer), Self.remark])), Self.transfer])
        for position in 0..<call.count * 8 {
            let flipped = call.flipping(bit: position)
            guard let decoded = try? decoder.readCall(flipped),
                let whole = try? decoded.expanded(in: flipped, by: decoder)
            else { continue }
            _ = try? TransactionEffects(whole, signer: nil, network: KnownNetwork.westend)
            #expect(whole.calls.allSatisfy { $0.cards.upperBound <= whole.cards.count })
        }
    }
}

extension ScaleEncoder {
    fileprivate static func compactBytes(_ value: Int) -> [UInt8] {
        var encoder = ScaleEncoder()
        encoder.compact(value)
        return encoder.bytes
    }
}
