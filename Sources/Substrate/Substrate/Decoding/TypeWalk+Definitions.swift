import SCALE

/// One value by the definition of its type; what is inside goes onto the frames.
extension TypeWalk {
    mutating func visit(_ first: UInt32, _ outer: WalkContext) throws(DecodingError) {
        var type = first
        var context = outer
        while true {
            guard context.depth <= DecodingLimits.typeDepth else { throw .tooDeep(offset: input.position) }
            let entry = try shapes.entry(type)
            let role = role(of: entry.mark)
            if try readMarked(entry.mark, role: role, in: context) { return }
            let shape = try shapes.shape(type, entry)
            guard case .compact(let inner) = shape else {
                return try read(shape, of: type, entry: entry, role: role, in: context)
            }
            type = inner
            context.isCompact = true
            context.depth += 1
        }
    }

    private func role(of mark: TypeMark) -> ExtensionRole {
        guard let facts else { return .none }
        return ExtensionRole(mark: mark) ?? facts.identifierRole
    }

    /// Reads a value whose path alone says how; false for any other.
    private mutating func readMarked(
        _ mark: TypeMark, role: ExtensionRole, in context: WalkContext
    ) throws(DecodingError) -> Bool {
        switch mark {
        case .accountID32: try readAccount32(indent: context.indent)
        case .accountID20: try readAccount20(indent: context.indent)
        case .era where role == .era: try readEra(indent: context.indent)
        default: return false
        }
        return true
    }

    private mutating func read(
        _ shape: TypeShape, of type: UInt32, entry: TypeIndex.IndexedType, role: ExtensionRole, in context: WalkContext
    ) throws(DecodingError) {
        switch shape {
        case .composite(let fields):
            guard !context.isCompact || fields.count <= 1 else { throw .unexpectedCompactInsides(type: type) }
            pushFields(fields, context)
        case .variant(let variants, let isOption):
            try refuseFlags(type, context)
            if isOption {
                try readOption(variants, of: type, in: context)
            } else {
                try readVariant(variants, of: type, callRole: entry.callRole, in: context)
            }
        case .sequence(let item, let isBytes):
            guard !context.isCompact else { throw .unexpectedCompactInsides(type: type) }
            try readSequence(item, isBytes: isBytes, context)
        case .array(let length, let item, let isBytes):
            try readArray(of: length, item: item, isBytes: isBytes, type: type, role: role, in: context)
        case .tuple(let elements):
            guard !context.isCompact || elements.isEmpty else { throw .unexpectedCompactInsides(type: type) }
            if elements.isEmpty { return }
            push(
                WalkFrame(
                    rest: .elements(next: elements.lowerBound, end: elements.upperBound), context: context, number: 1))
        case .primitive(let primitive):
            if let bits = primitive.unsignedBits {
                try readNumber(bits: bits, role, context)
            } else {
                try refuseFlags(type, context)
                try readPrimitive(primitive, indent: context.indent)
            }
        case .bitSequence(let store, let order):
            try refuseFlags(type, context)
            try readBits(store: store, order: order, indent: context.indent)
        case .compact:
            // `visit` has taken compacts apart.
            throw .unexpectedCompactInsides(type: type)
        }
    }

    private func refuseFlags(_ type: UInt32, _ context: WalkContext) throws(DecodingError) {
        if context.isCompact { throw .unexpectedCompactInsides(type: type) }
        if context.isAmount { throw .balanceNotDescribed(type: type) }
    }

    private mutating func pushFields(_ fields: Range<Int>, _ context: WalkContext) {
        guard !fields.isEmpty else { return }
        let rest = WalkFrame.Rest.fields(
            next: fields.lowerBound, end: fields.upperBound, isOnly: fields.count == 1)
        push(WalkFrame(rest: rest, context: context, number: 0))
    }

    private mutating func readOption(
        _ variants: Range<Int>, of type: UInt32, in context: WalkContext
    ) throws(DecodingError) {
        let offset = input.position
        switch try readByte() {
        case 0:
            guard shapes.variant(named: "None", in: variants) != nil else { throw registry.missing(type) }
            try add(.none, indent: context.indent)
        case 1:
            guard !input.isAtEnd else { throw .dataTooShort(offset: input.position) }
            guard let some = shapes.variant(named: "Some", in: variants) else { throw registry.missing(type) }
            pushFields(try shapes.fields(ofVariant: some), context)
        case let other: throw .unexpectedOptionVariant(found: other, offset: offset)
        }
    }

    private mutating func readVariant(
        _ variants: Range<Int>, of type: UInt32, callRole: TypeIndex.CallRole, in context: WalkContext
    ) throws(DecodingError) {
        let offset = input.position
        let index = try readByte()
        guard let variant = shapes.variant(index, in: variants) else {
            if registry.isProof { throw registry.missing(type) }
            throw .unexpectedEnumVariant(found: index, offset: offset)
        }
        let name = shapes.variantName(variant)
        let docs = Documentation(blob: registry.blob, offset: shapes.variants[variant].docsOffset)
        switch callRole {
        case .outerCall:
            beginCall(at: offset, context)
            try add(.pallet(name: name), indent: context.indent)
        case .palletCalls: try add(.method(name: name, docs: docs), indent: context.indent)
        case .none: try add(.enumVariantName(name: name, docs: docs), indent: context.indent)
        }
        var inner = context
        inner.indent += 1
        pushFields(try shapes.fields(ofVariant: variant), inner)
    }

    private mutating func readSequence(_ item: UInt32, isBytes: Bool, _ context: WalkContext) throws(DecodingError) {
        let count = try readCount()
        if count == 0 {
            try add(.default(""), indent: context.indent)
        } else if isBytes {
            try addBytes(try readRange(count), indent: context.indent)
        } else {
            push(WalkFrame(rest: .items(type: item, left: count, start: -1), context: context, number: 0))
        }
    }

    private mutating func readArray(
        of length: UInt32, item: UInt32, isBytes: Bool, type: UInt32, role: ExtensionRole, in context: WalkContext
    ) throws(DecodingError) {
        if role == .genesis || role == .block { return try readHash(role, indent: context.indent) }
        guard !context.isCompact else { throw .unexpectedCompactInsides(type: type) }
        if isBytes {
            try addBytes(try readRange(Int(length)), indent: context.indent)
        } else if length > 0 {
            push(WalkFrame(rest: .items(type: item, left: Int(length), start: -1), context: context, number: 0))
        }
    }
}
