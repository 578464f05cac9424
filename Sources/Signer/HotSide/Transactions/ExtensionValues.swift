import SCALE
import Substrate

/// What the extensions of a transaction hold, written in the metadata's order.
struct ExtensionValues {
    /// What they add to the transaction.
    private(set) var included: [UInt8] = []
    /// What they add to the signed bytes alone.
    private(set) var additional: [UInt8] = []

    /// - Parameter metadataHash: nil for a transaction by which the chain checks none.
    init(
        _ payload: SignerPayload, _ metadata: RuntimeMetadata, metadataHash: Hash256?
    ) throws(SignerPayloadError) {
        let identifiers = metadata.extensions.map(\.identifier)
        guard payload.extensions == identifiers else {
            throw .otherExtensions(expected: identifiers, found: payload.extensions)
        }
        guard payload.assetID == nil || identifiers.contains("ChargeAssetTxPayment") else { throw .assetNotTaken }
        var (inside, beside) = (ScaleEncoder(), ScaleEncoder())
        for item in metadata.extensions {
            switch item.identifier {
            case "CheckSpecVersion": beside.integer(payload.specVersion)
            case "CheckTxVersion": beside.integer(payload.transactionVersion)
            case "CheckGenesis": beside.value(payload.genesisHash)
            case "CheckMortality", "CheckEra":
                inside.raw(payload.era.encoded)
                beside.value(payload.blockHash)
            case "CheckNonce": inside.compact(UInt128(payload.nonce))
            case "ChargeTransactionPayment": inside.compact(payload.tip)
            case "ChargeAssetTxPayment":
                inside.compact(payload.tip)
                inside.option(payload.assetID) { $0.raw($1) }
            case TransactionExtensions.metadataHashIdentifier:
                inside.integer(UInt8(metadataHash == nil ? 0 : 1))
                beside.option(metadataHash) { $0.value($1) }
            default:
                inside.raw(try Self.nothing(of: item.type, item.identifier, metadata))
                beside.raw(try Self.nothing(of: item.additionalSigned, item.identifier, metadata))
            }
        }
        (included, additional) = (inside.bytes, beside.bytes)
    }

    /// What an extension without a value writes.
    private static func nothing(
        of type: UInt32, _ identifier: String, _ metadata: RuntimeMetadata
    ) throws(SignerPayloadError) -> [UInt8] {
        switch metadata.valueForm(of: type) {
        case .empty: []
        case .optional: [0]
        case .variants, .other: throw .unknownExtension(identifier)
        }
    }
}
