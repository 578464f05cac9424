/// What the third byte of a payload announces (`signer-wire` section 1.2).
public enum PayloadKind: UInt8, CaseIterable, Sendable {
    /// Mortal in old senders; read like ``transaction``.
    case transactionMortal = 0x00
    /// The hash of a transaction, which nobody could check.
    case transactionHash = 0x01
    /// A transaction.
    case transaction = 0x02
    /// A message for one chain.
    case message = 0x03
    /// Many transactions.
    case bulk = 0x04
    /// A transaction of a key that is derived for it.
    case dynamicTransaction = 0x05
    /// A transaction with a proof of its metadata.
    case transactionWithProof = 0x06
    /// A transaction of a key that is derived for it, with a proof of its metadata.
    case dynamicTransactionWithProof = 0x07
    /// A message for no chain in particular.
    case messageAnyChain = 0x08
    /// New metadata of a network.
    case loadMetadata = 0x80
    /// New types.
    case loadTypes = 0x81
    /// New metadata of a network, compressed.
    case loadPackedMetadata = 0x8c
    /// A new network.
    case addSpecs = 0xc1
    /// Keys to import.
    case derivations = 0xde
    /// A wallet's question for keys.
    case dynamicDerivations = 0xdf

    /// Whether it is one transaction, of which the whole is there.
    var isTransaction: Bool {
        switch self {
        case .transactionMortal, .transaction, .dynamicTransaction, .transactionWithProof, .dynamicTransactionWithProof:
            true
        case .transactionHash, .message, .bulk, .messageAnyChain, .loadMetadata, .loadTypes, .loadPackedMetadata,
            .addSpecs,
            .derivations, .dynamicDerivations:
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
        case .loadPackedMetadata: "new metadata for a network, compressed"
        case .addSpecs: "a new network"
        case .derivations: "derived keys to import"
        case .dynamicDerivations: "a request for addresses"
        }
    }
}
