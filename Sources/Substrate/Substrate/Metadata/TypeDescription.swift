/// A type of the registry.
public struct TypeDescription: Sendable {
    public let path: [String]
    public let parameters: [Parameter]
    public let definition: Definition
    public let docs: FullMetadata.DocsRange

    public struct Parameter: Hashable, Sendable {
        public let name: String
        public let type: UInt32?
    }

    public struct Field: Hashable, Sendable {
        public let name: String?
        public let type: UInt32
        public let typeName: String?
        public let docs: FullMetadata.DocsRange
    }

    public struct Variant: Hashable, Sendable {
        public let name: String
        public let fields: [Field]
        public let index: UInt8
        public let docs: FullMetadata.DocsRange
    }

    public enum Definition: Hashable, Sendable {
        case composite([Field])
        case variant([Variant])
        case sequence(UInt32)
        case array(length: UInt32, item: UInt32)
        case tuple([UInt32])
        case primitive(PrimitiveType)
        case compact(UInt32)
        case bitSequence(store: UInt32, order: UInt32)
    }
}

extension BlobCursor {
    mutating func typeID() throws(MetadataFault) -> UInt32 { UInt32(try compact()) }

    mutating func name() throws(MetadataFault) -> String {
        let range = try text()
        return try validString(range)
    }

    mutating func optionalName() throws(MetadataFault) -> String? {
        try isPresent() ? try name() : nil
    }

    mutating func docs() throws(MetadataFault) -> FullMetadata.DocsRange {
        let start = position
        try skipTexts()
        return FullMetadata.DocsRange(range: start..<position)
    }

    /// A sequence whose items take at least one byte each.
    mutating func list<T>(
        _ read: (inout BlobCursor) throws(MetadataFault) -> T
    ) throws(MetadataFault) -> [T] {
        let count = try count()
        var items: [T] = []
        // A hostile count is at most the bytes that are left; their items may be far larger in memory.
        items.reserveCapacity(min(count, 1024))
        for _ in 0..<count { items.append(try read(&self)) }
        return items
    }

    mutating func types() throws(MetadataFault) -> [TypeDescription] {
        let count = try typeCount()
        var types: [TypeDescription] = []
        types.reserveCapacity(count)
        for position in 0..<count {
            try skipTypeID(expected: position)
            types.append(try type())
        }
        return types
    }

    private mutating func type() throws(MetadataFault) -> TypeDescription {
        TypeDescription(
            path: try list { cursor throws(MetadataFault) in try cursor.name() },
            parameters: try list { cursor throws(MetadataFault) in
                TypeDescription.Parameter(name: try cursor.name(), type: try cursor.optionalType())
            },
            definition: try definition(), docs: try docs())
    }

    private mutating func definition() throws(MetadataFault) -> TypeDescription.Definition {
        switch try definitionKind() {
        case .composite: .composite(try fields())
        case .variant:
            .variant(
                try list { cursor throws(MetadataFault) in
                    TypeDescription.Variant(
                        name: try cursor.name(), fields: try cursor.fields(), index: try cursor.byte(),
                        docs: try cursor.docs())
                })
        case .sequence: .sequence(try typeID())
        case .array: .array(length: try uint32(), item: try typeID())
        case .tuple: .tuple(try list { cursor throws(MetadataFault) in try cursor.typeID() })
        case .primitive: .primitive(try primitive())
        case .compact: .compact(try typeID())
        case .bitSequence: .bitSequence(store: try typeID(), order: try typeID())
        }
    }

    private mutating func fields() throws(MetadataFault) -> [TypeDescription.Field] {
        try list { cursor throws(MetadataFault) in
            TypeDescription.Field(
                name: try cursor.optionalName(), type: try cursor.typeID(), typeName: try cursor.optionalName(),
                docs: try cursor.docs())
        }
    }
}
