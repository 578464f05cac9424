import SCALE

extension MetadataProof {
    /// The leaves as a type registry, so that values are read by the same walk as with runtime metadata.
    ///
    /// Described types come first, in the order of the leaves; behind them stand one type for each reference that is no
    /// id.
    func registry() -> (registry: TypeRegistry, reference: @Sendable (TypeReference) -> UInt32) {
        var positions: [UInt32: UInt32] = [:]
        var described: [DescribedType] = []
        for leaf in leaves {
            if let position = positions[leaf.typeID] {
                described[Int(position)].leaves.append(leaf)
            } else {
                positions[leaf.typeID] = UInt32(described.count)
                described.append(DescribedType(leaves: [leaf]))
            }
        }
        let references = ReferencePositions(described: positions)
        var writer = RegistryWriter(source: bytes, references: references)
        let blob = writer.write(described)
        let index = blob.withUnsafeBufferPointer { buffer in
            var cursor = BlobCursor(buffer)
            return try? TypeIndex(from: &cursor)
        }
        var registry = TypeRegistry(
            blob: blob, types: index ?? TypeIndex(), proofIDs: described.map { $0.leaves[0].typeID })
        markCalls(in: &registry, described, references)
        return (registry, { references.position(of: $0) })
    }

    /// The call type is the outer one; what one of its leaves holds as its only field are a pallet's calls.
    private func markCalls(
        in registry: inout TypeRegistry, _ described: [DescribedType], _ references: ReferencePositions
    ) {
        guard case .type(let id) = extrinsic.call, let outer = references.described[id] else { return }
        for leaf in described[Int(outer)].leaves {
            guard case .enumeration(let variant) = leaf.definition, variant.fields.count == 1 else { continue }
            registry.types.setCallRole(.palletCalls, of: references.position(of: variant.fields[0].type))
        }
        registry.types.setCallRole(.outerCall, of: outer)
    }
}

/// A type with its leaf, or with the leaves of its variants.
private struct DescribedType {
    var leaves: [ProofLeaf]
}

/// Where a registry made from a proof has the type that a reference means.
private struct ReferencePositions: Sendable {
    /// Positions of the described types, by the proof's id.
    let described: [UInt32: UInt32]

    static let compacts: [PrimitiveType] = [.u8, .u16, .u32, .u64, .u128, .u256]
    static let primitiveCount: UInt32 = 15

    private var first: UInt32 { UInt32(described.count) }
    private var firstCompact: UInt32 { first + Self.primitiveCount }
    private var void: UInt32 { firstCompact + UInt32(Self.compacts.count) }
    /// The order of bits in a store.
    func order(leastSignificantFirst: Bool) -> UInt32 { void + (leastSignificantFirst ? 1 : 2) }
    var count: Int { Int(void) + 3 }

    func position(of reference: TypeReference) -> UInt32 {
        switch reference {
        case .primitive(let primitive): first + UInt32(primitive.rawValue)
        case .compact(let primitive): firstCompact + UInt32(primitive.rawValue - PrimitiveType.u8.rawValue)
        case .void: void
        case .type(let id):
            described[id] ?? TypeRegistry.firstUndescribed + min(id, TypeRegistry.firstUndescribed - 1)
        }
    }
}

/// Writes leaves in the form of `signer-wire` section 4.2, without documentation.
private struct RegistryWriter {
    /// What the leaves were read from.
    let source: [UInt8]
    let references: ReferencePositions
    private var encoder = ScaleEncoder()
    private var written = 0

    init(source: [UInt8], references: ReferencePositions) {
        self.source = source
        self.references = references
    }

    mutating func write(_ described: [DescribedType]) -> [UInt8] {
        encoder.compact(references.count)
        for type in described { write(type) }
        for primitive in 0..<UInt8(ReferencePositions.primitiveCount) {
            writeType { $0.raw([TypeDefinitionKind.primitive.rawValue, primitive]) }
        }
        for primitive in ReferencePositions.compacts {
            let inner = references.position(of: .primitive(primitive))
            writeType { encoder in
                encoder.integer(TypeDefinitionKind.compact.rawValue)
                encoder.compact(Int(inner))
            }
        }
        writeType { $0.raw([TypeDefinitionKind.tuple.rawValue, 0]) }
        for order in ["Lsb0", "Msb0"] {
            writeType(path: [order]) { $0.raw([TypeDefinitionKind.composite.rawValue, 0]) }
        }
        return encoder.bytes
    }

    /// A type with neither parameters nor docs.
    private mutating func writeType(path: [String] = [], _ definition: (inout ScaleEncoder) -> Void) {
        encoder.compact(written)
        encoder.sequence(path) { $0.string($1) }
        encoder.compact(0)
        definition(&encoder)
        encoder.compact(0)
        written += 1
    }

    private mutating func write(_ type: DescribedType) {
        encoder.compact(written)
        encoder.raw(source[type.leaves[0].path])
        encoder.compact(0)
        writeDefinition(type)
        encoder.compact(0)
        written += 1
    }

    private mutating func writeDefinition(_ type: DescribedType) {
        switch type.leaves[0].definition {
        case .composite(let fields):
            encoder.integer(TypeDefinitionKind.composite.rawValue)
            write(fields)
        case .enumeration: writeVariants(type.leaves)
        case .sequence(let item):
            encoder.integer(TypeDefinitionKind.sequence.rawValue)
            write(item)
        case .array(let length, let item):
            encoder.integer(TypeDefinitionKind.array.rawValue)
            encoder.integer(length)
            write(item)
        case .tuple(let elements):
            encoder.integer(TypeDefinitionKind.tuple.rawValue)
            encoder.compact(elements.count)
            for element in elements { write(element) }
        case .bitSequence(let storeByteCount, let leastSignificantFirst):
            let store: PrimitiveType =
                switch storeByteCount {
                case 1: .u8
                case 2: .u16
                case 4: .u32
                default: .u64
                }
            encoder.integer(TypeDefinitionKind.bitSequence.rawValue)
            write(.primitive(store))
            encoder.compact(Int(references.order(leastSignificantFirst: leastSignificantFirst)))
        }
    }

    private mutating func writeVariants(_ leaves: [ProofLeaf]) {
        encoder.integer(TypeDefinitionKind.variant.rawValue)
        encoder.compact(leaves.count)
        for case .enumeration(let variant) in leaves.map(\.definition) {
            encoder.byteSequence(Array(source[variant.name]))
            write(variant.fields)
            encoder.integer(variant.index)
            encoder.compact(0)
        }
    }

    private mutating func write(_ fields: [ProofLeaf.Field]) {
        encoder.compact(fields.count)
        for field in fields {
            encoder.option(field.name) { $0.byteSequence(Array(source[$1])) }
            write(field.type)
            encoder.option(field.typeName) { $0.byteSequence(Array(source[$1])) }
            encoder.compact(0)
        }
    }

    private mutating func write(_ reference: TypeReference) {
        encoder.compact(Int(references.position(of: reference)))
    }
}
