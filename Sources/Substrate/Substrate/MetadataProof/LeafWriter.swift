import SCALE

/// Writes the leaves of types, one behind the other (`substrate-crypto` section 13.2).
struct LeafWriter {
    private let metadata: RuntimeMetadata
    private let types: MerkleizedTypes
    private var encoder = ScaleEncoder()
    private(set) var leaves: [Leaf] = []

    /// Bytes of all leaves. Those of runtimes have about one million; a type that has a long path writes it for each of
    /// its variants.
    private static let mostBytes = 16 << 20

    struct Leaf {
        /// The number that RFC-0078 gives its type.
        let number: UInt32
        let variantIndex: UInt8?
        /// Where it stands among the written bytes.
        let range: Range<Int>
    }

    init(_ metadata: RuntimeMetadata, _ types: MerkleizedTypes) {
        self.metadata = metadata
        self.types = types
    }

    var bytes: [UInt8] { encoder.bytes }

    mutating func write() throws(MerkleizationError) {
        for (number, id) in types.numbered.enumerated() { try write(id, number: UInt32(number)) }
    }

    private mutating func write(_ id: UInt32, number: UInt32) throws(MerkleizationError) {
        guard let entry = metadata.types[id] else { throw .typeNotResolved(type: id) }
        let plan: Plan
        do throws(MetadataFault) {
            plan = try metadata.blob.withUnsafeBufferPointer { buffer throws(MetadataFault) in
                var cursor = BlobCursor(buffer, at: Int(entry.start))
                return try Plan(from: &cursor)
            }
        } catch {
            throw .typeNotResolved(type: id)
        }
        guard case .variants(let variants) = plan.definition else {
            return try writeLeaf(path: plan.path, number: number, variantIndex: nil) {
                (writer) throws(MerkleizationError) in try writer.write(plan.definition)
            }
        }
        for variant in variants.sorted(by: { $0.index < $1.index }) {
            try writeLeaf(path: plan.path, number: number, variantIndex: variant.index) {
                (writer) throws(MerkleizationError) in
                writer.encoder.integer(UInt8(1))
                writer.encoder.raw(writer.metadata.blob[variant.name])
                try writer.write(variant.fields)
                writer.encoder.compact(Int(variant.index))
            }
        }
    }

    private mutating func writeLeaf(
        path: Range<Int>, number: UInt32, variantIndex: UInt8?,
        _ definition: (inout LeafWriter) throws(MerkleizationError) -> Void
    ) throws(MerkleizationError) {
        let start = encoder.bytes.count
        encoder.raw(metadata.blob[path])
        try definition(&self)
        encoder.compact(Int(number))
        guard encoder.bytes.count <= Self.mostBytes else { throw .tooLarge }
        leaves.append(Leaf(number: number, variantIndex: variantIndex, range: start..<encoder.bytes.count))
    }

    private mutating func write(_ definition: Plan.Definition) throws(MerkleizationError) {
        switch definition {
        case .composite(let fields):
            encoder.integer(UInt8(0))
            try write(fields)
        case .variants: break
        case .sequence(let item):
            encoder.integer(UInt8(2))
            try types.reference(to: item).encode(to: &encoder)
        case .array(let length, let item):
            encoder.integer(UInt8(3))
            encoder.integer(length)
            try types.reference(to: item).encode(to: &encoder)
        case .tuple(let elements):
            encoder.integer(UInt8(4))
            encoder.compact(elements.count)
            for element in elements { try types.reference(to: element).encode(to: &encoder) }
        case .bitSequence(let store, let order):
            encoder.integer(UInt8(5))
            encoder.integer(try types.bitStoreByteCount(store))
            encoder.bool(try types.isLeastSignificantFirst(order))
        }
    }

    private mutating func write(_ fields: [Plan.Field]) throws(MerkleizationError) {
        encoder.compact(fields.count)
        for field in fields {
            encoder.raw(metadata.blob[field.name])
            try types.reference(to: field.type).encode(to: &encoder)
            encoder.raw(metadata.blob[field.typeName])
        }
    }
}

/// A type of the registry as far as a leaf tells of it. Ranges are of whole encoded values in the blob.
private struct Plan {
    /// A `vec<str>`.
    let path: Range<Int>
    let definition: Definition

    enum Definition {
        case composite([Field])
        case variants([Variant])
        case sequence(UInt32)
        case array(length: UInt32, item: UInt32)
        case tuple([UInt32])
        case bitSequence(store: UInt32, order: UInt32)
    }

    struct Field {
        /// An `opt<str>`.
        let name: Range<Int>
        let type: UInt32
        /// An `opt<str>`.
        let typeName: Range<Int>
    }

    struct Variant {
        /// A `str`.
        let name: Range<Int>
        let fields: [Field]
        let index: UInt8
    }

    init(from cursor: inout BlobCursor) throws(MetadataFault) {
        let start = cursor.position
        try cursor.skipTexts()
        path = start..<cursor.position
        try cursor.skipParameters()
        switch try cursor.definitionKind() {
        case .composite: definition = .composite(try Self.fields(from: &cursor))
        case .variant:
            definition = .variants(
                try cursor.list { cursor throws(MetadataFault) in
                    let start = cursor.position
                    try cursor.skipText()
                    let name = start..<cursor.position
                    let fields = try Self.fields(from: &cursor)
                    let index = try cursor.byte()
                    try cursor.skipTexts()
                    return Variant(name: name, fields: fields, index: index)
                })
        case .sequence: definition = .sequence(try cursor.typeID())
        case .array: definition = .array(length: try cursor.uint32(), item: try cursor.typeID())
        case .tuple: definition = .tuple(try cursor.list { cursor throws(MetadataFault) in try cursor.typeID() })
        // Neither gets a leaf.
        case .primitive, .compact: definition = .tuple([])
        case .bitSequence: definition = .bitSequence(store: try cursor.typeID(), order: try cursor.typeID())
        }
    }

    private static func fields(from cursor: inout BlobCursor) throws(MetadataFault) -> [Field] {
        try cursor.list { cursor throws(MetadataFault) in
            let name = try cursor.optionalTextRange()
            let type = try cursor.typeID()
            let typeName = try cursor.optionalTextRange()
            try cursor.skipTexts()
            return Field(name: name, type: type, typeName: typeName)
        }
    }
}

extension BlobCursor {
    /// An `opt<str>`, as the place of the whole of it.
    fileprivate mutating func optionalTextRange() throws(MetadataFault) -> Range<Int> {
        let start = position
        if try isPresent() { try skipText() }
        return start..<position
    }
}
