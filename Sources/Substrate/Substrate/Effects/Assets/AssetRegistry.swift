/// Symbols and decimals of the few assets in common use, which metadata do not tell.
///
/// Source: the storage map `Assets.Metadata` of each chain, and what the assets' issuers publish about their ids. A
/// symbol never stands without the asset's id, because any account may give its asset any symbol.
enum AssetRegistry {
    struct RegisteredAsset: Hashable, Sendable {
        let symbol: String
        let decimals: UInt8
    }

    /// - Parameter pallet: the pallet that keeps the asset.
    /// - Returns: nil for an asset that is not registered on the chain with this genesis.
    static func entry(pallet: String, id: String, genesis: Hash256) -> RegisteredAsset? {
        guard pallet == "Assets", let chain = KnownChain.withGenesis(genesis), chain.parachain == 1000 else {
            return nil
        }
        switch (chain.relay, id) {
        case (.polkadot, "1984"), (.kusama, "1984"): return RegisteredAsset(symbol: "USDT", decimals: 6)
        case (.polkadot, "1337"): return RegisteredAsset(symbol: "USDC", decimals: 6)
        default: return nil
        }
    }

    /// What an asset is called on a screen: `USDT (Assets 1984)`, or `Assets 7` for one that is not registered.
    static func title(pallet: String, id: String, on network: NetworkSpecs) -> String {
        guard let entry = entry(pallet: pallet, id: id, genesis: network.genesisHash) else { return "\(pallet) \(id)" }
        return "\(entry.symbol) (\(pallet) \(id))"
    }
}
