import Substrate

/// What flattening a call and judging it costs, for measuring.
@_spi(Benchmarks)
public enum RiskBenchmark {
    /// - Returns: how many rules hold.
    public static func assess(_ call: DecodedCall, network: NetworkSpecs) throws(DecodingError) -> Int {
        let effects = try TransactionEffects(call, signer: nil, network: network)
        return RiskContext(
            effects: effects, cards: call.cards, network: network, signer: nil, onTheFly: nil, isKeyExposed: false,
            ownAccounts: OwnAccounts([], in: network),
            metadata: MetadataVouching(voucher: .proof, name: network.name, used: 1, latest: 1),
            extensions: RiskContext.ExtensionStatements(
                isImmortal: false, tip: nil, feeAsset: nil, checksMetadataHash: nil)
        ).risks().count
    }
}
