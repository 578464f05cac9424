import SCALE
import TestSupport
import Testing

@testable import Substrate

@Suite("Effects by metadata 12 and 13")
struct TextEffectsTests {
    private static let signer = AccountAddress(accountID: ProofChain.alice, prefix: 42)

    @Test("calls inside calls are found among text types", arguments: [12, 13] as [UInt8])
    func nested(version: UInt8) throws {
        // Utility.as_derivative(0, Utility.batch([transfer, remark])).
        let call = [26, 1, 0, 0, 26, 0, 8] + TextChain.transfer + [0, 0, 4, 0x61]
        let decoded = try TextChain.decoder(version: version).readCall(call)
        let effects = try TransactionEffects(decoded, signer: Self.signer, network: TestChain.network)
        #expect(effects.leaves.map(\.name) == ["Balances.transfer_keep_alive", "System.remark"])
        #expect(
            effects.leaves.map { $0.origin.account?.text }
                == Array(
                    repeating: "5Ep769A4Ka6QrHYoPfzA1fTWRSXpf28vhdbWHWmkWmi4SNHi", count: 2))
        #expect(effects.leaves[0].destination == AccountAddress(accountID: TestChain.bob, prefix: 42))
        #expect(effects.totals == [AssetAmount(asset: .native, value: 100_000_000_000)])
        #expect(effects.depth == 2)
    }

    private static let westend = "signer-wire/metadata/westend9010.scale"
    private static let types = "signer-wire/types/default_types.scale"

    @Test(
        "a batch of transfers behind a proxy reads on a real chain of 2021",
        .enabled(if: SharedData.has(westend) && SharedData.has(types)))
    func westend9010() throws {
        let metadata = try TextMetadata(SharedData.bytes(Self.westend))
        let types = try TypesTable(scaleEncoded: SharedData.bytes(Self.types))
        let decoder = TextTransactionDecoder(metadata: metadata, network: TestChain.network, types: types)
        let transfer: [UInt8] = [4, 3, 0] + ProofChain.bob + [4]
        // Proxy.proxy(real: AccountId, None, Utility.batch([transfer × 3])).
        let call = [22, 0] + ProofChain.charlie + [0, 16, 0, 12] + transfer + transfer + transfer
        let effects = try TransactionEffects(decoder.readCall(call), signer: Self.signer, network: TestChain.network)
        let real = try #require(AccountAddress(accountID: ProofChain.charlie, prefix: 42))
        #expect(effects.leaves.map(\.name) == Array(repeating: "Balances.transfer_keep_alive", count: 3))
        #expect(effects.leaves.allSatisfy { $0.origin == .account(real) })
        #expect(effects.totals == [AssetAmount(asset: .native, value: 3)])
    }
}
