/// Types read from a blob once each during a walk, in the form in which the walk uses them.
///
/// Reading each type once bounds the work over the metadata by the blob's size, whatever a hostile registry and payload
/// do.
struct TypeShapes {
    private let registry: TypeRegistry
    /// Position in `shapes` by type id; -1 for a type not read yet.
    private var slots: [Int32]
    private var shapes: [TypeShape] = []
    private(set) var fields: [FieldShape] = []
    private(set) var variants: [VariantShape] = []
    private(set) var elements: [UInt32] = []

    init(_ registry: TypeRegistry) {
        self.registry = registry
        slots = Array(repeating: -1, count: registry.types.entries.count)
    }

    func entry(_ type: UInt32) throws(DecodingError) -> TypeIndex.IndexedType {
        guard let entry = registry.types[type] else { throw registry.missing(type) }
        return entry
    }

    mutating func shape(_ type: UInt32, _ entry: TypeIndex.IndexedType) throws(DecodingError) -> TypeShape {
        let slot = slots[Int(type)]
        if slot >= 0 { return shapes[Int(slot)] }
        do throws(MetadataFault) {
            let shape = try registry.blob.withUnsafeBufferPointer { buffer throws(MetadataFault) in
                var cursor = BlobCursor(buffer, at: Int(entry.definition))
                return try readShape(from: &cursor, isNamedOption: entry.mark == .option)
            }
            slots[Int(type)] = Int32(shapes.count)
            shapes.append(shape)
            return shape
        } catch {
            throw .typeNotResolved(type: type)
        }
    }

    /// Whether `type` is the primitive u8.
    private func isByte(_ type: UInt32, in cursor: BlobCursor) -> Bool {
        guard let entry = registry.types[type], entry.mark == .none else { return false }
        var cursor = cursor
        cursor.move(to: Int(entry.definition))
        return (try? cursor.byte()) == TypeDefinitionKind.primitive.rawValue
            && (try? cursor.byte()) == PrimitiveType.u8.rawValue
    }

    private mutating func readShape(
        from cursor: inout BlobCursor, isNamedOption: Bool
    ) throws(MetadataFault) -> TypeShape {
        switch try cursor.definitionKind() {
        case .composite: return .composite(fields: try readFields(from: &cursor))
        case .variant: return try readVariants(from: &cursor, isNamedOption: isNamedOption)
        case .sequence:
            let item = UInt32(try cursor.compact())
            return .sequence(item: item, isBytes: isByte(item, in: cursor))
        case .array:
            let length = try cursor.uint32()
            let item = UInt32(try cursor.compact())
            return .array(length: length, item: item, isBytes: isByte(item, in: cursor))
        case .tuple:
            let first = elements.count
            for _ in 0..<(try cursor.count()) { elements.append(UInt32(try cursor.compact())) }
            return .tuple(elements: first..<elements.count)
        case .primitive: return .primitive(try cursor.primitive())
        case .compact: return .compact(UInt32(try cursor.compact()))
        case .bitSequence:
            let store = UInt32(try cursor.compact())
            return .bitSequence(store: store, order: UInt32(try cursor.compact()))
        }
    }

    private mutating func readFields(from cursor: inout BlobCursor) throws(MetadataFault) -> Range<Int> {
        let first = fields.count
        for _ in 0..<(try cursor.count()) { fields.append(try FieldShape(from: &cursor)) }
        return first..<fields.count
    }

    /// The fields of a variant are read when it is met.
    private mutating func readVariants(
        from cursor: inout BlobCursor, isNamedOption: Bool
    ) throws(MetadataFault) -> TypeShape {
        let first = variants.count
        let count = try cursor.count()
        var isNone = false
        var isSome = false
        for _ in 0..<count {
            let variant = try VariantShape(from: &cursor)
            isNone = isNone || cursor.equals(variant.name, "None")
            isSome = isSome || cursor.equals(variant.name, "Some")
            variants.append(variant)
        }
        // A proof may describe only one of the two variants, so there the name decides.
        let isOption = registry.isProof ? isNamedOption : count == 2 && isNone && isSome
        return .variant(first..<variants.count, isOption: isOption)
    }

    /// The position in ``variants`` of the variant with `index`.
    func variant(_ index: UInt8, in range: Range<Int>) -> Int? {
        variants[range].firstIndex { $0.index == index }
    }

    /// The position in ``variants`` of the variant with a name.
    func variant(named name: StaticString, in range: Range<Int>) -> Int? {
        registry.blob.withUnsafeBufferPointer { buffer in
            let cursor = BlobCursor(buffer)
            return variants[range].firstIndex { cursor.equals($0.name, name) }
        }
    }

    /// The fields of the variant at `position`.
    mutating func fields(ofVariant position: Int) throws(DecodingError) -> Range<Int> {
        if let range = variants[position].fields { return range }
        let offset = variants[position].fieldsOffset
        do throws(MetadataFault) {
            let range = try registry.blob.withUnsafeBufferPointer { buffer throws(MetadataFault) in
                var cursor = BlobCursor(buffer, at: offset)
                return try readFields(from: &cursor)
            }
            variants[position].fields = range
            return range
        } catch {
            // The index has walked over these fields: they can be read.
            throw .typeNotResolved(type: 0)
        }
    }

    /// The text at a place of the blob, made once and shared by all cards that show it.
    mutating func variantName(_ position: Int) -> String {
        if let text = variants[position].text { return text }
        let text = string(variants[position].name)
        variants[position].text = text
        return text
    }

    mutating func fieldName(_ position: Int) -> String {
        if let text = fields[position].text { return text }
        let text = fields[position].name.map(string) ?? ""
        fields[position].text = text
        return text
    }

    private func string(_ range: Range<Int>) -> String {
        registry.blob.withUnsafeBufferPointer { BlobCursor($0).string(range) }
    }
}

/// A type's definition.
enum TypeShape {
    case composite(fields: Range<Int>)
    case variant(Range<Int>, isOption: Bool)
    case sequence(item: UInt32, isBytes: Bool)
    case array(length: UInt32, item: UInt32, isBytes: Bool)
    case tuple(elements: Range<Int>)
    case primitive(PrimitiveType)
    case compact(UInt32)
    case bitSequence(store: UInt32, order: UInt32)
}

/// A variant of an enum.
struct VariantShape {
    let name: Range<Int>
    let fieldsOffset: Int
    let index: UInt8
    let docsOffset: Int
    var fields: Range<Int>?
    var text: String?

    init(from cursor: inout BlobCursor) throws(MetadataFault) {
        name = try cursor.text()
        fieldsOffset = cursor.position
        try cursor.skipFields()
        index = try cursor.byte()
        docsOffset = cursor.position
        try cursor.skipTexts()
    }
}
