import Foundation

/// A JSON tree of known answers: look-ups that fail give `null`, so that a wrong name fails in the expectation that
/// uses it.
public enum JSON: Sendable, Equatable, Decodable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    public init(contentsOf url: URL) throws {
        self = try JSONDecoder().decode(JSON.self, from: Data(contentsOf: url))
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self), value != 0 || !Self.isNegativeZero(container) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSON].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSON].self))
        }
    }

    /// Whether it is a zero with a sign, which no integer is.
    private static func isNegativeZero(_ container: any SingleValueDecodingContainer) -> Bool {
        (try? container.decode(Double.self))?.sign == .minus
    }

    public subscript(key: String) -> JSON {
        if case .object(let object) = self { object[key] ?? .null } else { .null }
    }

    public subscript(index: Int) -> JSON {
        if case .array(let array) = self, array.indices.contains(index) { array[index] } else { .null }
    }

    public var array: [JSON] { if case .array(let value) = self { value } else { [] } }
    public var object: [String: JSON] { if case .object(let value) = self { value } else { [:] } }
    public var string: String? { if case .string(let value) = self { value } else { nil } }
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    public var int: Int? { if case .integer(let value) = self { Int(value) } else { nil } }
    public var isNull: Bool { self == .null }

    /// The bytes of a string of hex digits, with or without `0x`.
    public var hex: [UInt8]? {
        guard var text = string?[...] else { return nil }
        if text.hasPrefix("0x") { text = text.dropFirst(2) }
        guard text.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        while !text.isEmpty {
            guard let byte = UInt8(text.prefix(2), radix: 16) else { return nil }
            bytes.append(byte)
            text = text.dropFirst(2)
        }
        return bytes
    }
}

extension JSON: Encodable {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}
