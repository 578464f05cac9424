import SCALE

/// What the names of types mean that metadata 12 and 13 use: a record that a vault holds and updates replace.
///
/// Source: `signer-wire` section 6.3.
public struct TypesTable: Sendable {
    package let entries: [NamedType]
    /// Position of the first entry of each name.
    private let positions: [TypeText: Int]

    package struct NamedType: Hashable, Sendable {
        package var name: String
        package var description: Description

        package init(name: String, description: Description) {
            self.name = name
            self.description = description
        }
    }

    package enum Description: Hashable, Sendable {
        /// Another name for a type.
        case alias(String)
        /// Variants; the byte that selects one is its position.
        case enumeration([Variant])
        case structure([Field])
    }

    package struct Variant: Hashable, Sendable {
        package var name: String
        package var content: Content

        package init(name: String, content: Content) {
            self.name = name
            self.content = content
        }
    }

    /// What a variant holds.
    package enum Content: Hashable, Sendable {
        case nothing
        case type(String)
        case fields([Field])
    }

    package struct Field: Hashable, Sendable {
        package var name: String?
        package var type: String

        package init(name: String? = nil, type: String) {
            self.name = name
            self.type = type
        }
    }

    package init(entries: [NamedType]) {
        self.entries = entries
        positions = Dictionary(
            entries.enumerated().map { (TypeText($1.name.utf8), $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The meaning of `name` in the first entry that has it; names are compared byte by byte.
    package subscript(name: String) -> Description? {
        self[TypeText(name.utf8)]
    }

    subscript(text: TypeText) -> Description? {
        positions[text].map { entries[$0].description }
    }

    /// blake2_256 of the encoding: the table's name for people. Computed at each call.
    package var hash: Hash256 { Blake2b.hash256(scaleEncoded) }
}

extension TypesTable: Equatable {
    /// Whether both are the same.
    public static func == (left: Self, right: Self) -> Bool { left.entries == right.entries }
}

extension TypesTable: ScaleCodable {
    /// Reads the SCALE encoding.
    public init(from decoder: inout ScaleDecoder) throws(ScaleError) {
        self.init(
            entries: try decoder.sequence(minimumItemSize: 3) { decoder throws(ScaleError) in
                try NamedType(from: &decoder)
            })
    }

    /// Appends the SCALE encoding.
    public func encode(to encoder: inout ScaleEncoder) {
        encoder.sequence(entries) { $0.value($1) }
    }
}

extension TypesTable.NamedType: ScaleCodable {
    package init(from decoder: inout ScaleDecoder) throws(ScaleError) {
        name = try decoder.string()
        description = try TypesTable.Description(from: &decoder)
    }

    package func encode(to encoder: inout ScaleEncoder) {
        encoder.string(name)
        encoder.value(description)
    }
}

extension TypesTable.Description: ScaleCodable {
    package init(from decoder: inout ScaleDecoder) throws(ScaleError) {
        let offset = decoder.position
        switch try decoder.uint8() {
        case 0: self = .alias(try decoder.string())
        case 1:
            self = .enumeration(
                try decoder.sequence(minimumItemSize: 2) { decoder throws(ScaleError) in
                    try TypesTable.Variant(from: &decoder)
                })
        case 2: self = .structure(try decoder.fields())
        case let tag: throw .invalidEnumIndex(offset: offset, found: tag, type: "a type's description")
        }
    }

    package func encode(to encoder: inout ScaleEncoder) {
        switch self {
        case .alias(let other):
            encoder.integer(UInt8(0))
            encoder.string(other)
        case .enumeration(let variants):
            encoder.integer(UInt8(1))
            encoder.sequence(variants) { $0.value($1) }
        case .structure(let fields):
            encoder.integer(UInt8(2))
            encoder.sequence(fields) { $0.value($1) }
        }
    }
}

extension TypesTable.Variant: ScaleCodable {
    package init(from decoder: inout ScaleDecoder) throws(ScaleError) {
        name = try decoder.string()
        let offset = decoder.position
        switch try decoder.uint8() {
        case 0: content = .nothing
        case 1: content = .type(try decoder.string())
        case 2: content = .fields(try decoder.fields())
        case let tag: throw .invalidEnumIndex(offset: offset, found: tag, type: "a variant's content")
        }
    }

    package func encode(to encoder: inout ScaleEncoder) {
        encoder.string(name)
        switch content {
        case .nothing: encoder.integer(UInt8(0))
        case .type(let type):
            encoder.integer(UInt8(1))
            encoder.string(type)
        case .fields(let fields):
            encoder.integer(UInt8(2))
            encoder.sequence(fields) { $0.value($1) }
        }
    }
}

extension TypesTable.Field: ScaleCodable {
    package init(from decoder: inout ScaleDecoder) throws(ScaleError) {
        name = try decoder.option { decoder throws(ScaleError) in try decoder.string() }
        type = try decoder.string()
    }

    package func encode(to encoder: inout ScaleEncoder) {
        encoder.option(name) { $0.string($1) }
        encoder.string(type)
    }
}

extension ScaleDecoder {
    fileprivate mutating func fields() throws(ScaleError) -> [TypesTable.Field] {
        try sequence(minimumItemSize: 2) { decoder throws(ScaleError) in try TypesTable.Field(from: &decoder) }
    }
}
