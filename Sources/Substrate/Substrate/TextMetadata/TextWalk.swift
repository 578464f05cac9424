import SCALE

/// Walks over a call by the texts of its types and puts down cards (`signer-wire` section 6.3).
///
/// What is still to be read of the values that enclose the current one stands in `frames`, not on the call stack.
struct TextWalk: CardWalk {
    let metadata: TextMetadata
    let network: NetworkSpecs
    var input: ScaleDecoder
    private(set) var cards: [Card] = []
    /// Calls that the cards hold.
    private(set) var calls: [NestedCall] = []
    var byteStrings: [ByteString] = []
    private var types: TextTypes
    private var callShapes: [CallIndex: CallShape] = [:]
    private var frames: [TextFrame] = []
    private let cardLimit: Int
    /// Items that took up no byte, which count as cards.
    private var emptyItems = 0

    init(metadata: TextMetadata, network: NetworkSpecs, types: TypesTable, input: ScaleDecoder, cardLimit: Int) {
        self.metadata = metadata
        self.network = network
        self.input = input
        self.cardLimit = cardLimit
        self.types = TextTypes(types)
    }

    /// Reads one call with all calls inside it.
    mutating func run() throws(DecodingError) {
        try readCall(indent: 0)
        while !frames.isEmpty { try advance() }
    }

    mutating func add(_ kind: CardKind, indent: Int) throws(DecodingError) {
        guard cards.count + emptyItems < cardLimit else { throw .tooManyCards(offset: input.position) }
        cards.append(Card(indent: indent, kind: kind))
    }

    // MARK: Calls

    private mutating func readCall(indent: Int) throws(DecodingError) {
        let offset = input.position
        guard indent <= DecodingLimits.callIndent else { throw .tooDeep(offset: offset) }
        let index = CallIndex(pallet: try readByte(), method: try readByte())
        let call = try callShape(index)
        let rest = TextFrame.Rest.arguments(call.arguments[...], of: calls.count)
        frames.append(TextFrame(rest: rest, indent: indent + 2, depth: 0))
        calls.begin(card: cards.count, byte: offset)
        try add(.pallet(name: call.pallet), indent: indent)
        try add(.method(name: call.name, docs: call.docs), indent: indent + 1)
    }

    private mutating func callShape(_ index: CallIndex) throws(DecodingError) -> CallShape {
        if let known = callShapes[index] { return known }
        guard let pallet = metadata.pallet(index: index.pallet) else { throw .palletNotFound(index: index.pallet) }
        guard pallet.calls != nil else { throw .noCallsInPallet(name: pallet.name) }
        guard let call = metadata.call(index: index.method, of: pallet) else {
            throw .text(.methodNotFound(pallet: pallet.name, index: index.method))
        }
        let shape = CallShape(
            pallet: pallet.name, name: call.name, docs: Documentation(blob: metadata.blob, offset: call.docsOffset),
            arguments: call.arguments.map { argument in
                CallShape.Argument(name: argument.name, content: content(of: argument.type))
            })
        callShapes[index] = shape
        return shape
    }

    private mutating func content(of type: TypeText) -> CallShape.Content {
        switch type {
        case "Box<<T as Config<I>>::Proposal>", "Box<<T as Config>::Call>", "Box<<T as Config>::Proposal>": .call
        case "Vec<<T as Config>::Call>": .calls
        default: .value(types.id(type))
        }
    }

    private mutating func readArgument(_ argument: CallShape.Argument, indent: Int) throws(DecodingError) {
        try add(.varname(argument.name), indent: indent)
        switch argument.content {
        case .call: try readCall(indent: indent + 1)
        case .calls:
            let count = try readCount()
            if count == 0 { try add(.default(""), indent: indent + 1) }
            frames.append(TextFrame(rest: .calls(left: count), indent: indent + 1, depth: 0))
        case .value(let type): try visit(TextVisit(type: type, indent: indent + 1, depth: 1))
        }
    }

    // MARK: What is left

    /// Reads the next part of the innermost value that is not read to its end.
    private mutating func advance() throws(DecodingError) {
        let top = frames.count - 1
        let frame = frames[top]
        switch frame.rest {
        case .arguments(var left, let call):
            guard let argument = left.popFirst() else {
                calls.end(call, card: cards.count, byte: input.position)
                return endValue()
            }
            frames[top].rest = .arguments(left, of: call)
            try readArgument(argument, indent: frame.indent)
        case .calls(let left):
            guard left > 0 else { return endValue() }
            frames[top].rest = .calls(left: left - 1)
            try readCall(indent: frame.indent)
        case .items(let type, let left, let start):
            if start == input.position { try countEmptyItem() }
            guard left > 0 else { return endValue() }
            frames[top].rest = .items(type: type, left: left - 1, start: input.position)
            try visit(TextVisit(type: type, indent: frame.indent, depth: frame.depth + 1))
        case .elements(let elements, let next):
            guard next < elements.count else { return endValue() }
            frames[top].rest = .elements(elements, next: next + 1)
            try addNumber(next + 1, indent: frame.indent)
            try visit(TextVisit(type: elements[next], indent: frame.indent + 1, depth: frame.depth + 1))
        case .fields(let fields, let next):
            guard next < fields.count else { return endValue() }
            frames[top].rest = .fields(fields, next: next + 1)
            if let name = fields[next].name {
                try add(.fieldName(FieldName(name: name, docs: .empty, type: Self.noType)), indent: frame.indent)
            } else {
                try addNumber(next, indent: frame.indent)
            }
            try visit(TextVisit(type: fields[next].type, indent: frame.indent + 1, depth: frame.depth + 1))
        }
    }

