/// The calls of a transaction as a tree, found again among its cards: a card `pallet` begins a call, wherever it stands.
///
/// Works alike for every version of metadata and for proofs, because all of them put down the same cards. Valid while the
/// buffer of cards is; reading through it looks at cards without copying them.
struct CallTree {
    let cards: UnsafeBufferPointer<Card>
    /// The outermost call first, each before those inside it.
    private(set) var nodes: [Node] = []

    struct Node {
        /// From the card `pallet` to the last card of the arguments.
        var cards: Range<Int>
        /// Position of the call around it.
        let parent: Int?
        /// Calls around it.
        let depth: Int
        /// Where its bytes stand, if the walk has noted it.
        let bytes: Range<Int>?
        var hasCallsInside = false
    }

    /// - Parameter calls: places of the calls; may be empty.
    init(_ cards: UnsafeBufferPointer<Card>, calls: [NestedCall]) {
        self.cards = cards
        var open: [Int] = []
        var call = 0
        for index in cards.indices {
            let indent = cards[index].indent
            while let top = open.last, indent <= cards[nodes[top].cards.lowerBound].indent {
                nodes[top].cards = nodes[top].cards.lowerBound..<index
                open.removeLast()
            }
            guard case .pallet = cards[index].kind else { continue }
            while call < calls.count, calls[call].card < index { call += 1 }
            let bytes = call < calls.count && calls[call].card == index ? calls[call].range : nil
            if let top = open.last { nodes[top].hasCallsInside = true }
            nodes.append(
                Node(cards: index..<cards.count, parent: open.last, depth: open.count, bytes: bytes))
            open.append(nodes.count - 1)
        }
    }

    func pallet(_ node: Node) -> String {
        if case .pallet(let name) = cards[node.cards.lowerBound].kind { name } else { "" }
    }

    /// Empty for a call that has no method of its own.
    func method(_ node: Node) -> String {
        let next = node.cards.lowerBound + 1
        guard next < node.cards.upperBound, case .method(let name, _) = cards[next].kind else { return "" }
        return name
    }

    /// Whether the call at a position hands the calls inside it to a multisig.
    func isMultisig(_ position: Int) -> Bool { method(nodes[position]).hasPrefix("as_multi") }

    /// Whether a call of the pallet Sudo stands around a call.
    func isUnderSudo(_ node: Node) -> Bool {
        var parent = node.parent
        while let position = parent {
            if pallet(nodes[position]) == "Sudo" { return true }
            parent = nodes[position].parent
        }
        return false
    }

    /// Calls `body` with each argument's name and the cards of its value, until it returns false.
    func forEachArgument(_ node: Node, _ body: (_ name: String, _ value: Range<Int>) -> Bool) {
        var index = node.cards.lowerBound + 2
        let end = node.cards.upperBound
        guard index <= end else { return }
        let indent = cards[node.cards.lowerBound].indent + 2
        while index < end {
            let name = argumentName(index, indent: indent)
            var next = index + 1
            while next < end, cards[next].indent > indent || (name == nil && cards[next].indent != indent) { next += 1 }
            if let name, !body(name, index + 1..<next) { return }
            index = next
        }
    }

    private func argumentName(_ index: Int, indent: Int) -> String? {
        guard cards[index].indent == indent else { return nil }
        switch cards[index].kind {
        case .fieldName(let field): return field.name
        case .varname(let name): return name
        default: return nil
        }
    }

    /// The cards of the argument with a name.
    func argument(_ name: String, of node: Node) -> Range<Int>? {
        var found: Range<Int>?
        forEachArgument(node) { argument, value in
            if argument == name { found = value }
            return found == nil
        }
        return found
    }

    /// The first account among cards.
    func account(in range: Range<Int>) -> AccountAddress? {
        for index in range { if case .id(let address) = cards[index].kind { return address } }
        return nil
    }

    func accounts(in range: Range<Int>) -> [AccountAddress] {
        cards[range].compactMap { if case .id(let address) = $0.kind { address } else { nil } }
    }

    /// The number that an argument is.
    func number(in range: Range<Int>) -> UInt64? {
        guard let first = range.first, case .default(let text) = cards[first].kind else { return nil }
        return UInt64(text)
    }
}
