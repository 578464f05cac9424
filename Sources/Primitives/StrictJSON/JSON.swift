/// A JSON value as it was written: numbers keep their digits, objects keep the order of their members.
///
///     let body = try JSONReader().read(bytes)
///     guard let keyID = body["keyId"]?.string else { … }
///
/// What this room promises: no two readers that keep to RFC 8259 can disagree about a text that ``JSONReader`` accepts
/// (no name twice, no lone surrogate, nothing behind the value), and no text costs more memory than a small multiple of
/// its size. What it does not do: numbers beyond their text, comments, any other leniency, coding of Swift types.
public enum JSON: Equatable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// The text of the number, in the grammar of RFC 8259 section 6.
    case number(String)
    /// Text.
    case string(String)
    /// Values in their order.
    case array([JSON])
    /// Members in their order.
    case object([Member])

    /// A member of an object.
    public struct Member: Equatable, Sendable {
        /// What stands before the colon, with its escapes resolved.
        public var name: String
        /// What stands behind the colon.
        public var value: JSON

        /// Makes it of its parts.
        public init(name: String, value: JSON) {
            self.name = name
            self.value = value
        }
    }

    /// The number of an integer.
    public static func integer(_ value: some FixedWidthInteger) -> JSON { .number(String(value)) }

    /// The object of these members, in no order that is promised (``sorted``).
    public static func object(_ members: [String: JSON]) -> JSON {
        .object(members.map { Member(name: $0.key, value: $0.value) })
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    /// Text.
    public init(stringLiteral text: String) { self = .string(text) }

    /// Values in their order.
    public init(arrayLiteral values: JSON...) { self = .array(values) }

    /// Members in their order; each name once.
    public init(dictionaryLiteral members: (String, JSON)...) {
        self = .object(members.map { Member(name: $0.0, value: $0.1) })
    }
}

extension JSON {
    /// The member of that name; nil where there is none, or this is no object.
    ///
    /// Names are equal if their bytes are. (To Swift, "K" and the Kelvin sign are the same text.)
    public subscript(name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }

    /// The truth value; nil for another kind of value.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    /// The text; nil for another kind of value.
    public var string: String? { if case .string(let value) = self { value } else { nil } }
    /// The values; nil for another kind of value.
    public var array: [JSON]? { if case .array(let value) = self { value } else { nil } }
    /// The members; nil for another kind of value.
    public var object: [Member]? { if case .object(let value) = self { value } else { nil } }

    /// A number written as an integer (no fraction, no exponent) that fits.
    public var integer: Int? { if case .number(let text) = self { Int(text) } else { nil } }
}
