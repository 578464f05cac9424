/// The arguments of a call as a person reads them, worked out when they are asked for.
///
///     for argument in CallArguments(of: leaf, in: answer.cards.method, effects: effects, network: network).all { … }
package struct CallArguments {
    package let leaf: CallLeaf
    private let cards: [Card]
    private let effects: TransactionEffects
    private let network: NetworkSpecs

    /// - Parameter cards: of the method, which the leaf's positions refer to.
    package init(of leaf: CallLeaf, in cards: [Card], effects: TransactionEffects, network: NetworkSpecs) {
        self.leaf = leaf
        self.cards = cards
        self.effects = effects
        self.network = network
    }

    /// All arguments in the order of the call.
    package var all: [CallArgument] {
        cards.withUnsafeBufferPointer { buffer in
            let tree = CallTree(buffer, calls: [NestedCall(cards: leaf.cards, bytes: leaf.bytes)])
            guard let node = tree.nodes.first else { return [] }
            let structured = StructuredArguments(node, in: tree, network: network)
            let lines = ArgumentLines(tree: tree, effects: effects)
            var roles = MethodRoles(pallet: leaf.pallet, method: leaf.method)
            return tree.arguments(of: node).enumerated().map { position, argument in
                let index = roles.index(of: argument.name, at: position)
                let role = roles.arguments[index].role
                let reading = structured.reading(argument.name, argument.value, role: role)
                return CallArgument(
                    name: argument.name, role: role, value: reading?.lines ?? lines.lines(of: argument.value))
            }
        }
    }
}

/// An argument of a call.
package struct CallArgument: Hashable, Sendable {
    package var name: String
    /// nil where this program knows none for the argument as a whole: parts of it may have roles of their own.
    package var role: ArgumentRole?
    /// In lines: one for a single value, one for each value inside a structure or a list. The pieces of a line stand
    /// behind each other as they are: blanks and commas between them belong to the words.
    package var value: [[ValuePiece]]
}

/// Puts cards in words: each value with the names of the fields and variants that lead to it.
struct ArgumentLines {
    let tree: CallTree
    let effects: TransactionEffects

    func lines(of range: Range<Int>) -> [[ValuePiece]] {
        var lines: [[ValuePiece]] = []
        /// Names around the next value.
        var around: [(indent: Int, name: String)] = []
        var index = range.lowerBound
        while index < range.upperBound {
            let card = tree.cards[index]
            around.removeAll { $0.indent >= card.indent }
            var end = index + 1
            while end < range.upperBound, tree.cards[end].indent > card.indent { end += 1 }
            let heading = around.isEmpty ? [] : [ValuePiece.words(around.map { $0.name + " " }.joined())]
            if case .pallet = card.kind {
                let call = CallTree.Node(cards: index..<end, bytes: 0..<0, parent: nil, depth: 0)
                lines.append(heading + [.words("\(tree.pallet(call)).\(tree.method(call)), shown by itself")])
                index = end
                continue
            }
            if end > index + 1 || card.argument != nil {
                if let name = name(index, range) { around.append((card.indent, name)) }
            } else if let piece = value(index) {
                lines.append(heading + [piece])
            }
            index += 1
        }
        return lines
    }

    /// The name of a field or of a variant that holds something; nil where the value alone says as much.
    private func name(_ index: Int, _ range: Range<Int>) -> String? {
        switch tree.cards[index].kind {
        // The usual form of an address.
        case .enumVariantName("Id", _) where index + 1 < range.upperBound && tree.isAccount(index + 1): nil
        case .enumVariantName(let name, _), .varname(let name): name
        case .fieldName(let field): field.name
        case .fieldNumber(let field): "\(field.number)"
        default: nil
        }
    }

    private func value(_ index: Int) -> ValuePiece? {
        switch tree.cards[index].kind {
        case .id(let address): .account(address)
        case .balance(let amount):
            .amount(AssetAmount(asset: effects.asset(ofCard: index) ?? .native, value: amount.value))
        case .default(let text): plain(text, index)
        case .text(let text): .text(text)
        case .bytes(let bytes, let text): text.map { .text($0) } ?? .bytes(bytes)
        case .enumVariantName(let name, _), .identityField(let name): .words(name)
        case .bitvec(let bits): .number(bits)
        case .none: .words("none")
        default: nil
        }
    }

    /// A number, a truth value, a character, or an empty sequence.
    private func plain(_ text: String, _ index: Int) -> ValuePiece {
        if text.isEmpty { return .words("empty") }
        if let value = UInt128(text), let asset = effects.asset(ofCard: index) {
            return .amount(AssetAmount(asset: asset, value: value))
        }
        if text.utf8.allSatisfy({ 0x30...0x39 ~= $0 || $0 == 0x2d }) { return .number(text) }
        switch text {
        case "true", "false", "True", "False": return .words(text.lowercased())
        default: return .text(text)
        }
    }
}