    private mutating func endValue() {
        frames.removeLast()
    }

    private mutating func countEmptyItem() throws(DecodingError) {
        emptyItems += 1
        guard cards.count + emptyItems <= cardLimit else { throw .tooManyCards(offset: input.position) }
    }

    private mutating func addNumber(_ number: Int, indent: Int) throws(DecodingError) {
        try add(.fieldNumber(FieldNumber(number: number, docs: .empty, type: Self.noType)), indent: indent)
    }

    /// Types of these metadata have neither path nor docs.
    private static let noType = FieldType(blob: [0], offset: 0)

    // MARK: Values

    private mutating func visit(_ visit: TextVisit) throws(DecodingError) {
        var next: TextVisit? = visit
        while let current = next { next = try step(current) }
    }

    /// Reads a value, or its beginning.
    ///
    /// - Returns: the value inside that the value goes on with.
    private mutating func step(_ visit: TextVisit) throws(DecodingError) -> TextVisit? {
        guard visit.depth <= DecodingLimits.typeDepth else { throw .tooDeep(offset: input.position) }
        guard !input.isAtEnd else { throw .dataTooShort(offset: input.position) }
        let indent = visit.indent
        switch try types.shape(visit.type) {
        case .bool: try add(.default(try readBool() ? "true" : "false"), indent: indent)
        case .unsigned(let bits, let isCompact, let isAmount):
            let value = isCompact ? try readCompact(bits: bits) : try readFixed(bits: bits)
            try addNumber(value, isAmount: isAmount, indent: indent)
        case .optionalBool: try readOptionalBool(indent: indent)
        case .option(let inside): return try readOption(visit.inside(inside))
        case .bytes: try readBytes(indent: indent)
        case .sequence(let item):
            let count = try readCount()
            if count == 0 { try add(.default(""), indent: indent) }
            push(.items(type: item, left: count, start: -1), visit)
        case .tuple(let elements): push(.elements(elements, next: 0), visit)
        case .byteArray(let count): try addBytes(try readRange(count), indent: indent)
        case .array(let item, let count): push(.items(type: item, left: count, start: -1), visit)
        case .identityFields: try readIdentityFields(indent: indent)
        case .bits: try readBits(indent: indent)
        case .account: try readAccount32(indent: indent)
        case .alias(let other): return visit.inside(other)
        case .fields(let fields): push(.fields(fields, next: 0), visit)
        case .variants(let variants): return try readVariant(of: variants, visit)
        }
        return nil
    }

    private mutating func push(_ rest: TextFrame.Rest, _ visit: TextVisit) {
        frames.append(TextFrame(rest: rest, indent: visit.indent, depth: visit.depth))
    }

    private mutating func readOption(_ inside: TextVisit) throws(DecodingError) -> TextVisit? {
        let offset = input.position
        switch try readByte() {
        case 0: try add(.none, indent: inside.indent)
        case 1: return inside
        case let tag: throw .unexpectedOptionVariant(found: tag, offset: offset)
        }
        return nil
    }

    private mutating func readVariant(
        of variants: [TextShape.Variant], _ visit: TextVisit
    ) throws(DecodingError) -> TextVisit? {
        let offset = input.position
        let index = try readByte()
        guard Int(index) < variants.count else { throw .unexpectedEnumVariant(found: index, offset: offset) }
        switch variants[Int(index)] {
        case .nothing(let name):
            try add(.enumVariantName(name: name, docs: .empty), indent: visit.indent)
        case .type(let name, let type):
            try add(.enumVariantName(name: name, docs: .empty), indent: visit.indent)
            return TextVisit(type: type, indent: visit.indent + 1, depth: visit.depth + 1)
        case .fields(let fields): push(.fields(fields, next: 0), visit)
        }
        return nil
    }

    /// The flags of an identity, by the names that the types table gives them.
    private mutating func readIdentityFields(indent: Int) throws(DecodingError) {
        let flags = try readFixed(bits: 64)
        for position in 0..<64 where flags >> position & 1 == 1 {
            try add(.identityField(try types.identityField(position)), indent: indent)
        }
    }
}
