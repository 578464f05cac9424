import TextForms

/// Locations among cards, of XCM versions 0 to 5.
extension CardCursor {
    /// Passes the name of an XCM version, where one stands.
    mutating func passVersion() {
        guard let name = variantName?.utf8, name.count == 2, name.first == UInt8(ascii: "V"),
            let digit = name.last, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit)
        else { return }
        advance()
    }

    /// - Returns: nil where no location stands, or one that cannot be.
    mutating func location() -> Location? {
        passVersion()
        guard field("parents") else { return locationOfVersion0() }
        guard let parents = number().flatMap({ UInt8(exactly: $0) }), field("interior"), let interior = interior()
        else { return nil }
        return Location(parents: Int(parents), interior: interior)
    }

    /// A path in which steps upwards stand like the others.
    private mutating func locationOfVersion0() -> Location? {
        if variantName == "Null" {
            advance()
            return .here
        }
        guard let count = variant().flatMap(Self.stepCount), count > 0 else { return nil }
        var location = Location.here
        for _ in 0..<count {
            passNumber()
            if variantName == "Parent" {
                guard location.interior.isEmpty else { return nil }
                location.parents += 1
                advance()
            } else {
                guard let junction = junction() else { return nil }
                location.interior.append(junction)
            }
        }
        return location
    }

    /// Reads the steps inwards: `Here`, `X1` to `X8`.
    mutating func interior() -> [Location.Junction]? {
        guard let count = variant().flatMap(Self.stepCount) else { return nil }
        var junctions: [Location.Junction] = []
        for _ in 0..<count {
            passNumber()
            guard let junction = junction() else { return nil }
            junctions.append(junction)
        }
        return junctions
    }

    /// How many steps stand under a variant with this name.
    static func stepCount(_ name: String) -> Int? {
        if name == "Here" { return 0 }
        let name = name.utf8
        guard name.count == 2, name.first == UInt8(ascii: "X"), let digit = name.last,
            (UInt8(ascii: "1")...UInt8(ascii: "8")).contains(digit)
        else { return nil }
        return Int(digit - UInt8(ascii: "0"))
    }

    /// Fields without names have their numbers before them.
    private mutating func passNumber() {
        if isNumberedField { advance() }
    }

    mutating func junction() -> Location.Junction? {
        switch variant() {
        case "Parachain": number().flatMap { UInt32(exactly: $0) }.map { .parachain($0) }
        case "AccountId32": accountJunction("id", byteCount: 32).map { .account32($0.bytes, network: $0.network) }
        case "AccountKey20": accountJunction("key", byteCount: 20).map { .account20($0.bytes, network: $0.network) }
        case "AccountIndex64": accountIndex()
        case "PalletInstance": number().flatMap { UInt8(exactly: $0) }.map { .pallet($0) }
        case "GeneralIndex": number().map { .index($0) }
        case "GeneralKey": generalKey()
        case "OnlyChild": .onlyChild
        case "Plurality": plurality().map { .plurality($0) }
        case "GlobalConsensus": globalConsensus()
        default: nil
        }
    }

    private mutating func accountJunction(
        _ name: String, byteCount: Int
    ) -> (bytes: [UInt8], network: Location.Consensus?)? {
        var network: Location.Consensus?
        guard field("network"), consensus(&network), field(name), let bytes = bytes(), bytes.count == byteCount else {
            return nil
        }
        return (bytes, network)
    }

    private mutating func accountIndex() -> Location.Junction? {
        var network: Location.Consensus?
        guard field("network"), consensus(&network), field("index"),
            let index = number().flatMap({ UInt64(exactly: $0) })
        else { return nil }
        return .accountIndex(index, network: network)
    }

    /// Bytes; from version 3 on of a stated length in an array of 32.
    private mutating func generalKey() -> Location.Junction? {
        guard field("length") else { return bytes().map { .key($0) } }
        guard let length = number(), field("data"), let data = bytes() else { return nil }
        guard let count = Int(exactly: length), count <= data.count, data.dropFirst(count).allSatisfy({ $0 == 0 })
        else {
            return .key(data, length: length)
        }
        return .key(Array(data.prefix(count)))
    }

    private mutating func globalConsensus() -> Location.Junction? {
        var network: Location.Consensus?
        guard consensus(&network) else { return nil }
        return network.map { .consensus($0) }
    }

    /// - Parameter network: nil where any may be meant.
    /// - Returns: false where no network stands.
    mutating func consensus(_ network: inout Location.Consensus?) -> Bool {
        if none() { return true }
        guard let name = variant() else { return false }
        switch name {
        case "Any": return true
        case "Ethereum":
            guard field("chain_id"), let id = number().flatMap({ UInt64(exactly: $0) }) else { return false }
            network = .ethereum(chainID: id)
        case "ByGenesis":
            guard let hash = bytes() else { return false }
            let hex = Hex.encode(hash)
            let relay = KnownChain.Relay.allCases.first { $0.genesis == hex }
            network = relay.map { .relay($0) } ?? .other("the chain with the genesis 0x\(hex)")
        case "ByFork":
            guard field("block_number"), let block = number(), field("block_hash"), let hash = bytes() else {
                return false
            }
            network = .other("the fork at block \(block), 0x\(Hex.encode(hash))")
        case "Named":
            guard let bytes = bytes() else { return false }
            network = .other("the network named 0x\(Hex.encode(bytes))")
        default:
            network = KnownChain.Relay(rawValue: name).map { .relay($0) } ?? .other(name)
        }
        return true
    }

    /// A body and the part of it that agrees, in words.
    private mutating func plurality() -> String? {
        guard field("id"), let body = variant() else { return nil }
        var words = body
        switch body {
        case "Index":
            guard let index = number() else { return nil }
            words += " \(index)"
        case "Moniker", "Named":
            guard let name = bytes() else { return nil }
            words += " 0x\(Hex.encode(name))"
        default: break
        }
        guard field("part"), let part = variant() else { return nil }
        switch part {
        case "Voice": return "the body \(words)"
        case "Members":
            guard field("count"), let count = number() else { return nil }
            return "\(count) members of the body \(words)"
        case "Fraction", "AtLeastProportion", "MoreThanProportion":
            guard field("nom"), let nom = number(), field("denom"), let denom = number() else { return nil }
            let measure = part == "AtLeastProportion" ? "at least " : part == "MoreThanProportion" ? "more than " : ""
            return "\(measure)\(nom)/\(denom) of the body \(words)"
        default: return nil
        }
    }
}
