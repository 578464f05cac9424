/// An amount of one asset, in its smallest unit.
public struct AssetAmount: Hashable, Sendable {
    /// What is counted.
    public var asset: Asset
    /// How much, in the smallest unit.
    public var value: UInt128

    package init(asset: Asset, value: UInt128) {
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

    /// One that nothing says: two amounts of it may be of two assets.
    static let unknown = Asset.located("an unknown asset")

    /// What it is called on a screen; symbols and ids are chosen outside.
    package func title(on network: NetworkSpecs) -> String {
        switch self {
        case .native: network.unit
        case .other(let pallet, let id): AssetRegistry.title(pallet: pallet, id: id, on: network)
        case .located(let words): words
        }
    }
}

extension AssetAmount {
    /// The amount with its unit; of an asset whose decimals are not known the raw number and the asset's id.
    public func text(on network: NetworkSpecs) -> String {
        switch asset {
        case .native: return "\(Amount(value, decimals: network.decimals, unit: network.unit))"
        case .other(let pallet, let id):
            guard let entry = AssetRegistry.entry(pallet: pallet, id: id, genesis: network.genesisHash) else {
                return "\(value) units of \(pallet) \(id)"
            }
            return "\(Self.decimal(value, places: entry.decimals)) \(entry.symbol) (\(pallet) \(id))"
        case .located(let words): return "\(value) units of \(words)"
        }
    }

    /// All digits of a number, with a point before the last `places` of them.
    private static func decimal(_ value: UInt128, places: UInt8) -> String {
        let places = Int(places)
        let digits = String(value)
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        return places == 0 ? padded : "\(padded.dropLast(places)).\(padded.suffix(places))"
    }
}
