/// The calls of a transaction as a tree, and what stands among their cards.
///
/// Works alike for every version of metadata and for proofs, because all of them put down the same cards. Valid while
/// the buffer of cards is; reading through it looks at cards without copying them.
struct CallTree {
    let cards: UnsafeBufferPointer<Card>
    /// The outermost call first, each before those inside it.
    private(set) var nodes: [Node] = []

    struct Node {
        /// The call's cards, from the card `pallet` to the last card of the arguments.
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

    /// The arguments of a call: name, and cards of the value.
    func arguments(of node: Node) -> Arguments { Arguments(cards, node.cards) }

    /// The cards of the argument with a name.
    func argument(_ name: String, of node: Node) -> Range<Int>? {
        for argument in arguments(of: node) where argument.name == name { return argument.value }
        return nil
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

extension CallTree {
    struct Arguments: Sequence, IteratorProtocol {
        private let cards: UnsafeBufferPointer<Card>
        private var index: Int
        private let end: Int
        private let indent: Int

        fileprivate init(_ cards: UnsafeBufferPointer<Card>, _ call: Range<Int>) {
            self.cards = cards
            index = Swift.min(call.lowerBound + 2, call.upperBound)
            end = call.upperBound
            indent = cards[call.lowerBound].indent + 2
        }

        mutating func next() -> (name: String, value: Range<Int>)? {
            while index < end {
                let start = index
                let name = cards[start].indent == indent ? cards[start].argument : nil
                index += 1
                while index < end, cards[index].indent > indent || (name == nil && cards[index].indent != indent) {
                    index += 1
                }
                if let name { return (name, start + 1..<index) }
            }
            return nil
        }
    }
}

extension Card {
    fileprivate var pallet: String? { if case .pallet(let name) = kind { name } else { nil } }

    fileprivate var method: String? { if case .method(let name, _) = kind { name } else { nil } }

    /// The number of a field without a name, or of a part of a tuple.
    var number: String? { if case .fieldNumber(let field) = kind { "\(field.number)" } else { nil } }

    /// The name of an argument, or of a field inside one.
    var argument: String? { kind.argument }
}

extension CardKind {
    /// The name of an argument, or of a field inside one.
    var argument: String? {
        switch self {
        case .fieldName(let field): field.name
        case .varname(let name): name
        default: nil
        }
    }
}
