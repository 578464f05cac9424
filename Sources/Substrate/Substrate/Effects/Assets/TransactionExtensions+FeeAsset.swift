extension TransactionExtensions {
    /// What the fee and the tip are paid in, where an extension says another asset than the network's token.
    ///
    /// `ChargeAssetTxPayment` of `pallet_asset_conversion_tx_payment` and `pallet_asset_tx_payment` has it as
    /// `asset_id`. Other extensions are told by the names of their fields: a warning too many is better than one that
    /// is missing.
    package func feeAsset(on network: NetworkSpecs) -> Asset? {
        cards.withUnsafeBufferPointer { cards in
            for index in cards.indices {
                guard case .fieldName(let field) = cards[index].kind, Self.names.contains(field.name) else { continue }
                let value = cards[(index + 1)...].prefix { $0.indent > cards[index].indent }.indices
                guard let asset = Self.asset(of: value, in: cards, on: network), asset != .native else { continue }
                return asset
            }
            return nil
        }
    }

    private static let names: Set<String> = ["asset_id", "currency", "currency_id", "fee_asset", "fee_currency"]

    /// - Parameter cards: of all extensions.
    /// - Returns: nil where none is chosen.
    private static func asset(
        of value: Range<Int>, in cards: UnsafeBufferPointer<Card>, on network: NetworkSpecs
    ) -> Asset? {
        guard let first = value.first else { return nil }
        if case .none = cards[first].kind { return nil }
        if let named = ArgumentReader(cards: cards, network: network).assets(named: value)?.first { return named }
        // A number is one of the pallet that keeps the chain's assets.
        return CallTree(cards, calls: []).line(of: value).map { .other(pallet: "Assets", id: $0) } ?? .unknown
    }
}
