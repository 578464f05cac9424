/// The calls of a transaction as a tree, and what stands among their cards.
///
/// Works alike for every version of metadata and for proofs, because all of them put down the same cards. Valid while the
/// buffer of cards is; reading through it looks at cards without copying them.
struct CallTree {
    let cards: UnsafeBufferPointer<Card>
    /// The outermost call first, each before those inside it.
    private(set) var nodes: [Node] = []

    struct Node {
        /// From the card `pallet` to the last card of the arguments.
        let cards: Range<Int>
        let bytes: Range<Int>
        /// Position of the call around it.
        let parent: Int?
        /// Calls around it.
        let depth: Int
        var hasCallsInside = false
    }

    init(_ cards: UnsafeBufferPointer<Card>, calls: [NestedCall]) {
        self.cards = cards
        nodes.reserveCapacity(calls.count)
        var open: [Int] = []
        for call in calls {
            while let top = open.last, call.cards.lowerBound >= nodes[top].cards.upperBound { open.removeLast() }
            if let top = open.last { nodes[top].hasCallsInside = true }
            open.append(nodes.count)
            nodes.append(
                Node(cards: call.cards, bytes: call.bytes, parent: open.dropLast().last, depth: open.count - 1))
        }
    }

    func pallet(_ node: Node) -> String { cards[node.cards.lowerBound].pallet ?? "" }

    /// Empty for a call that has no method of its own.
    func method(_ node: Node) -> String {
        let next = node.cards.lowerBound + 1
        return next < node.cards.upperBound ? cards[next].method ?? "" : ""
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
            let name = cards[index].indent == indent ? cards[index].argument : nil
            var next = index + 1
            while next < end, cards[next].indent > indent || (name == nil && cards[next].indent != indent) { next += 1 }
            if let name, !body(name, index + 1..<next) { return }
            index = next
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

extension Card {
    fileprivate var pallet: String? { if case .pallet(let name) = kind { name } else { nil } }

    fileprivate var method: String? { if case .method(let name, _) = kind { name } else { nil } }

    /// The name of an argument.
    fileprivate var argument: String? {
        switch kind {
        case .fieldName(let field): field.name
        case .varname(let name): name
        default: nil
        }
    }
}
