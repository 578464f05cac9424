import Signer
import Substrate

/// An argument of a call as a person reads it.
struct LeafArgument {
    var name: String
    var lines: [[ValuePiece]]
}

/// The arguments of a call, from the cards that show them in full.
struct LeafArguments {
    let leaf: CallLeaf
    let cards: [Card]

    /// Lines of one argument at the most; the cards in full hold all of them.
    private static let lineLimit = 16

    var all: [LeafArgument] {
        let indent = cards[leaf.cards.lowerBound].indent + 2
        // Behind the cards of pallet and method; a call may have no method.
        let arguments = leaf.cards.dropFirst(2)
        return children(of: arguments, indent: indent).map { range in
            let name = Self.name(cards[range.lowerBound].kind)
            let lines = lines(name == nil ? range : range.dropFirst())
            let shown = lines.prefix(Self.lineLimit)
            let rest = lines.count - shown.count
            return LeafArgument(
                name: name ?? "",
                lines: shown + (rest > 0 ? [[.words("and \(rest) more, see in full")]] : []))
        }
    }

    private static func name(_ kind: CardKind) -> String? {
        switch kind {
        case .fieldName(let field): field.name
        case .fieldNumber(let field): "\(field.number)"
        case .varname(let name): name
        default: nil
        }
    }

    /// Each card with those that stand further in behind it.
    private func children(of range: Range<Int>, indent: Int) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var index = range.lowerBound
        while index < range.upperBound {
            var end = index + 1
            while end < range.upperBound, cards[end].indent > indent { end += 1 }
            found.append(index..<end)
            index = end
        }
        return found
    }

    /// What stands at the ends of the tree, each variant and field that holds it by name.
    private func lines(_ range: Range<Int>) -> [[ValuePiece]] {
        guard let first = range.first else { return [] }
        let indent = cards[range].lazy.map(\.indent).min() ?? cards[first].indent
        var lines: [[ValuePiece]] = []
        for child in children(of: range, indent: indent) {
            let inner = self.lines(child.dropFirst())
            guard let outer = piece(child.lowerBound) else {
                lines += inner
                continue
            }
            if inner.count == 1 { lines.append([outer] + inner[0]) } else { lines += [[outer]] + inner }
        }
        return Self.joined(lines)
    }

    /// Numbers behind each other share a line.
    private static func joined(_ lines: [[ValuePiece]]) -> [[ValuePiece]] {
        lines.reduce(into: []) { joined, line in
            if case .number(let next)? = line.first, line.count == 1, case .number(let last)? = joined.last?.first,
                joined.last?.count == 1
            {
                joined[joined.count - 1] = [.number("\(last), \(next)")]
            } else {
                joined.append(line)
            }
        }
    }

    /// What a card says by itself; nil for one that only holds others.
    private func piece(_ index: Int) -> ValuePiece? {
        switch cards[index].kind {
        case .id(let address): .account(address)
        case .balance(let amount): .amount(AssetAmount(asset: leaf.assetOfCards, value: amount.value))
        case .default(let text): .number(text)
        case .text(let text), .bytes(_, let text?): .text(text)
        case .bytes(let bytes, nil): .bytes(bytes)
        case .bitvec(let text): .number(text)
        case .identityField(let name), .varname(let name): .words(name)
        case .fieldName(let field): .words(field.name)
        // An account needs no further name; anything else that stands in its place has one.
        case .enumVariantName("Id", _) where holdsAccount(index): nil
        case .enumVariantName(let name, _): .words(name)
        case .none: .words("none")
        default: nil
        }
    }

    private func holdsAccount(_ index: Int) -> Bool {
        guard index + 1 < leaf.cards.upperBound, case .id = cards[index + 1].kind else { return false }
        return true
    }
}

extension CallLeaf {
    /// What the amounts among the call's cards are of.
    var assetOfCards: Asset { amounts.first?.asset ?? .native }
}
