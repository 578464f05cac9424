/// A call among the cards of a transaction: the outermost one, or one that stands inside another.
public struct NestedCall: Hashable, Sendable {
    /// Position of its card `pallet` among the cards of the method.
    public let card: Int
    /// Where its bytes stand in what was decoded, from the pallet's index on.
    public internal(set) var range: Range<Int>
}

/// A call that was read to its end.
public struct DecodedCall: Hashable, Sendable {
    public let cards: [Card]
    /// In the order of their first bytes; the whole call is the first.
    public let calls: [NestedCall]
}
