extension ArgumentReader {
    var words: LocationWords { LocationWords(network: network, chain: chain) }

    /// The location that cards hold, alone or as the chain that has an asset, as this chain sees it.
    func location(in range: Range<Int>) -> Location? {
        var cursor = CardCursor(cards, range)
        cursor.passVersion()
        let isOfAsset = cursor.field("location")
        guard let location = cursor.location(), isOfAsset || cursor.isAtEnd else { return nil }
        return location.simplified(on: chain)
    }

    func readLocation(_ cursor: inout CardCursor, at place: Location) -> ArgumentReading? {
        guard let location = cursor.location() else { return nil }
        let seen = location.seen(through: place).simplified(on: chain)
        return ArgumentReading(lines: [words.pieces(seen)], accounts: [words.recipient(seen)])
    }

    func readBeneficiary(_ cursor: inout CardCursor, at place: Location) -> ArgumentReading? {
        guard let told = cursor.location() else { return nil }
        let found = beneficiary(told, at: place)
        return ArgumentReading(lines: [found.pieces], accounts: [found.account])
    }

    /// Who gets what a chain deposits.
    ///
    /// - Parameters:
    ///   - told: as the chain itself is told.
    ///   - place: the chain that deposits.
    func beneficiary(_ told: Location, at place: Location) -> (pieces: [ValuePiece], account: ArgumentReading.Place) {
        let seen = told.seen(through: place)
        guard told.isNoPlainAccount else {
            let short = seen.simplified(on: chain)
            return (words.pieces(short), words.recipient(short))
        }
        let (depositor, owner) = (words.words(chain: place), words.words(chain: seen.split.chain))
        let key = told.interior.lazy.compactMap(\.accountID).first
        return (
            [.words("whatever \(depositor) makes of account ")] + (key.map { [.bytes($0)] } ?? [])
                + [.words(" of \(owner), never that account itself")],
            ArgumentReading.Place(
                account: nil, words: "whatever \(depositor) makes of an account of \(owner)", isNoAccount: true)
        )
    }

    func readLocations(_ cursor: inout CardCursor, at place: Location) -> ArgumentReading? {
        cursor.passVersion()
        var reading = ArgumentReading()
        if cursor.emptyList() { return reading }
        repeat {
            guard let next = readLocation(&cursor, at: place) else { return nil }
            reading.lines += next.lines
            reading.accounts += next.accounts
        } while !cursor.isAtEnd
        return reading
    }

    func readTransferType(_ cursor: inout CardCursor) -> ArgumentReading? {
        switch cursor.variant() {
        case "Teleport": return ArgumentReading(lines: [[.words("by teleport")]])
        case "LocalReserve": return ArgumentReading(lines: [[.words("this chain keeps the reserve")]])
        case "DestinationReserve": return ArgumentReading(lines: [[.words("the destination keeps the reserve")]])
        case "RemoteReserve":
            guard let location = cursor.location() else { return nil }
            let seen = location.simplified(on: chain)
            return ArgumentReading(lines: [words.pieces(seen) + [.words(" keeps the reserve")]])
        default: return nil
        }
    }
}
