import Foundation
import HotSideKnownAnswers
import HotSideTestSupport
import StrictJSON
import TestSupport

/// What a dapp has for its wallet: a `SignerPayloadJSON`, written as polkadot-js writes it.
struct HotSideWallet {
    private var members: [(name: String, value: StrictJSON.JSON)]

    /// A transfer to Bob, or what `method` is.
    ///
    /// - Parameters:
    ///   - genesis, method: hex without `0x`.
    ///   - versions: of the runtime and of its transactions.
    init(
        genesis: String, method: String, versions: (spec: UInt32, transaction: UInt32), address: String,
        extensions: [String]
    ) {
        func hex(_ number: UInt32) -> StrictJSON.JSON {
            let digits = String(number, radix: 16)
            return .string("0x" + String(repeating: "0", count: 8 - digits.count) + digits)
        }
        members = [
            ("address", .string(address)), ("assetId", .null),
            ("blockHash", .string("0x" + String(repeating: "53", count: 32))), ("blockNumber", hex(27)),
            ("era", .string("0xb501")), ("genesisHash", .string("0x" + genesis)), ("metadataHash", .null),
            ("method", .string("0x" + method)), ("mode", .integer(0)), ("nonce", hex(46)),
            ("signedExtensions", .array(extensions.map { .string($0) })), ("specVersion", hex(versions.spec)),
            ("tip", .string("0x" + String(repeating: "0", count: 32))),
            ("transactionVersion", hex(versions.transaction)), ("version", .integer(4)),
            ("withSignedTransaction", .bool(true)),
        ]
    }

    /// 1 WND in Westend 9122.
    static func westend(_ address: String) -> HotSideWallet {
        HotSideWallet(
            genesis: WestendPayload.genesis, method: WestendPayload.transfer(to: WestendPayload.bob),
            versions: (9122, 7), address: address,
            extensions: [
                "CheckSpecVersion", "CheckTxVersion", "CheckGenesis", "CheckMortality", "CheckNonce", "CheckWeight",
                "ChargeTransactionPayment",
            ])
    }

    /// 1 DOT and more in the Polkadot Asset Hub 2000000, whose chain checks the metadata hash.
    static func assetHub(_ address: String) -> HotSideWallet {
        HotSideWallet(
            genesis: CapturedNode.assetHubGenesis, method: "0a0300\(WestendPayload.bob)070010a5d4e8",
            versions: (2_000_000, 15), address: address,
            extensions: [
                "CheckNonZeroSender", "CheckSpecVersion", "CheckTxVersion", "CheckGenesis", "CheckMortality",
                "CheckNonce", "CheckWeight", "ChargeAssetTxPayment", "CheckMetadataHash",
            ])
    }

    /// A transfer in Moonbase 1802, whose accounts are Ethereum's.
    static func moonbase(_ address: String) -> HotSideWallet {
        HotSideWallet(
            genesis: "91bc6e169807aaa54802737e1c504b2577d4fafedd5a02c10293b1cd60e39527",
            method: "0303" + String(repeating: "12", count: 20) + "070010a5d4e8", versions: (1802, 2),
            address: address,
            extensions: [
                "CheckSpecVersion", "CheckTxVersion", "CheckGenesis", "CheckMortality", "CheckNonce", "CheckWeight",
                "ChargeTransactionPayment",
            ])
    }

    /// A transfer in Moonbeam 2700 with an extension that checks the metadata hash.
    static func moonbeam(_ address: String) -> HotSideWallet {
        HotSideWallet(
            genesis: CheckedMoonbeam.genesis, method: "0a03" + String(repeating: "12", count: 20) + "070010a5d4e8",
            versions: (2700, 2), address: address,
            extensions: [
                "CheckNonZeroSender", "CheckSpecVersion", "CheckTxVersion", "CheckGenesis", "CheckMortality",
                "CheckNonce", "CheckWeight", "ChargeTransactionPayment", "CheckMetadataHash",
            ])
    }

    func write(to path: String) throws {
        try Data(JSON.object(members.map { .init(name: $0.name, value: $0.value) }).utf8()).write(
            to: URL(filePath: path))
    }

    private typealias JSON = StrictJSON.JSON
}
