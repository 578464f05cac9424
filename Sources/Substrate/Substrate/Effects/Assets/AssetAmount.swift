/// An amount of one asset, in its smallest unit.
public struct AssetAmount: Hashable, Sendable {
    public var asset: Asset
    public var value: UInt128

    public init(asset: Asset, value: UInt128) {
        self.asset = asset
        self.value = value
    }
}

/// What an amount is of.
public enum Asset: Hashable, Sendable {
    /// The network's own token.
    case native
    /// What a pallet keeps under an id: its decimals and symbol are not part of metadata.
    case other(pallet: String, id: String)
    /// What a location names, in words.
    case located(String)
}

extension AssetAmount {
    /// The amount with its unit; of an asset whose decimals are not known the raw number and the asset's id.
    public func text(on network: NetworkSpecs) -> String {
        switch asset {
        case .native: "\(Amount(value, decimals: network.decimals, unit: network.unit))"
        case .other(let pallet, let id): "\(value) units of \(pallet) \(id)"
        case .located(let words): "\(value) units of \(words)"
        }
    }
}
