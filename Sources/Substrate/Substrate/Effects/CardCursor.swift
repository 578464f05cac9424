/// Goes through the cards of a value in order, so that reading any cards takes time in proportion to their number.
///
/// Says nil where the cards are not of the shape that the caller expects.
struct CardCursor {
    private let cards: UnsafeBufferPointer<Card>
    private(set) var position: Int
    private let end: Int

    init(_ cards: UnsafeBufferPointer<Card>, _ range: Range<Int>) {
        self.cards = cards
        let whole = range.clamped(to: cards.startIndex..<cards.endIndex)
        (position, end) = (whole.lowerBound, whole.upperBound)
    }

    var isAtEnd: Bool { position == end }

    /// The card that comes next.
    var kind: CardKind? { isAtEnd ? nil : cards[position].kind }

    /// The indentation of the card that comes next.
    var indent: Int? { isAtEnd ? nil : cards[position].indent }

    /// Whether the next card stands below one with the indentation `parent`.
    func isInside(_ parent: Int) -> Bool { indent.map { $0 > parent } ?? false }

    mutating func advance() {
        if !isAtEnd { position += 1 }
    }

    /// Passes all cards that stand below one with the indentation `parent`.
    ///
    /// - Returns: where they stand.
    @discardableResult
    mutating func skip(inside parent: Int) -> Range<Int> {
        let start = position
        while isInside(parent) { position += 1 }
        return start..<position
    }

    // MARK: Cards of one kind, which are passed when they are there

    /// Passes the name of a field.
    mutating func field(_ name: String) -> Bool {
        guard fieldName == name else { return false }
        advance()
        return true
    }

    /// The name of the field or argument that comes next, which is not passed.
    var fieldName: String? { kind?.argument }

    /// The name of the variant that comes next, which is not passed.
    var variantName: String? {
        if case .enumVariantName(let name, _) = kind { name } else { nil }
    }

    /// Whether a field or an element with a number comes next, which is not passed.
    var isNumberedField: Bool {
        if case .fieldNumber = kind { true } else { false }
    }

    mutating func variant() -> String? {
        guard let name = variantName else { return nil }
        advance()
        return name
    }

    /// Passes `none`.
    mutating func none() -> Bool {
        guard case .none? = kind else { return false }
        advance()
        return true
    }

    /// A whole number, also one that is shown as an amount of the network's token.
    mutating func number() -> UInt128? {
        let value: UInt128?
        switch kind {
        case .default(let text): value = UInt128(text)
        case .balance(let amount): value = amount.value
        default: value = nil
        }
        if value != nil { advance() }
        return value
    }

    /// A byte string, which stands as an empty text where it is empty.
    mutating func bytes() -> [UInt8]? {
        let value: [UInt8]?
        switch kind {
        case .bytes(let bytes, _): value = bytes
        case .text(let text): value = Array(text.utf8)
        case .default(""): value = []
        default: value = nil
        }
        if value != nil { advance() }
        return value
    }

    /// Passes the empty text that stands for a list without items.
    mutating func emptyList() -> Bool {
        guard case .default("")? = kind else { return false }
        advance()
        return true
    }

    mutating func account() -> AccountAddress? {
        guard case .id(let address) = kind else { return nil }
        advance()
        return address
    }

    mutating func bool() -> Bool? {
        guard case .default(let text) = kind, text == "true" || text == "false" else { return nil }
        advance()
        return text == "true"
    }
}
