extension DecodedCall {
    /// The same call with the calls in it that stand as bytes: each is decoded under the card of its bytes, and so are
    /// those inside it. The cards around them stay as they are.
    ///
    ///     let whole = try call.expanded(in: payload, by: decoder)
    ///     let effects = try TransactionEffects(whole, signer: author, network: specs)
    ///
    /// - Parameters:
    ///   - bytes: what the call was decoded from.
    ///   - decoder: reads calls of the same chain; nil leaves all of them bytes.
    ///   - cardLimit: how many cards there may be in the end.
    /// - Throws: ``DecodingError`` where the calls go beyond the limits of decoding. Bytes that are no call stand among
    ///   ``opaqueCalls``, and so do calls that run on another chain.
    public func expanded(
        in bytes: [UInt8], by decoder: (any CallDecoding)?, cardLimit: Int = DecodingLimits.cards
    ) throws(DecodingError) -> DecodedCall {
        let places = OpaquePlace.all(in: self)
        var expansion = CallExpansion(bytes: bytes, decoder: decoder, cardsLeft: cardLimit - cards.count)
        return try expansion.expand(self, places, depth: 1)
    }
}

/// Decodes calls that stand as bytes inside others.
///
/// Bytes are looked at once for each call that they stand in, which are ``TransactionEffects/depthLimit`` at the most,
/// and cards and attempts are counted over all of them.
private struct CallExpansion {
    let bytes: [UInt8]
    let decoder: (any CallDecoding)?
    var cardsLeft: Int
    var attemptsLeft = TransactionEffects.leafLimit

    mutating func expand(
        _ call: DecodedCall, _ places: [OpaquePlace], depth: Int
    ) throws(DecodingError) -> DecodedCall {
        if places.isEmpty { return call }
        guard depth <= TransactionEffects.depthLimit else { throw .callsTooDeep }
        var merge = CallMerge(outer: call)
        for place in places {
            if place.use != .elsewhere, let inner = try decode(place.string.bytes, depth: depth) {
                merge.insert(inner, under: place.string.card)
            } else {
                merge.leave(place)
            }
        }
        return merge.finished()
    }

    /// nil for what is no call of the chain.
    private mutating func decode(_ range: Range<Int>, depth: Int) throws(DecodingError) -> DecodedCall? {
        guard let decoder else { return nil }
        guard attemptsLeft > 0 else { throw .tooManyCalls }
        attemptsLeft -= 1
        let inner: DecodedCall
        do throws(DecodingError) {
            inner = try decoder.readCall(bytes, in: range, cardLimit: cardsLeft)
        } catch {
            switch error {
            case .tooManyCards, .tooDeep: throw error
            default: return nil
            }
        }
        cardsLeft -= inner.cards.count
        return try expand(inner, OpaquePlace.all(in: inner), depth: depth + 1)
    }
}

/// Puts decoded calls under the cards of their bytes, from the first card to the last.
private struct CallMerge {
    let outer: DecodedCall
    private var cards: [Card] = []
    private var calls: [NestedCall] = []
    private var opaqueCalls: [OpaqueCall] = []
    /// Cards of `outer` that are copied.
    private var copied = 0
    /// The cards of `outer` behind which something was inserted, and how many cards stand more from there on.
    private var shifts: [(card: Int, count: Int)] = []

    init(outer: DecodedCall) {
        self.outer = outer
        cards.reserveCapacity(outer.cards.count)
    }

    private mutating func copy(upTo end: Int) {
        cards += outer.cards[copied..<end]
        copied = end
    }

    mutating func leave(_ place: OpaquePlace) {
        copy(upTo: place.string.card + 1)
        opaqueCalls.append(OpaqueCall(card: cards.count - 1, bytes: place.string.bytes, use: place.use))
    }

    mutating func insert(_ inner: DecodedCall, under card: Int) {
        copy(upTo: card + 1)
        let start = cards.count
        let indent = outer.cards[card].indent + 1
        cards += inner.cards.map { Card(indent: $0.indent + indent, kind: $0.kind) }
        calls += inner.calls.map {
            NestedCall(cards: $0.cards.lowerBound + start..<$0.cards.upperBound + start, bytes: $0.bytes)
        }
        opaqueCalls += inner.opaqueCalls.map { OpaqueCall(card: $0.card + start, bytes: $0.bytes, use: $0.use) }
        shifts.append((card, (shifts.last?.count ?? 0) + inner.cards.count))
    }

    mutating func finished() -> DecodedCall {
        copy(upTo: outer.cards.count)
        calls += outer.calls.map {
            NestedCall(cards: shifted($0.cards.lowerBound)..<shifted($0.cards.upperBound), bytes: $0.bytes)
        }
        calls.sort { $0.cards.lowerBound < $1.cards.lowerBound }
        return DecodedCall(cards: cards, calls: calls, opaqueCalls: opaqueCalls)
    }

    /// Where a card of `outer`, or the end behind one, stands now.
    private func shifted(_ card: Int) -> Int {
        var low = 0
        var high = shifts.count
        while low < high {
            let middle = (low + high) / 2
            if shifts[middle].card < card { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? card : card + shifts[low - 1].count
    }
}
