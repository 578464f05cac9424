/// What texts of types stand for, found out when a value of the type is met (`signer-wire` section 6.3).
///
/// One step at a time: what stands inside `Vec<…>` is a text of its own, with a number of its own. Each text is taken
/// apart once.
struct TextTypes {
    private let table: TypesTable
    private var ids: [TypeText: Int] = [:]
    private var texts: [TypeText] = []
    private var shapes: [TextShape?] = []

    init(_ table: TypesTable) {
        self.table = table
    }

    /// The number of the type `text`.
    mutating func id(_ text: TypeText) -> Int {
        if let known = ids[text] { return known }
        let id = texts.count
        ids[text] = id
        texts.append(text)
        shapes.append(nil)
        return id
    }

    /// - Parameter id: one that ``id(_:)`` gave.
    mutating func shape(_ id: Int) throws(DecodingError) -> TextShape {
        if let known = shapes[id] { return known }
        let shape = try find(texts[id])
        shapes[id] = shape
        return shape
    }

    /// The name of the flag in `position` of an identity's fields.
    func identityField(_ position: Int) throws(DecodingError) -> String {
        guard case .enumeration(let variants) = table["IdentityField" as TypeText], position < variants.count else {
            throw .text(.idFields(position: position))
        }
        return variants[position].name
    }

    // MARK: The language

    private mutating func find(_ text: TypeText) throws(DecodingError) -> TextShape {
        guard text.byteCount <= DecodingLimits.typeTextByteCount else {
            throw .text(.unknownType(text: text.description))
        }
        if let named = TextShape.named[text] { return named }
        if let item = text.inside("Option<", ">"), item.isBalanced { return .option(id(item)) }
        if let item = text.inside("Vec<", ">"), item.isBalanced { return .sequence(id(item)) }
        if let elements = text.inside("(", ")")?.split(","), (2...4).contains(elements.count) {
            return .tuple(elements.map { id($0) })
        }
        if let array = array(text) { return array }
        if let inside = text.inside("Compact<", ">"), inside.isBalanced { return try compact(inside, of: text) }
        return try described(text)
    }

    /// Reads a type of the form `[X; n]`.
    private mutating func array(_ text: TypeText) -> TextShape? {
        guard let parts = text.inside("[", "]")?.split(";"), parts.count == 2, let count = parts[1].number else {
            return nil
        }
        return parts[0] == "u8" ? .byteArray(count) : .array(id(parts[0]), count: count)
    }

    /// `Compact<N>`, where `N` is another name for something that can be compact.
    private mutating func compact(_ inside: TypeText, of text: TypeText) throws(DecodingError) -> TextShape {
        guard case .alias(let other) = table[inside] else {
            throw .text(.unexpectedCompactInsides(text: text.description))
        }
        return .alias(id(TypeText(other.utf8).wrapped(head: "Compact<", tail: ">")))
    }

    private mutating func described(_ text: TypeText) throws(DecodingError) -> TextShape {
        switch table[text] {
        case .alias(let other): .alias(id(TypeText(other.utf8)))
        case .structure(let fields): .fields(take(fields))
        case .enumeration(let variants):
            .variants(
                variants.map { variant in
                    switch variant.content {
                    case .nothing: .nothing(name: variant.name)
                    case .type(let type): .type(name: variant.name, id(TypeText(type.utf8)))
                    case .fields(let fields): .fields(take(fields))
                    }
                })
        case nil: throw .text(.unknownType(text: text.description))
        }
    }

    private mutating func take(_ fields: [TypesTable.Field]) -> [TextShape.Field] {
        fields.map { TextShape.Field(name: $0.name, type: id(TypeText($0.type.utf8))) }
    }
}

/// How a value is to be read. Types inside are numbers of ``TextTypes``.
enum TextShape {
    case bool
    case unsigned(bits: Int, isCompact: Bool, isAmount: Bool)
    /// An optional bool in one byte: none, true, false.
    case optionalBool
    case option(Int)
    case bytes
    case sequence(Int)
    case tuple([Int])
    case byteArray(Int)
    case array(Int, count: Int)
    case identityFields
    case bits
    case account
    case alias(Int)
    case fields([Field])
    case variants([Variant])

    struct Field {
        let name: String?
        let type: Int
    }

    enum Variant {
        case nothing(name: String)
        case type(name: String, Int)
        /// A variant that is shown without its name.
        case fields([Field])
    }

    /// The types that the language itself knows.
    static let named: [TypeText: TextShape] = {
        var named: [TypeText: TextShape] = [
            "bool": .bool, "Option<bool>": .optionalBool, "Vec<u8>": .bytes, "IdentityFields": .identityFields,
            "BitVec": .bits, "AccountId": .account, "T::AccountId": .account,
        ]
        let numbers: [(TypeText, Int)] = [
            ("u8", 8), ("u16", 16), ("u32", 32), ("u64", 64), ("u128", 128), ("Percent", 8), ("Perbill", 32),
            ("PerU16", 16),
        ]
        let amounts: [TypeText] = ["Balance", "T::Balance", "BalanceOf<T>", "BalanceOf<T, I>"]
        for (text, bits) in numbers {
            named[text] = .unsigned(bits: bits, isCompact: false, isAmount: false)
            named[text.wrapped(head: "Compact<", tail: ">")] = .unsigned(bits: bits, isCompact: true, isAmount: false)
        }
        for text in amounts {
            named[text] = .unsigned(bits: 128, isCompact: false, isAmount: true)
            named[text.wrapped(head: "Compact<", tail: ">")] = .unsigned(bits: 128, isCompact: true, isAmount: true)
        }
        return named
    }()
}
