import Airgap
import SCALE
import SecretMemory
import Signer
import Substrate
import Testing
import TextForms

@testable import SignerCore

extension Provocation {
    /// What is wrong with what was scanned.
    static let ofPayloads: [Provocation] = [
        Provocation(.tooShort, ["found": "2", "needed": "3"]) { try scan(hex: "5301", in: makeCore()) },
        Provocation(.notSubstrate, ["byte": "54"]) { try scan(hex: "540102", in: makeCore()) },
        Provocation(.encryptionNotSupported, ["code": "09"]) {
            try scan(hex: "5309" + transfer.dropFirst(4), in: makeCore())
        },
        Provocation(.payloadNotSupported, ["code": "01"]) {
            try scan(hex: "530101" + transfer.dropFirst(6), in: makeCore())
        },
        Provocation(.badSignature, ["signer": text(1)]) {
            var payload = try specs(orion, by: 1)
            payload[payload.count - 1] ^= 1
            return try scan(payload, in: makeCore(general: 1))
        },
        Provocation(.notHex) { try scan(hex: "53xx", in: makeCore()) },
        Provocation(
            .codec, ["what": "at byte 3: export of derivations has no variant with index 2"]
        ) { try scan(hex: "53ffde02", in: makeCore()) },
        Provocation(.trailingBytes, ["bytes": "2"]) {
            try scan(hex: "53ffdf0001" + root + "00" + "ffff", in: makeCore())
        },
        Provocation(.invalidMessagePayload) { try scan(message("hello"), in: alice()) },
        Provocation(.addrNotFound, ["address": "5CDvHBym6RLoxTdX9MS1acpaDbNxaFagqM5LpBiFGjWT6o1n"]) {
            try scan(
                hex: "530108" + String(repeating: "07", count: 32) + Hex.encode(Array("<Bytes>a</Bytes>".utf8)),
                in: makeCore())
        },
        Provocation(.unknownNetwork, ["genesis": String(repeating: "07", count: 32), "encryption": "sr25519"]) {
            try scan(hex: transfer.dropLast(64) + String(repeating: "07", count: 32), in: alice())
        },
        Provocation(.noMetadata, ["name": "westend"]) { try scan(hex: transfer, in: alice()) },
        Provocation(.metadataOutdated, ["name": "westend", "have": "9122", "want": "9123"]) {
            // The version in its little-endian bytes.
            try scan(hex: transfer.replacing("a2230000", with: "a3230000"), in: alice(hasMetadata: true))
        },
        Provocation(.separateMethodExtensions) {
            try scan(hex: transfer.replacing("9c1601", with: "feffffff1601"), in: alice(hasMetadata: true))
        },
        Provocation(.extensionsUndecodable, ["network": "westend", "tried": "9122: SomeDataNotUsedExtensions"]) {
            try scan(hex: transfer.dropLast(64) + "00" + westendGenesis, in: alice(hasMetadata: true))
        },
        Provocation(
            .methodUndecodable, ["pallet": "Proxy", "reason": "UnexpectedEnumVariant", "position": "37"]
        ) { try scan(hex: transfer.replacing("9c1601", with: "9c16fe"), in: alice(hasMetadata: true)) },
        Provocation(
            .checkMetadataHashMismatch,
            ["reason": "MetadataHashMismatch", "signed": String(repeating: "07", count: 32), "computed": assetHubHash]
        ) { try scan(transactionWithHash(), in: alice(hasMetadata: true)) },
        Provocation(.historicalMetadata, ["name": "westend"]) {
            try historical { try $0.removeMetadata(name: "westend", version: 9122) }
        },
        Provocation(.historicalNetworkUnknown, ["name": "westend"]) {
            try historical { try $0.removeNetwork(shipped("westend").specs.genesisHash) }
        },
    ]

    /// The root of the development phrase.
    static let root = "46ebddef8cd9bb167dc30878d7113b7e168e6f0646beffd77d69d39bad76b47a"
    static let westendKey = "3efeca331d646d8a2986374bb3bb8d6e9e3cfcdd7c45c2b69104fab5d61d3f34"

    /// A transaction by `//westend` of the development phrase.
    static let transfer = FlowStart.dangerousTransaction

    /// A message on Westend by `//westend` of the development phrase.
    static func message(_ text: String, by key: String = westendKey) -> [UInt8] {
        Hex.decode("530103" + key + Hex.encode(Array(text.utf8)) + westendGenesis) ?? []
    }

    /// What the log says of what was signed before something went.
    private static func historical(_ remove: (Vault) throws -> Void) throws -> CoreFailure {
        let test = try alice(hasMetadata: true)
        let vault = try openVault(test)
        var proposal = try vault.propose(Hex.decode(transfer) ?? [])
        let texts = proposal.answer.confirmations.map(\.text)
        _ = try vault.sign(&proposal, confirmations: texts, comment: "")
        let order = try vault.log().count - 1
        try remove(vault)
        try test.act(.navbarKeys)
        try test.act(.navbarLog)
        guard case .logDetails(let details) = try test.act(.showLogDetails, "\(order)").screen,
            case .undecodable(let problem)? = details.events.first?.content
        else { throw NotRefused() }
        return CoreFailure(problem)
    }

    /// What the metadata of Asset Hub in the release amount to.
    private static let assetHubHash: String = {
        guard let network = try? shipped("statemint"), let metadata = try? RuntimeMetadata(network.metadata[0]),
            let tree = try? MerkleizedMetadata(metadata)
        else { return "" }
        return tree.digest(MetadataExtraInfo(metadata, network.specs)).hash.hex
    }()

    /// A transaction on Asset Hub that would sign another metadata hash than that of its metadata.
    private static func transactionWithHash() throws -> [UInt8] {
        let network = try shipped("statemint")
        let metadata = try RuntimeMetadata(network.metadata[0])
        let key = try #require(try openVault(alice()).keys().first { $0.details.path == "//statemint" })
        var encoder = ScaleEncoder()
        encoder.raw([0x53, 0x01, 0x02] + key.signer.publicKey)
        // System.remark of nothing.
        encoder.byteSequence([0, 0, 0])
        for part in metadata.extensions {
            switch part.identifier {
            case "CheckMortality": encoder.raw([0xb5, 0x01])
            case "CheckNonce", "ChargeTransactionPayment": encoder.raw([0])
            case "ChargeAssetTxPayment": encoder.raw([0, 0])
            case "CheckMetadataHash": encoder.raw([1])
            default: break
            }
        }
        for part in metadata.extensions {
            switch part.identifier {
            case "CheckSpecVersion": encoder.integer(metadata.specVersion)
            case "CheckTxVersion": encoder.integer(metadata.version.transactionVersion)
            case "CheckGenesis": encoder.value(network.specs.genesisHash)
            case "CheckMortality": encoder.raw([UInt8](repeating: 0x53, count: 32))
            case "CheckMetadataHash": encoder.raw([1] + [UInt8](repeating: 7, count: 32))
            default: break
            }
        }
        encoder.value(network.specs.genesisHash)
        return encoder.bytes
    }
}
