/// What the third byte of a payload announces (`signer-wire` section 1.2).
public enum PayloadKind: UInt8, CaseIterable, Sendable {
    /// Mortal in old senders; read like ``transaction``.
    case transactionMortal = 0x00
    case transactionHash = 0x01
    case transaction = 0x02
    case message = 0x03
    case bulk = 0x04
    case dynamicTransaction = 0x05
    case transactionWithProof = 0x06
    case dynamicTransactionWithProof = 0x07
    case messageAnyChain = 0x08
    case loadMetadata = 0x80
    case loadTypes = 0x81
    case addSpecs = 0xc1
    case derivations = 0xde
    case dynamicDerivations = 0xdf

    /// Whether it is one transaction, of which the whole is there.
    var isTransaction: Bool {
        switch self {
        case .transactionMortal, .transaction, .dynamicTransaction, .transactionWithProof, .dynamicTransactionWithProof:
            true
        case .transactionHash, .message, .bulk, .messageAnyChain, .loadMetadata, .loadTypes, .addSpecs, .derivations,
            .dynamicDerivations:
            false
        }
    }

    /// What it is, in people's words.
    public var title: String {
        switch self {
        case .transactionMortal, .transaction: "a transaction"
        case .transactionHash: "the hash of a transaction"
        case .message: "a message in a network"
        case .bulk: "several transactions at once"
        case .dynamicTransaction: "a transaction of a key derived on the fly"
        case .transactionWithProof: "a transaction with a metadata proof"
        case .dynamicTransactionWithProof: "a transaction of a key derived on the fly, with a metadata proof"
        case .messageAnyChain: "a message for any chain"
        case .loadMetadata: "new metadata for a network"
        case .loadTypes: "a table of types for old networks"
        case .addSpecs: "a new network"
        case .derivations: "derived keys to import"
        case .dynamicDerivations: "a request for addresses"
        }
    }
}
