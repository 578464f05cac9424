import SCALE

/// A leaf of the tree over all types of a runtime: one type, or one variant of an enum. Texts are places in the bytes
/// that the proof was read from.
struct ProofLeaf: Sendable {
    /// The whole leaf: what its hash is made of.
    let range: Range<Int>
    /// A `vec<str>`.
    let path: Range<Int>
    let definition: Definition
    /// The id of the type, which all variants of an enum share.
    let typeID: UInt32

    enum Definition: Sendable {
        case composite([Field])
        case enumeration(Variant)
        case sequence(TypeReference)
        case array(length: UInt32, item: TypeReference)
        case tuple([TypeReference])
        /// - Parameter storeByteCount: 1, 2, 4 or 8.
        case bitSequence(storeByteCount: UInt8, leastSignificantFirst: Bool)
    }

    struct Field: Sendable {
        let name: Range<Int>?
        let type: TypeReference
        let typeName: Range<Int>?
    }

    struct Variant: Sendable {
        let name: Range<Int>
        let fields: [Field]
        let index: UInt8
    }

    init(from decoder: inout ScaleDecoder) throws(MetadataProofError) {
        let start = decoder.position
        for _ in 0..<(try decoder.proofCount(of: "path segments", limit: MetadataProofLimits.listItems)) {
            _ = try decoder.proofText()
        }
        path = start..<decoder.position
        definition = try Definition(from: &decoder)
        typeID = try decoder.forProof { (decoder) throws(ScaleError) in try decoder.compact32() }
        range = start..<decoder.position
        guard range.count <= MetadataProofLimits.leafByteCount else {
            throw .limitExceeded(
                offset: start, kind: "bytes of a leaf", found: range.count, limit: MetadataProofLimits.leafByteCount)
        }
    }

    /// The index of the variant that the leaf describes, if it is one of an enum.
    var variantIndex: UInt8? {
        if case .enumeration(let variant) = definition { variant.index } else { nil }
    }
}

extension ProofLeaf.Definition {
    fileprivate init(from decoder: inout ScaleDecoder) throws(MetadataProofError) {
        let offset = decoder.position
        switch try decoder.forProof({ (decoder) throws(ScaleError) in try decoder.uint8() }) {
        case 0: self = .composite(try decoder.leafFields())
        case 1:
            let name = try decoder.proofText()
            let fields = try decoder.leafFields()
            let index = try decoder.forProof { (decoder) throws(ScaleError) in
                UInt8(try decoder.compact(bits: 8))
            }
            self = .enumeration(ProofLeaf.Variant(name: name, fields: fields, index: index))
        case 2: self = .sequence(try TypeReference(from: &decoder))
        case 3:
            let length = try decoder.forProof { (decoder) throws(ScaleError) in try decoder.uint32() }
            self = .array(length: length, item: try TypeReference(from: &decoder))
        case 4:
            self = .tuple(
                try decoder.proofList(of: "elements") { (decoder) throws(MetadataProofError) in
                    try TypeReference(from: &decoder)
                })
        case 5:
            let storeOffset = decoder.position
            let size = try decoder.forProof { (decoder) throws(ScaleError) in try decoder.uint8() }
            guard [1, 2, 4, 8].contains(size) else {
                throw .unknownIndex(offset: storeOffset, kind: "size of a bit store", found: size)
            }
            let order = try decoder.forProof { (decoder) throws(ScaleError) in try decoder.bool() }
            self = .bitSequence(storeByteCount: size, leastSignificantFirst: order)
        case let tag: throw .unknownIndex(offset: offset, kind: "type definition", found: tag)
        }
    }
}

extension ScaleDecoder {
    fileprivate mutating func leafFields() throws(MetadataProofError) -> [ProofLeaf.Field] {
        try proofList(of: "fields") { (decoder) throws(MetadataProofError) in
            ProofLeaf.Field(
                name: try decoder.proofOptionalText(), type: try TypeReference(from: &decoder),
                typeName: try decoder.proofOptionalText())
        }
    }
}
