import Foundation
import Substrate

/// A JSON tree. Look-ups that fail give `null`, so that a missing part fails in the comparison that uses it.
enum WireJSON: Equatable, Decodable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([WireJSON])
    case object([String: WireJSON])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([WireJSON].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: WireJSON].self))
        }
    }

    subscript(key: String) -> WireJSON {
        if case .object(let object) = self { object[key] ?? .null } else { .null }
    }

    subscript(index: Int) -> WireJSON {
        if case .array(let array) = self, array.indices.contains(index) { array[index] } else { .null }
    }

    var array: [WireJSON] { if case .array(let value) = self { value } else { [] } }
    var string: String? { if case .string(let value) = self { value } else { nil } }
    var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    var int: Int? { if case .number(let value) = self { Int(exactly: value) } else { nil } }
    var strings: [String] { array.compactMap(\.string) }
    var hex: [UInt8]? { string.flatMap { Hex.decode($0) } }

    /// Whether this is an object with all of `keys`, or a list whose first member is one.
    func has(_ keys: String...) -> Bool {
        let object = if case .array(let array) = self { array.first ?? .null } else { self }
        guard case .object(let members) = object else { return false }
        return keys.allSatisfy { members[$0] != nil }
    }
}
