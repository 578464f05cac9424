import ForceFieldWire
import StrictJSON
import TextForms

extension WireValue {
    /// JSON for people and programs that look at a reply: integers of both kinds are numbers, bytes are
    /// `{"$bytes":"<hex>"}`, numbers that JSON lacks are `{"$number":"nan"}`, and a key that begins with `$` gets a
    /// second one.
    ///
    /// Source: `forcefield` section 20, `call --decode`.
    package var jsonText: String { json.reportText }

    private var json: JSON {
        switch self {
        case .nil: .null
        case .bool(let flag): .bool(flag)
        case .int(let number): .integer(number)
        case .uint(let number): .integer(number)
        case .double(let number): Self.json(number, finite: number.isFinite)
        case .float(let number): Self.json(number, finite: number.isFinite)
        case .string(let text): .string(text)
        case .bytes(let bytes): .report([("$bytes", .string(Hex.encode(bytes)))])
        case .array(let elements): .array(elements.map(\.json))
        case .map(let entries):
            .report(entries.map { (($0.key.hasPrefix("$") ? "$" : "") + $0.key, $0.value.json) })
        }
    }

    private static func json(_ number: some CustomStringConvertible, finite: Bool) -> JSON {
        finite ? .number("\(number)") : .report([("$number", .string("\(number)"))])
    }
}
