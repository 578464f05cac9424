import Signer
import Substrate
import TextForms

/// The arguments of a call in a line each, from the cards that show them in full.
enum ArgumentText {
    /// Values of one argument in a line at the most; the cards below hold all of them.
    private static let valueLimit = 16

    static func rows(_ leaf: CallLeaf, _ cards: [Card]) -> [(name: String, value: String)] {
        var rows: [(name: String, value: String)] = []
        let indent = cards[leaf.cards.lowerBound].indent + 2
        var index = leaf.cards.lowerBound + 2
        while index < leaf.cards.upperBound {
            var end = index + 1
            while end < leaf.cards.upperBound, cards[end].indent > indent { end += 1 }
            if let name = name(cards[index].kind) {
                rows.append((name, value(cards[index + 1..<end], leaf)))
            } else {
                rows.append(("", value(cards[index..<end], leaf)))
            }
            index = end
        }
        return rows
    }

    private static func name(_ kind: CardKind) -> String? {
        switch kind {
        case .fieldName(let field): field.name
        case .fieldNumber(let field): "\(field.number)"
        case .varname(let name): name
        default: nil
        }
    }

    /// What stands at the ends of the tree; a variant's name only where nothing stands behind it.
    private static func value(_ cards: ArraySlice<Card>, _ leaf: CallLeaf) -> String {
        let values = cards.indices.compactMap { index -> String? in
            let isEnd = index + 1 == cards.endIndex || cards[index + 1].indent <= cards[index].indent
            return isEnd ? text(cards[index].kind, leaf) : nil
        }
        let shown = values.prefix(valueLimit).joined(separator: ", ")
        return values.count > valueLimit ? "\(shown), and \(values.count - valueLimit) more below" : shown
    }

    private static func text(_ kind: CardKind, _ leaf: CallLeaf) -> String? {
        switch kind {
        case .id(let address): address.text
        case .balance(let amount): self.amount(amount, leaf)
        case .default(let text), .text(let text), .bitvec(let text), .identityField(let text): text
        case .bytes(let bytes, let text): text ?? "0x" + Hex.encode(bytes)
        case .enumVariantName(let name, _): name
        case .none: "none"
        default: nil
        }
    }

    /// Metadata do not tell decimals and symbol of assets beside the network's own.
    private static func amount(_ amount: Amount, _ leaf: CallLeaf) -> String {
        guard case .other(let pallet, let id)? = leaf.amounts.first?.asset else { return "\(amount)" }
        return "\(amount.value) units of \(pallet) \(id)"
    }
}
