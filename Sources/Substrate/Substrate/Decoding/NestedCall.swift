/// A call among the cards of a transaction: the outermost one, or one that stands inside another.
package struct NestedCall: Hashable, Sendable {
    /// Positions of its cards among those of the method, from the card `pallet` to the last one of the arguments.
    package internal(set) var cards: Range<Int>
    /// Where its bytes stand in what was decoded, from the pallet's index on.
    package internal(set) var bytes: Range<Int>
}

/// A byte string among the cards of a call.
struct ByteString: Hashable, Sendable {
    /// Position of its card among those of the method.
    let card: Int
    /// Where it stands in what was decoded, without its length.
    let bytes: Range<Int>
}

/// Bytes that are a call which is not among the cards: the cards do not show what it does.
package struct OpaqueCall: Hashable, Sendable {
    /// Position of the bytes' card among those of the method.
    package internal(set) var card: Int
    /// Where the call stands in what was decoded, without its length.
    public let bytes: Range<Int>
    package let use: Use

    /// What becomes of the call.
    package enum Use: Hashable, Sendable {
        /// Goes to a multisig, whose other members compare the hash of its bytes.
        case multisig
        /// Is kept for a call elsewhere that names its hash.
        case preimage
        /// Stands in the place of such a hash.
        case inline
        /// Runs within an XCM program on this chain.
        case execution
        /// Runs on another chain, or in a place that is not known.
        case elsewhere
    }
}

/// A call that was read to its end.
public struct DecodedCall: Hashable, Sendable {
    /// What a person reads, in order.
    public let cards: [Card]
    /// The calls in the order of their first bytes; the whole call is the first.
    package let calls: [NestedCall]
    /// Calls that stay bytes. Empty until ``expanded(in:by:cardLimit:)`` has looked for them.
    package let opaqueCalls: [OpaqueCall]
    /// Byte strings that are long enough for a call.
    let byteStrings: [ByteString]

    init(cards: [Card], calls: [NestedCall], byteStrings: [ByteString] = [], opaqueCalls: [OpaqueCall] = []) {
        self.cards = cards
        self.calls = calls
        self.byteStrings = byteStrings
        self.opaqueCalls = opaqueCalls
    }
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
