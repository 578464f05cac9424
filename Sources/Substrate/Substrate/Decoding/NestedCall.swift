/// A call among the cards of a transaction: the outermost one, or one that stands inside another.
public struct NestedCall: Hashable, Sendable {
    /// Positions of its cards among those of the method, from the card `pallet` to the last one of the arguments.
    public internal(set) var cards: Range<Int>
    /// Where its bytes stand in what was decoded, from the pallet's index on.
    public internal(set) var bytes: Range<Int>
}

/// A call that was read to its end.
public struct DecodedCall: Hashable, Sendable {
    public let cards: [Card]
    /// In the order of their first bytes; the whole call is the first.
    public let calls: [NestedCall]
}

extension [NestedCall] {
    /// Notes that a call begins whose card comes next; ``end(_:card:byte:)`` notes its end.
    mutating func begin(card: Int, byte: Int) {
        append(NestedCall(cards: card..<card, bytes: byte..<byte))
    }

    mutating func end(_ call: Int, card: Int, byte: Int) {
        self[call].cards = self[call].cards.lowerBound..<card
        self[call].bytes = self[call].bytes.lowerBound..<byte
    }
}
