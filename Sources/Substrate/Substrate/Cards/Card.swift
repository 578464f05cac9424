/// One line of what a transaction, message or update says, in plain words.
///
/// Cards form a tree by indentation: a card's children follow it and stand one step further in. `index`, the position
/// over a whole answer, is the position in the list that the answer is put together from. Source: `signer-wire` section
/// 6.1.
public struct Card: Hashable, Sendable {
    /// Steps to the right, from 0.
    public var indent: Int
    /// What it shows.
    public var kind: CardKind

    package init(indent: Int, kind: CardKind) {
        self.indent = indent
        self.kind = kind
    }
}
