import BasicFoundation
import StrictJSON
import TextForms

/// Reads the members of an object one by one; every lack is an error that says where.
package struct JSONFields {
    /// The place of the object, for errors: `entries[2]`; empty for the outermost.
    package let place: String
    private let members: [String: JSON]

    /// - Throws: ``JSONFieldError`` for anything but an object.
    package init(_ value: JSON?, at place: String = "") throws(JSONFieldError) {
        guard let members = value?.object else { throw JSONFieldError(place: place, reason: "an object expected") }
        self.place = place
        self.members = Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }
    }

    /// Reads a text whose values are nested in eight levels at most.
    ///
    /// - Parameter limit: bytes.
    /// - Throws: `JSONError`, and ``JSONFieldError`` for anything but an object.
    package init(reading text: [UInt8], limit: Int) throws {
        try self.init(JSONReader.ofVigil(limit: limit).read(text))
    }

    package var names: Set<String> { Set(members.keys) }

    package func has(_ name: String) -> Bool { members[name] != nil }

    package func error(in name: String, _ reason: String) -> JSONFieldError {
        JSONFieldError(place: place.isEmpty ? name : "\(place).\(name)", reason: reason)
    }

    /// An object within this one.
    package func fields(_ name: String) throws(JSONFieldError) -> JSONFields {
        try JSONFields(members[name], at: place.isEmpty ? name : "\(place).\(name)")
    }

    package func string(_ name: String) throws(JSONFieldError) -> String {
        guard let string = members[name]?.string else { throw error(in: name, "a string expected") }
        return string
    }

    package func bool(_ name: String) throws(JSONFieldError) -> Bool {
        guard let flag = members[name]?.bool else { throw error(in: name, "true or false expected") }
        return flag
    }

    /// A whole number that fits its type.
    package func integer<I: FixedWidthInteger>(
        _ name: String, as type: I.Type = I.self
    ) throws(JSONFieldError) -> I {
        guard let integer = members[name]?.integer, let integer = I(exactly: integer) else {
            throw error(in: name, "a whole number from \(I.min) to \(I.max) expected")
        }
        return integer
    }

    /// One of the texts that a type knows.
    package func value<V: RawRepresentable>(
        _ name: String, as type: V.Type = V.self
    ) throws(JSONFieldError) -> V where V.RawValue == String {
        let text = try string(name)
        guard let value = V(rawValue: text) else { throw error(in: name, "\"\(text.prefix(40))\" is not known") }
        return value
    }

    /// 64 lower-case hex digits.
    package func digest(_ name: String) throws(JSONFieldError) -> Bytes32 {
        let bytes = try hex(name)
        guard let digest = Bytes32(bytes) else { throw error(in: name, "64 lower-case hexadecimal digits expected") }
        return digest
    }

    /// Lower-case hex digits without a prefix.
    package func hex(_ name: String) throws(JSONFieldError) -> [UInt8] {
        let text = try string(name)
        guard let bytes = Hex.decode(text), Hex.encode(bytes) == text else {
            throw error(in: name, "lower-case hexadecimal digits expected")
        }
        return bytes
    }

    /// Standard base64 with its padding.
    package func base64(_ name: String) throws(JSONFieldError) -> [UInt8] {
        guard let bytes = Data(base64Encoded: try string(name)) else { throw error(in: name, "base64 expected") }
        return Array(bytes)
    }

    package func array(_ name: String, limit: Int) throws(JSONFieldError) -> [JSON] {
        guard let values = members[name]?.array else { throw error(in: name, "an array expected") }
        guard values.count <= limit else {
            throw error(in: name, "\(values.count) members, where \(limit) are allowed")
        }
        return values
    }

    package func object(_ name: String) throws(JSONFieldError) -> JSONFields {
        try JSONFields(members[name], at: place.isEmpty ? name : "\(place).\(name)")
    }

    /// An array of objects, each with its place.
    package func objects(_ name: String, limit: Int) throws(JSONFieldError) -> [JSONFields] {
        var fields: [JSONFields] = []
        for (index, value) in try array(name, limit: limit).enumerated() {
            fields.append(try JSONFields(value, at: place.isEmpty ? "\(name)[\(index)]" : "\(place).\(name)[\(index)]"))
        }
        return fields
    }

    /// Reads a member that may be missing; one that is there has to be right.
    package func ifPresent<V>(
        _ name: String, _ read: (String) throws(JSONFieldError) -> V
    ) throws(JSONFieldError) -> V? {
        has(name) ? try read(name) : nil
    }
}

extension JSONReader {
    /// How the texts of this room are read.
    ///
    /// - Parameter limit: bytes.
    package static func ofVigil(limit: Int) -> JSONReader {
        JSONReader(maximumDepth: 8, maximumBytes: limit, maximumValues: 32_768)
    }
}

extension JSON {
    /// The one text of this value that is signed.
    package var canonicalText: [UInt8] { sorted.utf8() }

    /// The same for people to read: a line for each value, and one at the end.
    package var readableText: [UInt8] { sorted.utf8(pretty: true) + [UInt8(ascii: "\n")] }
}

/// A member that is missing, or of another kind.
package struct JSONFieldError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where the member is, as `entries[2].text2`.
    package let place: String
    package let reason: String

    package var description: String { place.isEmpty ? reason : "\(place): \(reason)" }
}
