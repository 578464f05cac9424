import TextForms

/// A place in the world of XCM, as some chain sees it: so many steps out of it, then these steps in.
struct Location: Hashable, Sendable {
    var parents: Int
    var interior: [Junction]

    static let here = Location(parents: 0, interior: [])

    /// A step into a place.
    enum Junction: Hashable, Sendable {
        case parachain(UInt32)
        case account32([UInt8], network: Consensus?)
        case account20([UInt8], network: Consensus?)
        case accountIndex(UInt64, network: Consensus?)
        case pallet(UInt8)
        case index(UInt128)
        /// A key; all of its bytes with their length, where some that are not zero stand behind that: they make it
        /// another place than the one without them.
        case key([UInt8], length: UInt128? = nil)
        case onlyChild
        /// A body that decides, in words.
        case plurality(String)
        case consensus(Consensus)
    }

    /// A world of its own: a relay chain with its parachains, Ethereum.
    enum Consensus: Hashable, Sendable {
        case relay(KnownChain.Relay)
        case ethereum(chainID: UInt64)
        /// A world in words, with hex for what is no name.
        case other(String)
    }

    /// The same place as the chain sees it that sees `observer` where this location is told by `observer`.
    func seen(through observer: Location) -> Location {
        let left = observer.interior.count - parents
        return left >= 0
            ? Location(parents: observer.parents, interior: observer.interior.prefix(left) + interior)
            : Location(parents: observer.parents - left, interior: interior)
    }

    /// The shortest way to say the place on `chain`: its own consensus and its own id are left out.
    func simplified(on chain: KnownChain?) -> Location {
        guard let chain else { return self }
        var short = self
        let depth = chain.parachain == nil ? 0 : 1
        if short.parents == depth + 1, short.interior.first == .consensus(.relay(chain.relay)) {
            short = Location(parents: depth, interior: Array(short.interior.dropFirst()))
        }
        if let own = chain.parachain, short.parents == 1, short.interior.first == .parachain(own) {
            short = Location(parents: 0, interior: Array(short.interior.dropFirst()))
        }
        return short
    }

    /// The chain of the place, and the way from there into it.
    var split: (chain: Location, inside: ArraySlice<Junction>) {
        let steps = interior.prefix { $0.isChain }
        return (Location(parents: parents, interior: Array(steps)), interior.dropFirst(steps.count))
    }

    /// Whether an account stands in it, and the chain that it is told to does not take it for that account.
    ///
    /// A chain knows its own accounts by nothing but one step inwards (`AccountId32Aliases` and its like, which compare
    /// before anything is shortened). From every other place that ends in an account it makes another one, whose owner
    /// is that place (`HashedDescription`), or keeps the assets back.
    var isNoPlainAccount: Bool {
        interior.contains(where: \.isAccount) && (parents > 0 || interior.count > 1)
    }
}

extension Location.Junction {
    /// Whether it names an account.
    var isAccount: Bool {
        if case .accountIndex = self { true } else { accountID != nil }
    }

    /// The bytes that an account is named by.
    var accountID: [UInt8]? {
        switch self {
        case .account32(let id, _), .account20(let id, _): id
        default: nil
        }
    }

    /// Whether the step leads into a chain, not to something on one.
    var isChain: Bool {
        switch self {
        case .parachain, .consensus: true
        default: false
        }
    }
}
