import TextForms

/// Says where locations are, as one chain sees them.
struct LocationWords {
    let network: NetworkSpecs
    /// nil for a chain that this program does not know.
    let chain: KnownChain?

    // MARK: As pieces

    /// - Parameter location: as this chain sees it, simplified.
    func pieces(_ location: Location) -> [ValuePiece] {
        let (place, inside) = location.split
        guard let last = inside.last else { return [.words(words(chain: place))] }
        var pieces = pieces(last, at: place)
        for step in inside.dropLast().reversed() { pieces += [.words(" in ")] + self.pieces(step, at: place) }
        return pieces + [.words(" on \(words(chain: place))")]
    }

    private func pieces(_ step: Location.Junction, at place: Location) -> [ValuePiece] {
        switch step {
        case .account32(let id, let network):
            let suffix = ValuePiece.words(words(network: network, at: place))
            guard let address = address(id, at: place) else { return [.words("account "), .bytes(id), suffix] }
            return addressPrefix(at: place) == nil
                ? [
                    .words("account "), .account(address), .words(" (in the generic form; the key is "), .bytes(id),
                    .words(")"), suffix,
                ]
                : [.words("account "), .account(address), suffix]
        case .account20(let key, let network):
            guard let address = AccountAddress(accountID: key, prefix: Self.genericPrefix) else { return [.bytes(key)] }
            return [
                .words(isOnEthereum(place) ? "Ethereum account " : "account "), .account(address),
                .words(words(network: network, at: place)),
            ]
        case .index(let index): return [.words("index "), .number("\(index)")]
        case .key(let key, nil): return [.words("key "), .bytes(key)]
        case .key(let key, let length?):
            return [.words("key "), .bytes(key), .words(" of length "), .number("\(length)")]
        default: return [.words(words(step, at: place))]
        }
    }

    /// The account or place that a location means, and where that is.
    func recipient(_ location: Location) -> ArgumentReading.Place {
        let (place, inside) = location.split
        guard inside.count == 1, let step = inside.first else {
            return ArgumentReading.Place(account: nil, words: words(location))
        }
        guard canHold(step, at: place) else {
            return ArgumentReading.Place(account: nil, words: kind(of: step, at: place), isNoAccount: true)
        }
        let account: AccountAddress?
        switch step {
        case .account32(let id, _): account = address(id, at: place)
        case .account20(let key, _): account = AccountAddress(accountID: key, prefix: Self.genericPrefix)
        default: account = nil
        }
        return account.map { ArgumentReading.Place(account: $0, words: "on \(words(chain: place))") }
            ?? ArgumentReading.Place(account: nil, words: words(location))
    }

    /// What kind of account a place cannot have, without the account: among other words a key would be cut.
    private func kind(of step: Location.Junction, at place: Location) -> String {
        switch step {
        case .account32(let id, let network), .account20(let id, let network):
            "an account of \(id.count) bytes\(words(network: network, at: place)) on \(words(chain: place))"
        default: "\(words(step, at: place)) on \(words(chain: place))"
        }
    }

    /// Whether a chain may have an account of this kind; also where nothing is known of the chain.
    private func canHold(_ step: Location.Junction, at place: Location) -> Bool {
        switch step {
        case .account32(_, let network): accountLength(at: place) != 20 && mayBe(network, at: place)
        case .account20(_, let network): accountLength(at: place) != 32 && mayBe(network, at: place)
        case .accountIndex, .onlyChild: false
        default: true
        }
    }

    /// Whether an account that is said to be of a network may be one at a place.
    private func mayBe(_ network: Location.Consensus?, at place: Location) -> Bool {
        guard let network, let own = consensus(of: place) else { return true }
        return network == own
    }

    /// The bytes that accounts at a place have; nil where they are not known, or some are taken in both forms.
    private func accountLength(at place: Location) -> Int? {
        if place == .here { return network.scheme == .ethereum ? 20 : chain?.accountLength }
        switch (consensus(of: place), place.interior.last) {
        case (.ethereum, _): return 20
        case (.relay, nil): return isRelay(levels: place.parents) ? 32 : nil
        case (.relay, .consensus): return 32
        case (.relay(let relay), .parachain(let id)): return relay.accountLength(ofParachain: id)
        default: return nil
        }
    }

    // MARK: As words

    /// A location in words without addresses: accounts stand as hex.
    func words(_ location: Location) -> String {
        let (place, inside) = location.split
        guard !inside.isEmpty else { return words(chain: place) }
        let steps = inside.reversed().map { words($0, at: place) }
        return "\(steps.joined(separator: " in ")) on \(words(chain: place))"
    }

