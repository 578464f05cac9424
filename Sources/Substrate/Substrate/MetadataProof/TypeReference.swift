import SCALE

/// How a leaf of a metadata proof refers to a type (RFC-0078; `substrate-crypto` section 13.2).
enum TypeReference: Hashable, Sendable {
    case primitive(PrimitiveType)
    /// An unsigned primitive in compact form.
    case compact(PrimitiveType)
    /// A type without any bytes.
    case void
    /// The id under which the leaves describe a type.
    case type(UInt32)

    private static let firstCompact: UInt8 = 0x0f
    private static let voidTag: UInt8 = 0x15
    private static let typeTag: UInt8 = 0x16

    init(from decoder: inout ScaleDecoder) throws(MetadataProofError) {
        let offset = decoder.position
        let tag = try decoder.forProof { (decoder) throws(ScaleError) in try decoder.uint8() }
        if let primitive = PrimitiveType(rawValue: tag) {
            self = .primitive(primitive)
        } else if tag < Self.voidTag,
            let primitive = PrimitiveType(rawValue: tag - Self.firstCompact + PrimitiveType.u8.rawValue)
        {
            self = .compact(primitive)
        } else if tag == Self.voidTag {
            self = .void
        } else if tag == Self.typeTag {
            self = .type(try decoder.forProof { (decoder) throws(ScaleError) in try decoder.compact32() })
        } else {
            throw .unknownIndex(offset: offset, kind: "type reference", found: tag)
        }
    }

    func encode(to encoder: inout ScaleEncoder) {
        switch self {
        case .primitive(let primitive): encoder.integer(primitive.rawValue)
        case .compact(let primitive):
            encoder.integer(primitive.rawValue - PrimitiveType.u8.rawValue + Self.firstCompact)
        case .void: encoder.integer(Self.voidTag)
        case .type(let id):
            encoder.integer(Self.typeTag)
            encoder.compact(Int(id))
        }
    }
}
