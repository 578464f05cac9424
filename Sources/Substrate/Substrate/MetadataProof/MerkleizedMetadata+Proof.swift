import SCALE

extension MerkleizedMetadata {
    /// Values of one transaction at the most.
    package static let itemLimit = 100_000

    /// The proof that a signer needs to show a transaction.
    ///
    /// - Parameters:
    ///   - call: without its length.
    ///   - extensions: what extensions add to the transaction, then what they add to the signed bytes.
    ///   - includingAllSigners: adds every form of address and signature, as some provers do.
    /// - Returns: `MetadataProof`, encoded.
    /// - Throws: ``MerkleizationError`` for bytes that these metadata do not describe to the last.
    public func proof(
        call: [UInt8], extensions: [UInt8], extraInfo: MetadataExtraInfo, includingAllSigners: Bool = false
    ) throws(MerkleizationError) -> [UInt8] {
        var access = LeafAccess(metadata)
        try access.read(call, as: [metadata.outerCallType].compactMap { $0 })
        try access.read(extensions, as: metadata.extensions.map(\.type) + metadata.extensions.map(\.additionalSigned))
        return encodedProof(access, extraInfo, includingAllSigners: includingAllSigners)
    }

    /// The proof for a whole transaction as it goes to the chain.
    ///
    /// - Parameters:
    ///   - extrinsic: with its length; signed (version byte 84 hex) or not (04).
    ///   - additionalSigned: what extensions add to the signed bytes.
    public func proof(
        extrinsic: [UInt8], additionalSigned: [UInt8], extraInfo: MetadataExtraInfo
    ) throws(MerkleizationError) -> [UInt8] {
        var decoder = ScaleDecoder(extrinsic)
        guard let range = try? decoder.byteSequenceRange(), decoder.isAtEnd, let first = range.first else {
            throw .transactionDoesNotFit(offset: 0)
        }
        let isSigned = extrinsic[first] == Self.transactionVersion | 0x80
        guard isSigned || extrinsic[first] == Self.transactionVersion else {
            throw .transactionDoesNotFit(offset: first)
        }
        let signer = [metadata.addressType, metadata.signatureType].compactMap { $0 } + metadata.extensions.map(\.type)
        var access = LeafAccess(metadata)
        try access.read(
            extrinsic, in: first + 1..<range.upperBound,
            as: (isSigned ? signer : []) + [metadata.outerCallType].compactMap { $0 })
        if isSigned { try access.read(additionalSigned, as: metadata.extensions.map(\.additionalSigned)) }
        return encodedProof(access, extraInfo, includingAllSigners: false)
    }

    private func encodedProof(
        _ access: LeafAccess, _ extraInfo: MetadataExtraInfo, includingAllSigners: Bool
    ) -> [UInt8] {
        let signers =
            includingAllSigners
            ? types.reachable(from: [metadata.addressType, metadata.signatureType].compactMap { $0 }) : []
        let positions = leaves.indices.filter { position in
            let id = types.numbered[Int(leaves[position].number)]
            return access.contains(id, leaves[position].variantIndex) || signers.contains(id)
        }.sorted { TreeNode.isNode(tree.node(ofLeaf: $0), leftOf: tree.node(ofLeaf: $1)) }
        let nodes = positions.map { tree.node(ofLeaf: $0) }
        var encoder = ScaleEncoder()
        encoder.sequence(positions) { $0.raw(leaf($1)) }
        encoder.sequence(nodes) { $0.integer($1) }
        encoder.sequence(tree.proofNodes(for: nodes)) { $0.value($1) }
        encoder.raw(extrinsicMetadata)
        encoder.value(extraInfo)
        return encoder.bytes
    }
}

/// Reads values only to see which types and variants they use.
private struct LeafAccess {
    private var shapes: TypeShapes
    private var input = ScaleDecoder([])
    /// Registry ids, with the index of a variant or 256 for types that are no enum.
    private var used: Set<UInt64> = []
    private var items = 0

    init(_ metadata: RuntimeMetadata) {
        shapes = TypeShapes(metadata.registry)
    }

    func contains(_ id: UInt32, _ variant: UInt8?) -> Bool {
        used.contains(Self.key(id, variant))
    }

    private static func key(_ id: UInt32, _ variant: UInt8?) -> UInt64 {
        UInt64(id) << 9 | (variant.map(UInt64.init) ?? 256)
    }

    /// Reads all of `range` as values of `types`.
    mutating func read(
        _ bytes: [UInt8], in range: Range<Int>? = nil, as types: [UInt32]
    ) throws(MerkleizationError) {
        input = ScaleDecoder(bytes, in: range ?? 0..<bytes.count)
        for type in types { try visit(type, depth: 1) }
        guard input.isAtEnd else { throw .transactionDoesNotFit(offset: input.position) }
    }

