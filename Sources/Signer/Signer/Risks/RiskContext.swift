import Substrate

/// All that the rules look at.
struct RiskContext {
    let effects: TransactionEffects
    /// The cards of the method, which the calls of ``effects`` refer to.
    let cards: [Card]
    let network: NetworkSpecs
    let signer: AccountAddress?
    /// The key that signs, where it is derived for this payload and not enabled in the network.
    let onTheFly: OnTheFly?
    let isKeyExposed: Bool
    let ownAccounts: OwnAccounts
    let metadata: MetadataVouching
    let extensions: ExtensionStatements

    /// A key that no row enables in the network.
    struct OnTheFly {
        var seed: String
        /// The address of the seed, in the form that belongs to no network.
        var root: AccountAddress
        var path: String
        /// The address in the network's form.
        var address: AccountAddress
    }

    /// The amount on a card of the method that shows a plain number.
    func amount(onCard card: Int) -> AssetAmount? {
        guard case .default(let text) = cards[card].kind, let asset = effects.asset(ofCard: card) else { return nil }
        return UInt128(text).map { AssetAmount(asset: asset, value: $0) }
    }

    /// What the extensions say that matters here.
    struct ExtensionStatements {
        var isImmortal: Bool
        var tip: UInt128?
        /// What fee and tip are paid in, where that is not the network's token.
        var feeAsset: Asset?
        /// nil where the chain has no such extension.
        var checksMetadataHash: Bool?
        /// What would be signed and what the stored metadata have, where they differ.
        var hashMismatch: DecodingError?
    }
}
