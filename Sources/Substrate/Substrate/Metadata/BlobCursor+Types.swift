/// The encoding of a type in the registry of metadata 14 to 16 (`signer-wire` section 4.2).
extension BlobCursor {
    /// How many types the registry has.
    package mutating func typeCount() throws(MetadataFault) -> Int {
        let count = try count()
        guard count <= MetadataLimits.types else { throw .tooManyTypes(count) }
        return count
    }

    /// The id in front of a type, which must be its position.
    package mutating func skipTypeID(expected: Int) throws(MetadataFault) {
        let offset = position
        let id = try compact()
        guard id == expected else { throw .typeOutOfPlace(offset: offset, expected: expected, found: id) }
    }

    /// Path, parameters and definition; stops at the docs.
    mutating func skipTypeUpToDocs() throws(MetadataFault) {
        try skipTexts()
        try skipParameters()
        try skipDefinition()
    }

    mutating func skipParameters() throws(MetadataFault) {
        for _ in 0..<(try count()) {
            try skipText()
            if try isPresent() { _ = try compact() }
        }
    }

    mutating func skipDefinition() throws(MetadataFault) {
        switch try definitionKind() {
        case .composite: try skipFields()
        case .variant:
            var seen = ByteSet()
            for _ in 0..<(try count()) {
                try skipText()
                try skipFields()
                _ = try variantIndex(notIn: &seen)
                try skipTexts()
            }
        case .sequence, .compact: _ = try compact()
        case .array:
            _ = try uint32()
            _ = try compact()
        case .tuple: for _ in 0..<(try count()) { _ = try compact() }
        case .primitive: _ = try primitive()
        case .bitSequence:
            _ = try compact()
            _ = try compact()
        }
    }

    package mutating func definitionKind() throws(MetadataFault) -> TypeDefinitionKind {
        let tag = try byte()
        guard let kind = TypeDefinitionKind(rawValue: tag) else {
            throw .unknownIndex(offset: position - 1, kind: "type definition", found: tag)
        }
        return kind
    }

    package mutating func primitive() throws(MetadataFault) -> PrimitiveType {
        let tag = try byte()
        guard let primitive = PrimitiveType(rawValue: tag) else {
            throw .unknownIndex(offset: position - 1, kind: "primitive", found: tag)
        }
        return primitive
    }

    mutating func skipFields() throws(MetadataFault) {
        for _ in 0..<(try count()) {
            try skipFieldUpToDocs()
            try skipTexts()
        }
    }

    /// Skips the name, type and type name of a field.
    mutating func skipFieldUpToDocs() throws(MetadataFault) {
        if try isPresent() { try skipText() }
        _ = try compact()
        if try isPresent() { try skipText() }
    }
}

package enum TypeDefinitionKind: UInt8 {
    case composite, variant, sequence, array, tuple, primitive, compact, bitSequence
}

/// A primitive of the type registry.
package enum PrimitiveType: UInt8, Sendable {
    case bool, char, str, u8, u16, u32, u64, u128, u256, i8, i16, i32, i64, i128, i256

    /// The name that errors and proofs use, as `u8`.
    package var name: String { "\(self)" }

    /// Bits of an unsigned integer that a compact or an amount can be; nil for every other primitive.
    var unsignedBits: Int? {
        switch self {
        case .u8: 8
        case .u16: 16
        case .u32: 32
        case .u64: 64
        case .u128: 128
        default: nil
        }
    }
}
