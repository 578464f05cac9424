import ForceFieldWire
import TextForms

extension WireValue {
    /// JSON for people and programs that look at a reply: integers of both kinds are numbers, bytes are
    /// `{"$bytes":"<hex>"}`, numbers that JSON lacks are `{"$number":"nan"}`, and a key that begins with `$` gets a
    /// second one.
    ///
    /// Source: `forcefield` section 20, `call --decode`.
    package var json: String { jsonText.text }

    package var jsonText: JSONText {
        switch self {
        case .nil: .null
        case .bool(let flag): .bool(flag)
        case .int(let number): .number(number)
        case .uint(let number): .number(number)
        case .double(let number): Self.jsonText(number, finite: number.isFinite)
        case .float(let number): Self.jsonText(number, finite: number.isFinite)
        case .string(let text): .string(text)
        case .bytes(let bytes): .object([("$bytes", .string(Hex.encode(bytes)))])
        case .array(let elements): .array(elements.map(\.jsonText))
        case .map(let entries):
            .object(entries.map { (($0.key.hasPrefix("$") ? "$" : "") + $0.key, $0.value.jsonText) })
        }
    }

    private static func jsonText(_ number: some CustomStringConvertible, finite: Bool) -> JSONText {
        finite ? .literal("\(number)") : .object([("$number", .string("\(number)"))])
    }
}
