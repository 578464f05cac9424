import SCALE

/// Walks over values by their types and puts down cards (`signer-wire` section 6.2).
///
/// What is still to be read of the values that enclose the current one stands in `frames`, not on the call stack: a
/// frame for each type that encloses it, ``DecodingLimits/typeDepth`` at the most.
struct TypeWalk: CardWalk {
    let registry: TypeRegistry
    let network: NetworkSpecs
    var input: ScaleDecoder
    private(set) var cards: [Card] = []
    /// Calls that the cards hold.
    private(set) var calls: [NestedCall] = []
    var byteStrings: [ByteString] = []
    /// What the walk over extensions has met as a tip.
    var tip: UInt128?
    /// The facts that extensions state; set while extensions are walked.
    var facts: ExtensionFacts?
    var shapes: TypeShapes
    private var frames: [WalkFrame] = []
    private let cardLimit: Int
    /// Items that took up no byte, which count as cards.
    private var emptyItems = 0

    init(registry: TypeRegistry, network: NetworkSpecs, input: ScaleDecoder, cardLimit: Int) {
        self.registry = registry
        self.network = network
        self.input = input
        self.cardLimit = cardLimit
        shapes = TypeShapes(registry)
        cards.reserveCapacity(min(cardLimit, 16))
    }

    /// Reads one value of `type`.
    mutating func run(type: UInt32, indent: Int) throws(DecodingError) {
        frames.removeAll(keepingCapacity: true)
        try visit(type, WalkContext(indent: indent, depth: 1))
        while !frames.isEmpty { try advance() }
    }

    mutating func add(_ kind: CardKind, indent: Int) throws(DecodingError) {
        guard cards.count + emptyItems < cardLimit else { throw .tooManyCards(offset: input.position) }
        cards.append(Card(indent: indent, kind: kind))
    }

    /// Takes out the cards of fields, and moves what stands in them to the left.
    mutating func dropFieldCards(from first: Int) {
        cards[first...].removeAll { card in
            switch card.kind {
            case .fieldName, .fieldNumber: true
            default: false
            }
        }
        for index in cards.indices[first...] { cards[index].indent = 0 }
    }

    /// Notes that a call whose card comes next begins at `offset`, and ends when what is read of it ends.
    mutating func beginCall(at offset: Int, _ context: WalkContext) {
        push(WalkFrame(rest: .callEnd(calls.count), context: context, number: 0))
        calls.begin(card: cards.count, byte: offset)
    }

    mutating func push(_ frame: WalkFrame) {
        frames.append(frame)
    }

    /// Reads the next part of the innermost value that is not read to its end.
    private mutating func advance() throws(DecodingError) {
        let top = frames.count - 1
        let context = frames[top].context
        switch frames[top].rest {
        case .fields(let next, let end, let isOnly):
            frames[top].rest = .fields(next: next + 1, end: end, isOnly: isOnly)
            let number = frames[top].number
            frames[top].number += 1
            if next + 1 == end { frames.removeLast() }
            try readField(next, number: number, isOnly: isOnly, context)
        case .elements(let next, let end):
            frames[top].rest = .elements(next: next + 1, end: end)
            let number = frames[top].number
            frames[top].number += 1
            if next + 1 == end { frames.removeLast() }
            try readElement(shapes.elements[next], number: number, context)
        case .callEnd(let call):
            frames.removeLast()
            calls.end(call, card: cards.count, byte: input.position)
            try checkStatedLength(of: calls[call])
        case .items(let type, let left, let start):
            if start == input.position { try countEmptyItem() }
            guard left > 0 else {
                frames.removeLast()
                return
            }
            frames[top].rest = .items(type: type, left: left - 1, start: input.position)
            try visit(type, context.inside())
        }
    }

    /// Refuses a call whose length stands before it, as in `WrapperKeepOpaque`, and is another: the chain reads as many
    /// bytes as the length says, so it would read another call than the one that is shown, and other arguments behind
    /// it.
    private func checkStatedLength(of call: NestedCall) throws(DecodingError) {
        let first = call.cards.lowerBound
        guard first >= 4, case .fieldNumber(let number) = cards[first - 1].kind, number.number == 1,
            case .default(let stated) = cards[first - 2].kind, case .fieldName(let field) = cards[first - 4].kind,
            field.type.path.hasSuffix("WrapperKeepOpaque")
        else { return }
        guard stated == String(call.bytes.count) else {
            throw .wrappedCallLength(offset: call.bytes.lowerBound, stated: stated, found: call.bytes.count)
        }
    }

    private mutating func countEmptyItem() throws(DecodingError) {
        emptyItems += 1
        guard cards.count + emptyItems <= cardLimit else { throw .tooManyCards(offset: input.position) }
    }

    private mutating func readField(
        _ position: Int, number: Int, isOnly: Bool, _ context: WalkContext
    ) throws(DecodingError) {
        let field = shapes.fields[position]
        var inner = context.inside()
        switch field.amount {
        case .unsaid: break
        case .amount: inner.isAmount = true
        case .other: inner.isAmount = false
        }
        if field.name != nil || !isOnly {
            let docs = Documentation(blob: registry.blob, offset: field.docsOffset)
            let type = try fieldType(field.type)
            let kind: CardKind =
                field.name != nil
                ? .fieldName(FieldName(name: shapes.fieldName(position), docs: docs, type: type))
                : .fieldNumber(FieldNumber(number: number, docs: docs, type: type))
            try add(kind, indent: context.indent)
            inner.indent += 1
        }
        if field.isRemark, try readRemark(field.type, indent: inner.indent) { return }
        try visit(field.type, inner)
    }

    private mutating func readElement(_ type: UInt32, number: Int, _ context: WalkContext) throws(DecodingError) {
        let card = FieldNumber(number: number, docs: .empty, type: try fieldType(type))
        try add(.fieldNumber(card), indent: context.indent)
        try visit(type, context.inside())
    }

    private func fieldType(_ type: UInt32) throws(DecodingError) -> FieldType {
        FieldType(blob: registry.blob, offset: Int(try shapes.entry(type).start))
    }
}

/// How a value stands among those that enclose it.
struct WalkContext {
    var indent: Int
    /// Types that enclose the value, itself counted.
    var depth: Int
    /// The value is inside a compact.
    var isCompact = false
    /// The value is an amount of the native token.
    var isAmount = false

    /// The same context, one type further in.
    func inside() -> WalkContext {
        var context = self
        context.depth += 1
        return context
    }
}

/// The part of an enclosing value that is still to be read.
struct WalkFrame {
    var rest: Rest
    /// The context of the contents.
    var context: WalkContext
    /// The number of the next field or element.
    var number: Int

    enum Rest {
        /// Fields of the walk's shapes; at least one is left.
        case fields(next: Int, end: Int, isOnly: Bool)
        /// Elements of the walk's shapes; at least one is left.
        case elements(next: Int, end: Int)
        /// The end of the call with this position among the walk's calls.
        case callEnd(Int)
        /// - Parameter start: where the item before began, -1 before the first.
        case items(type: UInt32, left: Int, start: Int)
    }
}