    private mutating func visit(_ type: UInt32, depth: Int) throws(MerkleizationError) {
        items += 1
        guard items <= MerkleizedMetadata.itemLimit, depth <= DecodingLimits.typeDepth else {
            throw .transactionTooLarge(offset: input.position)
        }
        let shape: TypeShape
        do throws(DecodingError) { shape = try shapes.shape(type, try shapes.entry(type)) } catch {
            throw .typeNotResolved(type: type)
        }
        switch shape {
        case .composite(let fields):
            used.insert(Self.key(type, nil))
            try visitFields(fields, depth: depth)
        case .variant(let variants, _): try visitVariant(type, variants, depth: depth)
        case .sequence(let item, let isBytes):
            used.insert(Self.key(type, nil))
            try visitItems(Int(try compact(bits: 32)), item, isBytes: isBytes, depth: depth)
        case .array(let length, let item, let isBytes):
            used.insert(Self.key(type, nil))
            try visitItems(Int(length), item, isBytes: isBytes, depth: depth)
        case .tuple(let elements):
            used.insert(Self.key(type, nil))
            for position in elements { try visit(shapes.elements[position], depth: depth + 1) }
        case .primitive(let primitive): try skip(primitive)
        case .compact(let inner): try skipCompact(inner)
        case .bitSequence(let store, _):
            used.insert(Self.key(type, nil))
            try skipBits(store)
        }
    }

    private mutating func visitFields(_ fields: Range<Int>, depth: Int) throws(MerkleizationError) {
        for position in fields { try visit(shapes.fields[position].type, depth: depth + 1) }
    }

    private mutating func visitVariant(
        _ type: UInt32, _ variants: Range<Int>, depth: Int
    ) throws(MerkleizationError) {
        let offset = input.position
        guard let index = try? input.uint8(), let variant = shapes.variant(index, in: variants),
            let fields = try? shapes.fields(ofVariant: variant)
        else { throw .transactionDoesNotFit(offset: offset) }
        used.insert(Self.key(type, index))
        try visitFields(fields, depth: depth)
    }

    private mutating func visitItems(
        _ count: Int, _ item: UInt32, isBytes: Bool, depth: Int
    ) throws(MerkleizationError) {
        if isBytes { return try skip(count) }
        for _ in 0..<count { try visit(item, depth: depth + 1) }
    }

    private mutating func skip(_ count: Int) throws(MerkleizationError) {
        guard (try? input.skip(count)) != nil else { throw .transactionDoesNotFit(offset: input.position) }
    }

    private mutating func compact(bits: Int) throws(MerkleizationError) -> UInt128 {
        guard let value = try? input.compact(bits: bits) else { throw .transactionDoesNotFit(offset: input.position) }
        return value
    }

    private mutating func skip(_ primitive: PrimitiveType) throws(MerkleizationError) {
        switch primitive {
        case .str: try skip(Int(try compact(bits: 32)))
        case .bool, .u8, .i8: try skip(1)
        case .u16, .i16: try skip(2)
        case .char, .u32, .i32: try skip(4)
        case .u64, .i64: try skip(8)
        case .u128, .i128: try skip(16)
        case .u256, .i256: try skip(32)
        }
    }

    /// Goes through the structs around a number; a compact without a number takes up nothing.
    private mutating func skipCompact(_ first: UInt32) throws(MerkleizationError) {
        var type = first
        for _ in 0..<DecodingLimits.typeDepth {
            guard let entry = try? shapes.entry(type), let shape = try? shapes.shape(type, entry) else {
                throw .typeNotResolved(type: type)
            }
            switch shape {
            case .primitive(let primitive):
                guard let bits = primitive.unsignedBits else { throw .compactNotSimple(type: type) }
                _ = try compact(bits: bits)
                return
            case .composite(let fields) where fields.count == 1: type = shapes.fields[fields.lowerBound].type
            case .tuple(let elements) where elements.count == 1: type = shapes.elements[elements.lowerBound]
            case .compact(let inner): type = inner
            case .composite(let parts) where parts.isEmpty: return
            case .tuple(let parts) where parts.isEmpty: return
            default: throw .compactNotSimple(type: type)
            }
        }
        throw .compactNotSimple(type: first)
    }

    private mutating func skipBits(_ store: UInt32) throws(MerkleizationError) {
        let count = Int(try compact(bits: 32))
        guard let entry = try? shapes.entry(store), case .primitive(let primitive)? = try? shapes.shape(store, entry),
            let width = primitive.unsignedBits, width <= 64
        else { throw .notBitStoreType(type: store) }
        try skip((count + width - 1) / width * (width / 8))
    }
}