    private func words(_ step: Location.Junction, at place: Location) -> String {
        switch step {
        case .parachain(let id): "parachain \(id)"
        case .account32(let id, let network):
            "account 0x\(Hex.encode(id))\(words(network: network, at: place))"
        case .account20(let key, let network):
            "account 0x\(Hex.encode(key))\(words(network: network, at: place))"
        case .accountIndex(let index, let network): "account index \(index)\(words(network: network, at: place))"
        case .pallet(let index): "pallet \(index)"
        case .index(let index): "index \(index)"
        case .key(let key, let length): "key 0x\(Hex.encode(key))" + (length.map { " of length \($0)" } ?? "")
        case .onlyChild: "the only child"
        case .plurality(let body): body
        case .consensus(let consensus): words(consensus)
        }
    }

    private func words(_ consensus: Location.Consensus) -> String {
        switch consensus {
        case .relay(let relay): relay.rawValue
        case .ethereum(let id): "Ethereum (chain id \(id))"
        case .other(let words): words
        }
    }

    /// The network that an account is said to be of, where it is not the place's own.
    private func words(network: Location.Consensus?, at place: Location) -> String {
        guard let network, network != consensus(of: place) else { return "" }
        return " (of the network \(words(network)))"
    }

    /// A chain: a location without steps into one.
    func words(chain place: Location) -> String {
        let steps = place.interior
        guard let first = steps.first else { return words(levelsUp: place.parents) }
        switch first {
        case .consensus(let consensus) where isOutside(levels: place.parents):
            guard steps.count > 1 else {
                if case .relay(let relay) = consensus { return "the relay chain of \(relay.rawValue)" }
                return words(consensus)
            }
            guard steps.count == 2, case .parachain(let id) = steps[1] else { break }
            return "\(words(parachain: id, of: consensus)) of \(words(consensus))"
        case .parachain(let id) where steps.count == 1 && isRelay(levels: place.parents):
            return words(parachain: id, of: chain.map { .relay($0.relay) })
        default: break
        }
        let path = steps.map { words($0, at: place) }.joined(separator: ", ")
        return "a place \(place.parents) levels above this chain and from there: \(path)"
    }

    private func words(levelsUp parents: Int) -> String {
        switch (parents, chain) {
        case (0, _): "this chain"
        case (1, nil): "the relay chain"
        case (1, let chain?) where chain.parachain != nil: "the relay chain (\(chain.relay.rawValue))"
        default: "a place \(parents) levels above this chain"
        }
    }

    private func words(parachain id: UInt32, of consensus: Location.Consensus?) -> String {
        guard case .relay(let relay)? = consensus, let name = relay.name(ofParachain: id) else {
            return "parachain \(id)"
        }
        return "parachain \(id) (\(name))"
    }

    // MARK: Places

    /// Whether parachains stand so many levels above this chain: as children of a relay chain, beside a parachain.
    private func isRelay(levels: Int) -> Bool {
        guard let chain else { return levels <= 1 }
        return levels == (chain.parachain == nil ? 0 : 1)
    }

    /// Whether so many levels above this chain its relay chain is left.
    private func isOutside(levels: Int) -> Bool {
        guard let chain else { return levels == 1 || levels == 2 }
        return levels == (chain.parachain == nil ? 1 : 2)
    }

    /// The world that a chain belongs to; nil where it is not known.
    private func consensus(of place: Location) -> Location.Consensus? {
        if case .consensus(let consensus)? = place.interior.first { return consensus }
        return chain.map { .relay($0.relay) }
    }

    private func isOnEthereum(_ place: Location) -> Bool {
        if case .ethereum? = consensus(of: place) { true } else { false }
    }

    // MARK: Addresses

    /// The prefix of addresses that belong to no network.
    private static let genericPrefix: UInt16 = 42

    /// The form of addresses at a place; nil where it is not known.
    private func addressPrefix(at place: Location) -> UInt16? {
        if place == .here { return network.base58Prefix }
        guard case .relay(let relay)? = consensus(of: place) else { return nil }
        switch place.interior.last {
        case nil: return isRelay(levels: place.parents) ? relay.prefix : nil
        case .consensus?: return relay.prefix
        case .parachain(let id)?: return KnownChain.Relay.isSystem(parachain: id) ? relay.prefix : nil
        default: return nil
        }
    }

    private func address(_ id: [UInt8], at place: Location) -> AccountAddress? {
        AccountAddress(accountID: id, prefix: addressPrefix(at: place) ?? Self.genericPrefix)
    }
}
