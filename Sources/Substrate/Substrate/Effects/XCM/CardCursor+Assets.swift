import TextForms

/// What an asset is called in XCM.
enum AssetName: Hashable, Sendable {
    case at(Location)
    /// Agreed between chains, in versions 2 and 3.
    case abstract([UInt8])
}

/// An asset with how much of it.
struct LocatedAsset: Hashable, Sendable {
    var name: AssetName
    var quantity: Quantity

    enum Quantity: Hashable, Sendable {
        case fungible(UInt128)
        /// One thing of a class; the words say which.
        case one([ValuePiece])
    }
}

/// Assets among cards, of XCM versions 1 to 5, and those of version 0 that name an amount.
extension CardCursor {
    mutating func assetName() -> AssetName? {
        passVersion()
        switch variantName {
        case "Concrete":
            advance()
            return location().map { .at($0) }
        case "Abstract":
            advance()
            return bytes().map { .abstract($0) }
        default: return location().map { .at($0) }
        }
    }

    /// Whether an asset comes next, not a filter or another value that also has an id.
    var isAtAsset: Bool {
        switch variantName {
        case "ConcreteFungible", "ConcreteNonFungible", "AbstractFungible", "AbstractNonFungible": true
        case nil: fieldName == "id"
        default: false
        }
    }

    mutating func asset() -> LocatedAsset? {
        if variantName != nil { return assetOfVersion0() }
        guard field("id"), let name = assetName(), field("fun") else { return nil }
        switch variant() {
        case "Fungible":
            return number().map { LocatedAsset(name: name, quantity: .fungible($0)) }
        case "NonFungible":
            return instance().map { LocatedAsset(name: name, quantity: .one($0)) }
        default: return nil
        }
    }

    private mutating func assetOfVersion0() -> LocatedAsset? {
        let kind = variant()
        switch kind {
        case "ConcreteFungible", "AbstractFungible":
            guard field("id"), let name = nameOfVersion0(kind), field("amount"), let amount = number() else {
                return nil
            }
            return LocatedAsset(name: name, quantity: .fungible(amount))
        case "ConcreteNonFungible", "AbstractNonFungible":
            guard field("class"), let name = nameOfVersion0(kind), field("instance"), let thing = instance() else {
                return nil
            }
            return LocatedAsset(name: name, quantity: .one(thing))
        default: return nil
        }
    }

    private mutating func nameOfVersion0(_ kind: String?) -> AssetName? {
        kind?.hasPrefix("Concrete") == true ? location().map { .at($0) } : bytes().map { .abstract($0) }
    }

    /// Reads which thing of a class is meant.
    private mutating func instance() -> [ValuePiece]? {
        switch variant() {
        case "Undefined": return [.words("an unnamed one")]
        case "Index", "Index8", "Index16", "Index32", "Index64", "Index128":
            return number().map { [.words("number "), .number("\($0)")] }
        case "Array4", "Array8", "Array16", "Array32", "Blob": return bytes().map { [.words("the one "), .bytes($0)] }
        default: return nil
        }
    }
}
