/// A tree of JSON that came from outside or is to be signed.
///
/// Whole numbers are told from others, since what this room reads has whole numbers only.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// Any other number, as it is written.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])
}

extension JSONValue {
    package var string: String? { if case .string(let text) = self { text } else { nil } }
    package var bool: Bool? { if case .bool(let flag) = self { flag } else { nil } }
    package var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
    package var array: [JSONValue]? { if case .array(let values) = self { values } else { nil } }
    package var object: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    package init(stringLiteral text: String) { self = .string(text) }
    package init(integerLiteral number: Int64) { self = .integer(number) }
    package init(arrayLiteral values: JSONValue...) { self = .array(values) }
    package init(dictionaryLiteral members: (String, JSONValue)...) {
        self = .object(Dictionary(members) { _, later in later })
    }
}

/// How much JSON is read.
package struct JSONLimits: Hashable, Sendable {
    /// Bytes of the text.
    package var bytes: Int
    /// Arrays and objects within each other.
    package var depth: Int
    /// Values, counted with those that hold others. It bounds the memory of the tree.
    package var values: Int

    package init(bytes: Int, depth: Int = 8, values: Int = 32_768) {
        self.bytes = bytes
        self.depth = depth
        self.values = values
    }
}
