/// The types that a type is made of, read from the blob.
struct TypeMembers {
    let kind: TypeDefinitionKind
    /// The types in order of appearance: of fields, variants' fields, items, elements, and what is inside a compact.
    let types: [UInt32]
    /// A composite, variant or tuple without content, which takes up no byte.
    let isEmpty: Bool
    let primitive: PrimitiveType?

    init(from cursor: inout BlobCursor) throws(MetadataFault) {
        kind = try cursor.definitionKind()
        var types: [UInt32] = []
        var isEmpty = false
        var primitive: PrimitiveType?
        switch kind {
        case .composite: isEmpty = try cursor.collectFields(into: &types) == 0
        case .variant:
            let count = try cursor.count()
            isEmpty = count == 0
            for _ in 0..<count {
                try cursor.skipText()
                _ = try cursor.collectFields(into: &types)
                _ = try cursor.byte()
                try cursor.skipTexts()
            }
        case .sequence, .compact: types = [UInt32(try cursor.compact())]
        case .array:
            _ = try cursor.uint32()
            types = [UInt32(try cursor.compact())]
        case .tuple:
            for _ in 0..<(try cursor.count()) { types.append(UInt32(try cursor.compact())) }
            isEmpty = types.isEmpty
        case .primitive: primitive = try cursor.primitive()
        case .bitSequence: types = [UInt32(try cursor.compact()), UInt32(try cursor.compact())]
        }
        self.types = types
        self.isEmpty = isEmpty
        self.primitive = primitive
    }
}

extension BlobCursor {
    fileprivate mutating func collectFields(into types: inout [UInt32]) throws(MetadataFault) -> Int {
        let count = try count()
        for _ in 0..<count {
            if try isPresent() { try skipText() }
            types.append(UInt32(try compact()))
            if try isPresent() { try skipText() }
            try skipTexts()
        }
        return count
    }
}
