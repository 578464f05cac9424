import TextForms

extension ArgumentReader {
    /// The assets that an argument names, in order: of one id, or of the path of a swap.
    func assets(named range: Range<Int>) -> [Asset]? {
        var cursor = CardCursor(cards, range)
        cursor.passVersion()
        if cursor.emptyList() { return cursor.isAtEnd ? [] : nil }
        var assets: [Asset] = []
        repeat {
            guard let name = cursor.assetName() else { return nil }
            assets.append(asset(name, at: .here))
        } while !cursor.isAtEnd
        return assets
    }

    func readAssetIDs(_ cursor: inout CardCursor, isList: Bool) -> ArgumentReading? {
        if isList, cursor.emptyList() { return ArgumentReading() }
        var reading = ArgumentReading()
        repeat {
            guard let name = cursor.assetName() else { return nil }
            reading.lines.append(pieces(name, at: .here))
        } while isList && !cursor.isAtEnd
        return reading
    }

    func readAssets(_ cursor: inout CardCursor, at place: Location) -> ArgumentReading? {
        cursor.passVersion()
        var reading = ArgumentReading()
        if cursor.emptyList() { return reading }
        repeat {
            guard let asset = cursor.asset() else { return nil }
            reading.lines.append(pieces(asset, at: place))
            reading.amounts.append(moved(asset, at: place))
        } while !cursor.isAtEnd
        return reading
    }

    func moved(_ asset: LocatedAsset, at place: Location) -> ArgumentReading.Moved {
        let value: UInt128? = if case .fungible(let value) = asset.quantity { value } else { nil }
        return ArgumentReading.Moved(asset: self.asset(asset.name, at: place), value: value)
    }

    /// An amount of an asset, or one thing of a class.
    func pieces(_ asset: LocatedAsset, at place: Location) -> [ValuePiece] {
        switch asset.quantity {
        case .fungible(let value): [.amount(AssetAmount(asset: self.asset(asset.name, at: place), value: value))]
        case .one(let thing): thing + [.words(" of ")] + pieces(asset.name, at: place)
        }
    }

    func pieces(_ name: AssetName, at place: Location) -> [ValuePiece] {
        switch asset(name, at: place) {
        case .native: [.words("the network's own token")]
        case .other(let pallet, let id): [.words(AssetRegistry.title(pallet: pallet, id: id, on: network))]
        case .located(let words): [.words(words)]
        }
    }

    /// What an asset is on this chain.
    ///
    /// - Parameter place: the chain that gives it the name.
    func asset(_ name: AssetName, at place: Location) -> Asset {
        switch name {
        case .abstract(let bytes): return .located("the abstract asset 0x\(Hex.encode(bytes))")
        case .at(let told):
            let location = told.seen(through: place).simplified(on: chain)
            guard let chain else { return .located(tokenWords(location)) }
            if location == chain.nativeToken { return .native }
            if location.parents == 0, location.interior.count == 2, case .pallet(let instance) = location.interior[0],
                case .index(let id) = location.interior[1], let pallet = chain.assetsPallet(instance)
            {
                return .other(pallet: pallet, id: "\(id)")
            }
            return .located(tokenWords(location))
        }
    }

    private func tokenWords(_ location: Location) -> String {
        let (place, inside) = location.split
        guard inside.isEmpty else { return "the asset \(words.words(location))" }
        return location == .here ? "what this chain calls Here" : "the token of \(words.words(chain: place))"
    }
}
