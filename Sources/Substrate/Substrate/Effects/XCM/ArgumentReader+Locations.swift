extension ArgumentReader {
    var words: LocationWords { LocationWords(network: network, chain: chain) }

    /// The location that cards hold and nothing else, as this chain sees it.
    func location(in range: Range<Int>) -> Location? {
        var cursor = CardCursor(cards, range)
        guard let location = cursor.location(), cursor.isAtEnd else { return nil }
        return location.simplified(on: chain)
    }

    func readLocation(_ cursor: inout CardCursor, at place: Location) -> ArgumentReading? {
        guard let location = cursor.location() else { return nil }
        let seen = location.seen(through: place).simplified(on: chain)
        return ArgumentReading(lines: [words.pieces(seen)], accounts: [words.recipient(seen)])
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
}
