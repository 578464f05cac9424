import Substrate

/// A type of the registry.
package struct TypeDescription: Sendable {
    package let path: [String]
    package let parameters: [Parameter]
    package let definition: Definition
    package let docs: FullMetadata.DocsRange

    package struct Parameter: Hashable, Sendable {
        package let name: String
        package let type: UInt32?
    }

    package struct Field: Hashable, Sendable {
        package let name: String?
        package let type: UInt32
        package let typeName: String?
        package let docs: FullMetadata.DocsRange
    }

    package struct Variant: Hashable, Sendable {
        package let name: String
        package let fields: [Field]
        package let index: UInt8
        package let docs: FullMetadata.DocsRange
    }

    package enum Definition: Hashable, Sendable {
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
    mutating func docs() throws(MetadataFault) -> FullMetadata.DocsRange {
        let start = position
        try skipTexts()
        return FullMetadata.DocsRange(range: start..<position)
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
        case .variant: .variant(try variants())
        case .sequence: .sequence(try typeID())
        case .array: .array(length: try uint32(), item: try typeID())
        case .tuple: .tuple(try list { cursor throws(MetadataFault) in try cursor.typeID() })
        case .primitive: .primitive(try primitive())
        case .compact: .compact(try typeID())
        case .bitSequence: .bitSequence(store: try typeID(), order: try typeID())
        }
    }

    private mutating func variants() throws(MetadataFault) -> [TypeDescription.Variant] {
        var seen = ByteSet()
        return try list { cursor throws(MetadataFault) in
            TypeDescription.Variant(
                name: try cursor.name(), fields: try cursor.fields(),
                index: try cursor.variantIndex(notIn: &seen), docs: try cursor.docs())
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
