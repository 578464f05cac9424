import HotSide
import HotSideKnownAnswers
import HotSideTestSupport
import StrictJSON
import Substrate
import TestSupport
import TextForms

/// A `SignerPayloadJSON` as polkadot-js makes it, for networks of the data.
struct WalletPayload {
    static let alice = "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"
    private static let bob = "8eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a48"

    var members: [(name: String, value: JSON)]

    /// Balances.transfer_keep_alive of 1 WND to Bob, in Westend 9122.
    static let westend = WalletPayload(
        texts: [
            "specVersion": "0x000023a2", "transactionVersion": "0x00000007", "address": alice,
            "blockHash": "0x" + String(repeating: "53", count: 32), "blockNumber": "0x0000001b", "era": "0xb501",
            "genesisHash": "0x" + NodesTests.westend, "method": "0x040300" + bob + "070010a5d4e8",
            "nonce": "0x0000002e", "tip": "0x00000000000000000000000000000000",
        ])
        .with("assetId", .null).with("metadataHash", .null).with("mode", .integer(0)).with("version", .integer(4))
        .with("withSignedTransaction", .bool(true))
        .extensions([
            "CheckSpecVersion", "CheckTxVersion", "CheckGenesis", "CheckMortality", "CheckNonce", "CheckWeight",
            "ChargeTransactionPayment",
        ])

    private init(texts: [String: String]) {
        members = texts.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }
    }

    private init(members: [(name: String, value: JSON)]) { self.members = members }

    private func extensions(_ names: [String]) -> WalletPayload {
        with("signedExtensions", .array(names.map { .string($0) }))
    }

    /// The same transfer of DOT in the Polkadot Asset Hub 2000000, whose chain checks the metadata hash.
    static let assetHub = westend.with("specVersion", .string("0x001e8480"))
        .with("transactionVersion", .string("0x0000000f"))
        .with("genesisHash", .string("0x" + CapturedNode.assetHubGenesis))
        .with("method", .string("0x0a0300" + bob + "070010a5d4e8"))
        .extensions([
            "CheckNonZeroSender", "CheckSpecVersion", "CheckTxVersion", "CheckGenesis", "CheckMortality", "CheckNonce",
            "CheckWeight", "ChargeAssetTxPayment", "CheckMetadataHash",
        ])

    /// The payload with another value of a member; nil takes it away.
    func with(_ name: String, _ value: JSON?) -> WalletPayload {
        var members = members.filter { $0.name != name }
        if let value { members.append((name, value)) }
        return WalletPayload(members: members)
    }

    var text: [UInt8] { JSON.object(members.map { .init(name: $0.name, value: $0.value) }).utf8() }

    func read() throws -> SignerPayload { try SignerPayload(text) }

    /// A hot side that knows Westend 9122 and the Asset Hub 2000000.
    static func side() async throws -> HotSide {
        let blob = try SharedData.bytes("signer-wire/metadata/statemint2000000_v15.scale")
        let node = try CapturedNode.assetHub(in: SharedData.url("signer-wire"))
        let hot = HotSide(database: try HotDatabase(), nodes: node)
        let url = try NodeURL("ws://127.0.0.1")
        _ = try await hot.addSpecs(.populate, .url(url), overrides: NetworkOverrides(scheme: .sr25519))
        try hot.store(metadata: blob)
        try hot.store(metadata: SharedData.bytes("signer-wire/metadata/westend9122.scale"))
        return hot
    }
}
